/** Which cached prefix an edit breaks, and what the next request costs more. The cache model decides, not a rule of thumb. */
import { codePointLength } from '../../base/text.ts';
import { blockTexts } from '../cache/block-tokens.ts';
import { createCacheModel, type CacheCall } from '../cache/engine.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheRequest, Prediction } from '../cache/types.ts';
import type { Payload } from '../event/types.ts';
import { defaultWire } from '../provider/capabilities.ts';
import { costOf } from '../provider/cost.ts';
import { modelFacts } from '../provider/model-book.ts';
import { toWire } from '../provider/to-wire.ts';
import type { CanonicalRequest } from '../provider/types.ts';
import { changesSince, type FolderChanges } from '../session/changes.ts';
import { planSession, type PlannedSession } from '../session/start.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import type { EditedLibrary } from './edited.ts';

export interface EditCost {
  readonly model: string;
  /** The first part that differs, such as `skill-index` or `preloaded:pdf`; nothing if the bytes stay the same. */
  readonly firstDifference: string | undefined;
  /** Tokens of the next request that are still read from the cache. */
  readonly kept: number;
  /** Tokens that were cached and have to be sent and written again. */
  readonly lost: number;
  /** USD more than the same request had nothing changed; nothing where a price is not known. */
  readonly extraUsd: number | undefined;
  /** One sentence about the reason. */
  readonly note: string;
}

type Config = Payload<'session.configured'>;

const configOf = ({ drafts }: PlannedSession): Config | undefined => {
  const draft = drafts.find(({ type }) => type === 'session.configured');
  return draft?.type === 'session.configured' ? draft.payload : undefined;
};

/** Both requests end with the same words, so that only the prefix can differ. */
const MESSAGE = 'Hello.';
const SECOND = 1000;

const requestOf = ({ prompt, tools }: PlannedSession, { settings }: Config): CanonicalRequest => ({
  model: settings.model,
  tools,
  system: { stable: prompt.text, volatile: '' },
  messages: [{ role: 'user', content: [{ type: 'text', text: MESSAGE }] }],
  maxOutputTokens: settings.max_output_tokens,
  stream: true,
  cache: settings.cache,
  cacheKey: prompt.hash,
});

const callOf = (planned: PlannedSession, config: Config, startedAt: number): CacheCall | undefined => {
  const { provider, model } = config.settings;
  const wire = defaultWire(provider, model);
  const { body } = toWire(requestOf(planned, config), wire, { provider });
  const read = readRequest(JSON.stringify(body), wire);
  if (!read.ok) return undefined;
  return { request: read.value, tokens: estimatesOf(read.value), estimated: true, startedAt, scope: 'preview' };
};

const estimatesOf = (request: CacheRequest): readonly number[] =>
  blockTexts(request).map((text) => estimateTokens(codePointLength(text)));

const priceOf = ({ usage }: Prediction, model: string): number | undefined =>
  costOf({ ...usage, output: 0, cacheReported: true, partial: false }, model).usd;

const PARTS: readonly (readonly [prefix: string, words: string])[] = [
  ['tool:', 'the tools'],
  ['persona', 'the persona'],
  ['instructions', 'the project instructions'],
  ['skill-index', 'the skill index'],
  ['operating-context', 'the operating context'],
];

const partWords = (id: string): string =>
  id.startsWith('preloaded:')
    ? `the preloaded body of ${id.slice('preloaded:'.length)}`
    : (PARTS.find(([prefix]) => id.startsWith(prefix))?.[1] ?? id);

const sayWhy = (changes: FolderChanges, lost: number, floor: number | undefined, model: string): string => {
  const { firstDifference } = changes;
  if (!firstDifference) return 'The next request starts with the same bytes: nothing in the cache is lost.';
  const where = partWords(firstDifference.after ?? firstDifference.before ?? '');
  if (lost > 0) return `The prompt differs from ${where} on. What was cached behind that point is written again.`;
  return floor === undefined
    ? `The prompt differs from ${where} on. How ${model} caches is not known.`
    : `The prompt differs from ${where} on, but so short a prefix is not cached at all: ${model} starts at ${floor} tokens.`;
};

/** `saved` and `edited` are the library before and after. Nothing if the session cannot be put together. */
export const editCost = (saved: EditedLibrary, edited: EditedLibrary): EditCost | undefined => {
  const [before, after] = [planSession(saved.plan), planSession(edited.plan)];
  const [config, next] = [configOf(before), configOf(after)];
  if (!config || !next) return undefined;
  const { model } = config.settings;
  const changes = changesSince(config, after, model);
  const [first, again, changed] = [
    callOf(before, config, 0),
    callOf(before, config, SECOND),
    callOf(after, next, SECOND),
  ];
  if (!changes || !first || !again || !changed) return undefined;
  const cache = createCacheModel();
  cache.send(first).answered(1);
  const [same, now] = [cache.predict(again), cache.predict(changed)];
  const [sameUsd, nowUsd] = [priceOf(same, model), priceOf(now, model)];
  const lost = Math.max(0, same.usage.read - now.usage.read);
  const facts = modelFacts(model);
  return {
    model,
    firstDifference: changes.firstDifference && (changes.firstDifference.after ?? changes.firstDifference.before),
    kept: now.usage.read,
    lost,
    extraUsd: sameUsd === undefined || nowUsd === undefined ? undefined : nowUsd - sameUsd,
    note: sayWhy(changes, lost, now.floor ?? facts.floor, facts.label),
  };
};
