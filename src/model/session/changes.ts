/** What changed in the folder since a session started, and what the first request of a new session would lose by it (D25). */
import type { Payload } from '../event/types.ts';
import { makeSegment, toolSegment } from '../prompt/segments.ts';
import type { Segment } from '../prompt/types.ts';
import { ratesOf } from '../provider/cost.ts';
import type { ToolSpec } from '../provider/types.ts';
import type { PlannedSession } from './start.ts';

type Config = Payload<'session.configured'>;

export interface SkillChange {
  readonly name: string;
  /** `text`: what the prompt says of it (index line or preloaded body); `body`: only what is loaded on demand. */
  readonly kind: 'added' | 'removed' | 'text' | 'body';
}

export interface FolderChanges {
  readonly skills: readonly SkillChange[];
  /** The first part of tools and stable prompt that differs; nothing if a new session would send the same bytes. */
  readonly firstDifference: { readonly before: string | undefined; readonly after: string | undefined } | undefined;
  /** By the estimate of D14. */
  readonly keptTokens: number;
  readonly lostTokens: number;
  /** What writing them again costs more than reading them; nothing where the price is not known. */
  readonly lostUsd: number | undefined;
}

const skillChanges = (
  before: Config['skills'],
  after: Config['skills'],
  textChanged: ReadonlySet<string>,
): SkillChange[] => {
  const old = new Map(before.map((skill) => [skill.name, skill]));
  const names = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap(({ name, version }): SkillChange[] => {
      const known = old.get(name);
      if (!known) return [{ name, kind: 'added' }];
      if (textChanged.has(name)) return [{ name, kind: 'text' }];
      return known.version === version ? [] : [{ name, kind: 'body' }];
    }),
    ...before.flatMap(({ name }): SkillChange[] => (names.has(name) ? [] : [{ name, kind: 'removed' }])),
  ];
};

/** Index lines and preloaded bodies by skill. */
const textsOf = (segments: Config['segments']): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>();
  const add = (name: string, text: string): void => void texts.set(name, (texts.get(name) ?? '') + text);
  for (const { kind, id, text } of segments) {
    if (kind === 'preloaded') add(id.slice('preloaded:'.length), text);
    if (kind !== 'skill-index') continue;
    for (const line of text.split('\n')) {
      const name = /^- ([a-z0-9-]+)/.exec(line)?.[1];
      if (name !== undefined) add(name, line);
    }
  }
  return texts;
};

/** In the order of the wire. */
const prefixOf = (config: Config): readonly Segment[] => [
  ...(config.tools as readonly ToolSpec[]).map(toolSegment),
  ...config.segments.map(({ kind, id, text }) => makeSegment(kind, id, text, 'stable')),
];

const configOf = ({ drafts }: PlannedSession): Config | undefined => {
  const draft = drafts.find(({ type }) => type === 'session.configured');
  return draft?.type === 'session.configured' ? draft.payload : undefined;
};

/** `planned` is what a session that started now would send, with the settings of this one. */
export const changesSince = (config: Config, planned: PlannedSession, model: string): FolderChanges | undefined => {
  const next = configOf(planned);
  if (!next) return undefined;
  const [before, after] = [prefixOf(config), prefixOf(next)];
  const first = after.findIndex((segment, index) => segment.hash !== before[index]?.hash);
  const at = first === -1 && before.length !== after.length ? after.length : first;
  const [oldTexts, newTexts] = [textsOf(config.segments), textsOf(next.segments)];
  const textChanged = new Set([...newTexts].flatMap(([name, text]) => (oldTexts.get(name) === text ? [] : [name])));
  const sum = (segments: readonly Segment[]): number => segments.reduce((total, { tokens }) => total + tokens, 0);
  const keptTokens = sum(at === -1 ? after : after.slice(0, at));
  const lostTokens = at === -1 ? 0 : sum(after.slice(at));
  const rates = ratesOf(model, keptTokens + lostTokens);
  const write = typeof rates === 'string' ? undefined : rates.write(rates.defaultTtl);
  return {
    skills: skillChanges(config.skills, next.skills, textChanged),
    firstDifference: at === -1 ? undefined : { before: before[at]?.id, after: after[at]?.id },
    keptTokens,
    lostTokens,
    lostUsd: typeof rates === 'string' || write === undefined ? undefined : lostTokens * (write - rates.read),
  };
};
