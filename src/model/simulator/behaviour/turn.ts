/** What has happened in a conversation, as far as the simulated model goes by it. */
import { createGrowingList } from '../../../base/growing-list.ts';
import type { Json } from '../../../base/json.ts';
import type { Message } from '../../provider/types.ts';
import type { SimConversation } from '../types.ts';
import { noticedBody, noticedSkills, withoutNotices } from './notices.ts';
import type { Jitter } from './pick-skill.ts';
import { readSkillIndex, type IndexedSkill } from './skill-index.ts';

export interface Exchange {
  readonly name: string;
  readonly input: Json;
  readonly result: string;
  readonly isError: boolean;
}

export interface Turn {
  /** What a person said last. */
  readonly prompt: string;
  /** Calls and results since then. */
  readonly exchanges: readonly Exchange[];
  /** Those that came with the last message. */
  readonly latest: readonly Exchange[];
  readonly index: readonly IndexedSkill[];
  /** Bodies that can be read in this conversation, preloaded ones included. */
  readonly bodies: ReadonlyMap<string, string>;
  readonly has: (tool: string) => boolean;
  /** What loads a skill in this dialect. */
  readonly loader: 'skill_load' | 'skill' | 'Skill' | undefined;
  /** Strings that a harness put beside what people said. */
  readonly notices: readonly string[];
  readonly jitter: Jitter | undefined;
}

const MARKED = /<skill_content name="([^"]+)">\n([\s\S]*?)\n<\/skill_content>/g;
const HEADED = /^# Skill: (\S+) \(source: [^)\n]*\)\n\n([\s\S]*)$/;
const POINTER = /^This skill(?:'s body)? is already loaded\b/;

/** Names and bodies that a string brings. */
const bodiesIn = (text: string): readonly (readonly [string, string])[] => {
  const headed = HEADED.exec(text);
  if (headed) return POINTER.test(headed[2] ?? '') ? [] : [[headed[1] ?? '', headed[2] ?? '']];
  const noticed = noticedBody(text);
  if (noticed) return [noticed];
  return [...text.matchAll(MARKED)].map(([, name = '', body = '']) => [name, body] as const);
};

/** Preloaded bodies are in the system prompt under a heading with their name. */
const preloadedBodies = (system: string, index: readonly IndexedSkill[]): readonly (readonly [string, string])[] => {
  const names = index.filter(({ preloaded }) => preloaded).map(({ name }) => name);
  const starts = names
    .map((name) => ({ name, at: `\n${system}`.indexOf(`\n# Skill: ${name}\n`) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
  return starts.map(({ name, at }, position) => {
    const from = system.indexOf('\n', at) + 1;
    const operating = system.indexOf('\n## Operating context', from);
    const next = starts[position + 1]?.at ?? (operating === -1 ? system.length : operating);
    return [name, system.slice(from, next).trim()] as const;
  });
};

const isSkillText = (text: string): boolean => bodiesIn(text).length > 0;

/** What a person said in a message. */
export const spoken = ({ role, content }: Message): string =>
  role === 'user'
    ? content
        .flatMap((block) => (block.type === 'text' && !isSkillText(block.text) ? [withoutNotices(block.text)] : []))
        .join('\n')
        .trim()
    : '';

const isNotice = (text: string): boolean => withoutNotices(text) !== text;

const NONE: readonly string[] = [];

/** What a message has beside words. */
interface Extras {
  readonly notices: readonly string[];
  /** No calls, no results, and no bodies of skills. */
  readonly isWords: boolean;
}

const readExtras = createGrowingList<Message, Extras>(({ role, content }) => {
  const texts = content.flatMap((block) => (role === 'user' && block.type === 'text' ? [block.text] : []));
  const notices = texts.filter(isNotice);
  return {
    notices: notices.length > 0 ? notices : NONE,
    isWords: content.every(({ type }) => type !== 'tool_use' && type !== 'tool_result') && !texts.some(isSkillText),
  };
});

export const readTurn = (conversation: SimConversation): Turn => {
  const { messages, system, tools } = conversation;
  const at = messages.findLastIndex((message) => spoken(message) !== '');
  const extras = readExtras(messages);
  const notices: string[] = [];
  for (const extra of extras) if (extra.notices !== NONE) notices.push(...extra.notices);
  const index = [...readSkillIndex(system), ...noticedSkills(notices)];
  const calls = new Map<string, { readonly name: string; readonly input: Json }>();
  const bodies = new Map<string, string>(preloadedBodies(system, index));
  const exchanges: Exchange[] = [];
  let latest: Exchange[] = [];
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position];
    if (!message) continue;
    if (message.role === 'user' && latest.length > 0) latest = [];
    if (extras[position]?.isWords === true) continue;
    for (const block of message.content) {
      if (block.type === 'tool_use') calls.set(block.id, { name: block.name, input: block.input });
      if (block.type === 'text' && message.role === 'user')
        for (const [name, body] of bodiesIn(block.text)) bodies.set(name, body);
      if (block.type !== 'tool_result') continue;
      const call = calls.get(block.toolUseId) ?? { name: '', input: {} };
      const exchange = { ...call, result: withoutNotices(block.text), isError: block.isError };
      if (!block.isError) for (const [name, body] of bodiesIn(block.text)) bodies.set(name, body);
      latest.push(exchange);
      if (position > at) exchanges.push(exchange);
    }
  }
  const names = new Set(tools.map(({ name }) => name));
  const isAnswered = messages.at(-1)?.role === 'user' && messages.length - 1 > at;
  return {
    prompt: at === -1 ? '' : spoken(messages[at] as Message),
    exchanges,
    latest: isAnswered ? latest : [],
    index,
    bodies,
    has: (tool) => names.has(tool),
    loader: (['skill_load', 'skill', 'Skill'] as const).find((name) => names.has(name)),
    notices,
    jitter: conversation.jitter,
  };
};
