/** Skills as rent: what their listing costs with every request, against how often they were loaded (LED8 to LED10). */
import { isObject, type Json, parseJson } from '../../base/json.ts';
import { ok, type Result, valueOr } from '../../base/result.ts';
import { blockTexts, blockTokens, toolPromptTokens } from '../cache/block-tokens.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheBlock, CacheRequest } from '../cache/types.ts';
import { type CostOptions, ratesOf } from '../provider/cost.ts';
import { modelFacts } from '../provider/model-book.ts';
import { promptTokens, type Usage, writtenTokens, type WriteTtl } from '../provider/types.ts';
import type { Call } from '../traffic/call.ts';
import { listedSkills } from './skill-listing.ts';
import type { Sum } from './types.ts';

export interface SkillRent {
  readonly name: string;
  /** Requests that listed it. */
  readonly requests: number;
  /** Of its entry, in the last request that listed it. */
  readonly listingTokens: number;
  /** Over all requests. */
  readonly tokens: number;
  readonly rent: Sum;
  /** How often the model loaded it. */
  readonly loads: number;
  /** Of its folder, those that the model read, sorted. */
  readonly files: readonly string[];
}

export interface RentOptions extends CostOptions {
  /** Counts a string as o200k does. Absent: four characters are a token. */
  readonly tokens?: (text: string) => number;
}

interface Counted {
  requests: number;
  listingTokens: number;
  tokens: number;
  usd: number;
  unknown: number;
}

/** Where a listing can be: tools and system prompt, and what is said to the model. */
const canList = ({ tier, role }: CacheBlock): boolean =>
  tier !== 'messages' || (role !== 'assistant' && role !== 'tool');

const LOADS: ReadonlySet<string> = new Set(['skill_load', 'skill', 'activate_skill', 'load_skill']);
const CALLS: ReadonlySet<string> = new Set(['tool_use', 'function_call', 'tool_call']);
const textAt = (value: Json | undefined, keys: readonly string[]): string | undefined => {
  if (!isObject(value)) return undefined;
  return keys.map((key) => value[key]).find((found): found is string => typeof found === 'string');
};

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

const toolCall = (value: Json | undefined): ToolCall | undefined => {
  if (!isObject(value)) return undefined;
  const call = isObject(value['function']) ? value['function'] : value;
  const name = textAt(call, ['name']);
  if (name === undefined) return undefined;
  const input = call['input'] ?? call['arguments'] ?? {};
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { id: textAt(value, ['id', 'call_id']) ?? `${name} ${text}`, name, input: text };
};

/** Every call of a tool once: it is in the body of each later request too. */
const toolCallsOf = (calls: readonly Call[], requests: readonly (CacheRequest | undefined)[]): readonly ToolCall[] => {
  const found = new Map<string, ToolCall>();
  const seen = new Set<string>();
  const add = (call: ToolCall | undefined): void => {
    if (call) found.set(call.id, call);
  };
  calls.forEach((call, index) => {
    for (const { kind, text } of requests[index]?.blocks ?? []) {
      if (!CALLS.has(kind) || seen.has(text)) continue;
      seen.add(text);
      add(toolCall(valueOr(parseJson(text), undefined)));
    }
    const content = call.response?.content;
    for (const block of Array.isArray(content) ? (content as readonly Json[]) : [])
      if (isObject(block) && CALLS.has(textAt(block, ['type']) ?? '')) add(toolCall(block));
  });
  return [...found.values()];
};

