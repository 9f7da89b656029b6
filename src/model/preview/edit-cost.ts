/** Which cached prefix an edit breaks, and what the next request costs more. The forecast decides, not a rule of thumb. */
import { createCacheModel } from '../cache/engine.ts';
import { createRequestReader, forecastChange, warmed, type ForecastChange } from '../cache/forecast.ts';
import { changeWords } from '../cache/forecast-words.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { Payload } from '../event/types.ts';
import { modelFacts } from '../provider/model-book.ts';
import type { Tokenizer } from '../provider/types.ts';
import { changesSince, type PlanChanges } from '../session/changes.ts';
import { firstRequest, usualBody } from '../session/session-request.ts';
import { planSession, type PlannedSession } from '../session/start.ts';
import type { EditedLibrary } from './edited.ts';

export interface EditCost {
  readonly model: string;
  /** The first part that differs, such as `skill-index` or `preloaded:pdf`; nothing if the bytes stay the same. */
  readonly firstDifference: string | undefined;
  /** The first request of a session with the saved text, and with the edited one. */
  readonly change: ForecastChange;
  /** What that means, in the words of every such warning. */
  readonly answer: string;
  /** One sentence about the reason. */
  readonly note: string;
}

/** Two ways in which a session could start, put to the forecast as if the first had just been answered. */
export type CompareStarts = (
  before: PlannedSession,
  after: PlannedSession,
  settings: SessionSettings,
) => Promise<ForecastChange | undefined>;

type Config = Payload<'session.configured'>;

const configOf = ({ drafts }: PlannedSession): Config | undefined => {
  const draft = drafts.find(({ type }) => type === 'session.configured');
  return draft?.type === 'session.configured' ? draft.payload : undefined;
};

/** Where no session has run: nothing is known of any cache. */
export const compareAlone =
  (tokenizer: Tokenizer, startedAt = 0): CompareStarts =>
  async (before, after, settings) => {
    const reader = createRequestReader(tokenizer);
    const callOf = async (planned: PlannedSession) => {
      const estimated = settings.provider !== 'simulator';
      const body = usualBody(firstRequest(planned, settings, ''), settings);
      return reader.read({ ...body, startedAt, scope: '', estimated });
    };
    const [unchanged, changed] = [await callOf(before), await callOf(after)];
    if (!unchanged.ok || !changed.ok) return undefined;
    return forecastChange(warmed(createCacheModel(), unchanged.value), unchanged.value, changed.value);
  };

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

const sayWhy = ({ firstDifference }: PlanChanges, lost: number, floor: number | undefined, model: string): string => {
  if (!firstDifference) return 'The next request starts with the same bytes.';
  const where = partWords(firstDifference.after ?? firstDifference.before ?? '');
  const differs = `The prompt differs from ${where} on`;
  if (lost > 0) return `${differs}. Everything from there on that is cached is written again.`;
  return floor === undefined
    ? `${differs}. How ${model} caches is unknown.`
    : `${differs}, but nothing is cached up to there: ${model} caches prefixes of ${floor} tokens or more.`;
};

/** `saved` and `edited` are the library before and after. Nothing if the session cannot be put together or counted. */
export const editCost = async (
  saved: EditedLibrary,
  edited: EditedLibrary,
  compare: CompareStarts,
): Promise<EditCost | undefined> => {
  const [before, after] = [planSession(saved.plan), planSession(edited.plan)];
  const config = configOf(before);
  const changes = config && changesSince(config, after);
  const change = config && (await compare(before, after, config.settings));
  if (!config || !changes || !change) return undefined;
  const facts = modelFacts(config.settings.model);
  return {
    model: config.settings.model,
    firstDifference: changes.firstDifference && (changes.firstDifference.after ?? changes.firstDifference.before),
    change,
    answer: changeWords(change, 'The first request of a new session'),
    note: sayWhy(changes, change.lost, change.after.floor ?? facts.floor, facts.label),
  };
};
