/** The lists of models of both providers. */
import { MODEL_BOOK, modelFacts, type ModelBook, type ModelFacts } from '../provider/model-book.ts';

/** The day that the book is of: a day of its own for every model is not known. */
const CREATED = '2026-11-15T00:00:00Z';
const CREATED_SECONDS = Date.parse(CREATED) / 1000;

/** Served, and nothing but the name is known. */
const ONLY_NAMED = new Set(
  (
    'gpt-5.6 gpt-5.6-cyber gpt-6-cyber gpt-6.1-terra gpt-audio gpt-audio-mini gpt-daybreak-blue gpt-daybreak-red ' +
    'gpt-rosalind-research gpt-6-rosalind computer-use-preview'
  ).split(' '),
);

/** Served once, or still, and not in the book: clients have them as defaults. */
const OLDER_CLAUDE =
  /^claude-(?:(?:opus|sonnet)-4(?:-[01])?|3-(?:opus|sonnet|haiku)|3-5-(?:sonnet|haiku)|3-7-sonnet)(?:-\d{8}|-latest)?$/;
const OLDER_OPENAI = new RegExp(
  '^(?:(?:gpt-(?:3\\.5|4|4o|4\\.1|4\\.5|5|5\\.[1-5])|o[134])' +
    '(?:-(?:turbo|mini|nano|pro|codex|max|chat|latest|preview|audio|search|deep|research|16k|32k|vision|\\d{4}))*' +
    '(?:-\\d{4}(?:-\\d{2}-\\d{2})?)?|gpt-oss-\\d+b|chatgpt-4o-latest|codex-mini-latest)$',
);

const SNAPSHOT = /^(.+)-(\d{4})-?(\d{2})-?(\d{2})$/;

/** A day that no calendar has is a mistake. Which days have a snapshot is not known for every model. */
const withoutDay = (id: string): string => {
  const [, name = id, year, month, day] = SNAPSHOT.exec(id) ?? [];
  if (year === undefined) return id;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day) ? id : name;
};

/** A misspelled name is none. Routers put the maker before the name, and write versions with a dot. */
export const isServed = (id: string, facts: ModelFacts, book: ModelBook = MODEL_BOOK): boolean => {
  const plain = withoutDay(id.replace(/^[a-z-]+\//, ''));
  const isRouted = plain !== withoutDay(id);
  return (
    (isRouted ? book.has(facts.id) : book.has(plain)) ||
    ONLY_NAMED.has(plain.replace(/-latest$/, '')) ||
    OLDER_CLAUDE.test(plain) ||
    OLDER_OPENAI.test(plain)
  );
};

const supported = (value: boolean) => ({ supported: value });

const anthropicModel = (facts: ModelFacts) => {
  const { thinking } = facts;
  const hasEffort = facts.defaultEffort !== undefined;
  return {
    type: 'model',
    id: facts.id,
    display_name: facts.label,
    created_at: CREATED,
    deprecated_at: null,
    retires_at: facts.endOfLife === undefined ? null : `${facts.endOfLife}T00:00:00Z`,
    lifecycle: facts.endOfLife === undefined ? 'active' : 'deprecated',
    line: /^claude-(haiku|sonnet|opus|fable|mythos)/.exec(facts.id)?.[1] ?? null,
    max_input_tokens: facts.contextWindow ?? null,
    max_tokens: facts.maxOutputTokens ?? null,
    capabilities: {
      batch: supported(true),
      citations: supported(false),
      code_execution: supported(false),
      context_management: {
        supported: false,
        clear_thinking_20251015: null,
        clear_tool_uses_20250919: null,
        compact_20260112: null,
      },
      effort: {
        supported: hasEffort,
        low: supported(hasEffort),
        medium: supported(hasEffort),
        high: supported(hasEffort),
        max: supported(hasEffort),
        xhigh: null,
      },
      image_input: supported(true),
      pdf_input: supported(false),
      server_tools: { supported: false, code_execution: supported(false), web_search: supported(false) },
      structured_outputs: supported(false),
      thinking: {
        supported: thinking !== 'none',
        types: {
          adaptive: supported(thinking === 'adaptive' || thinking === 'always'),
          between_tools: supported(thinking === 'adaptive'),
          disabled: supported(thinking !== 'always'),
          enabled: supported(thinking === 'budget'),
        },
      },
    },
  };
};

const openaiModel = (facts: ModelFacts) => ({
  id: facts.id,
  object: 'model',
  created: CREATED_SECONDS,
  owned_by: 'lathe-simulator',
});

const family = (book: ModelBook, name: ModelFacts['family']): readonly ModelFacts[] =>
  [...book.values()].filter((facts) => facts.family === name);

/** What a list of Anthropic's gives by itself, and at most. */
const PAGE = 20;
const MOST_PER_PAGE = 1000;

/** Which page of a list: the query of its address. */
interface PageQuery {
  readonly limit?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** As it is where it is not encoded properly. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const pageOf = (path: string): PageQuery => {
  const query = new Map(
    (path.split('?')[1] ?? '').split('&').map((pair): [string, string] => {
      const [key = '', value = ''] = pair.split('=');
      return [key, decoded(value)];
    }),
  );
  return { limit: query.get('limit'), after: query.get('after_id'), before: query.get('before_id') };
};

/** Undefined for a limit that does not exist. */
export const anthropicModels = ({ limit, after, before }: PageQuery, book: ModelBook = MODEL_BOOK) => {
  const size = limit === undefined ? PAGE : Number(limit);
  if (!Number.isInteger(size) || size < 1 || size > MOST_PER_PAGE) return undefined;
  const all = family(book, 'anthropic').map(anthropicModel);
  const indexOf = (id: string | undefined): number => (id === undefined ? -1 : all.findIndex((one) => one.id === id));
  const end = indexOf(before) === -1 ? all.length : indexOf(before);
  const start = before === undefined ? indexOf(after) + 1 : Math.max(0, end - size);
  const data = all.slice(start, Math.min(end, start + size));
  const hasMore = before === undefined ? start + size < all.length : start > 0;
  return { data, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
};

export const openaiModels = (book: ModelBook = MODEL_BOOK) => ({
  object: 'list',
  data: family(book, 'openai').map(openaiModel),
});

/** Undefined for a model that the provider does not serve. */
export const oneModel = (
  id: string,
  provider: 'anthropic' | 'openai',
  book: ModelBook = MODEL_BOOK,
): object | undefined => {
  const facts = modelFacts(id, book);
  if (facts.family !== provider || !isServed(id, facts, book)) return undefined;
  return provider === 'anthropic' ? anthropicModel({ ...facts, id }) : openaiModel({ ...facts, id });
};