/** What a call of a tool did with skills: loaded one, read a file of one. */
const usesOf = ({ name, input }: ToolCall, names: ReadonlySet<string>) => {
  const loaded = LOADS.has(name.toLowerCase())
    ? textAt(valueOr(parseJson(input), undefined), ['name', 'skill', 'skill_name', 'command'])?.replace(/^\//, '')
    : undefined;
  const read = [...input.matchAll(/skills\/((?:[\w.-]+\/){1,6})([\w.-]+\.\w+)/g)].flatMap(
    ([, folders = '', file = '']) => {
      const parts = folders.split('/').filter((part) => part !== '');
      const at = parts.findIndex((part) => names.has(part));
      return at === -1 ? [] : [{ skill: parts[at] ?? '', file: [...parts.slice(at + 1), file].join('/') }];
    },
  );
  return { loaded, read };
};

/** What tokens from one place of a prompt to another were billed as: what is read comes first, then what is written. */
const priceAt = (from: number, to: number, usage: Usage, model: string, options: CostOptions): number | undefined => {
  const rates = ratesOf(model, promptTokens(usage), options);
  if (typeof rates === 'string') return undefined;
  const within = (start: number, end: number): number => Math.max(0, Math.min(to, end) - Math.max(from, start));
  const written = writtenTokens(usage);
  const end = usage.read + written;
  // Of several TTLs the mean: which of them a token was written for is not on the bill.
  const writes = Object.entries(usage.writes).reduce<number | undefined>((sum, [name, tokens]) => {
    const rate = rates.write(name === 'unknown' ? rates.defaultTtl : (name as WriteTtl));
    return sum === undefined || rate === undefined ? undefined : sum + rate * tokens;
  }, 0);
  const inWritten = within(usage.read, end);
  if (inWritten > 0 && writes === undefined) return undefined;
  return (
    within(0, usage.read) * rates.read +
    (written === 0 ? 0 : (inWritten * (writes ?? 0)) / written) +
    within(end, Infinity) * rates.input
  );
};

const requestsOf = (calls: readonly Call[]): readonly (CacheRequest | undefined)[] => {
  let last: CacheRequest | undefined;
  return calls.map((call) => {
    if (call.known === 'absent') return undefined;
    const read: Result<CacheRequest, string> = call.request
      ? ok(call.request())
      : readRequest(call.body, call.wire, last);
    if (!read.ok) return undefined;
    last = read.value;
    return read.value;
  });
};

/** Most expensive first. Empty where no request lists a skill. */
export const skillRents = (calls: readonly Call[], options: RentOptions = {}): readonly SkillRent[] => {
  const count = options.tokens ?? ((text: string) => Math.ceil(text.length / 4));
  const requests = requestsOf(calls);
  const skills = new Map<string, Counted>();
  const listings = new Map<string, ReturnType<typeof listedSkills>>();
  const listingOf = (text: string): ReturnType<typeof listedSkills> => {
    const known = listings.get(text) ?? listedSkills(text);
    listings.set(text, known);
    return known;
  };
  calls.forEach((call, index) => {
    const request = requests[index];
    const texts = request ? blockTexts(request) : [];
    if (!request || !request.blocks.some((block, at) => canList(block) && listingOf(texts[at] ?? '').length > 0))
      return;
    const facts = modelFacts(request.model, options.book);
    const tokens = blockTokens(request, texts.map(count), facts);
    const hidden = toolPromptTokens(request, facts);
    const total = tokens.reduce((sum, own) => sum + own, hidden);
    const { usage } = call;
    const scale = usage && total > 0 && promptTokens(usage) > 0 ? promptTokens(usage) / total : 1;
    let start = hidden;
    const seen = new Set<string>();
    request.blocks.forEach((block, at) => {
      const text = texts[at] ?? '';
      const own = tokens[at] ?? 0;
      if (canList(block))
        for (const entry of listingOf(text)) {
          const place = (offset: number): number => (start + (own * offset) / Math.max(1, text.length)) * scale;
          const [from, to] = [place(entry.start), place(entry.end)];
          const skill = skills.get(entry.name) ?? { requests: 0, listingTokens: 0, tokens: 0, usd: 0, unknown: 0 };
          skills.set(entry.name, skill);
          if (!seen.has(entry.name)) {
            skill.requests++;
            skill.listingTokens = 0;
          }
          seen.add(entry.name);
          skill.listingTokens += to - from;
          skill.tokens += to - from;
          const usd = usage && priceAt(from, to, usage, call.model, options);
          if (usd === undefined) skill.unknown++;
          else skill.usd += usd;
        }
      start += own;
    });
  });
  const names = new Set(skills.keys());
  const loads = new Map<string, number>();
  const files = new Map<string, Set<string>>();
  for (const call of names.size > 0 ? toolCallsOf(calls, requests) : []) {
    const { loaded, read } = usesOf(call, names);
    const bodies = read.flatMap(({ skill, file }) => (/^SKILL\.md$/i.test(file) ? [skill] : []));
    for (const name of [...(loaded === undefined ? [] : [loaded]), ...bodies])
      loads.set(name, (loads.get(name) ?? 0) + 1);
    for (const { skill, file } of read) files.set(skill, (files.get(skill) ?? new Set()).add(file));
  }
  return [...skills]
    .map(([name, { requests: listed, listingTokens, tokens, usd, unknown }]): SkillRent => ({
      name,
      requests: listed,
      listingTokens: Math.round(listingTokens),
      tokens: Math.round(tokens),
      rent: { usd: unknown === 0 ? usd : undefined, known: usd, unknown },
      loads: loads.get(name) ?? 0,
      files: [...(files.get(name) ?? [])].toSorted(),
    }))
    .toSorted((a, b) => b.rent.known - a.rent.known || b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
};
