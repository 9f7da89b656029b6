/**
 * What is known of models: floors, prices, tokens. Providers tell neither floors nor prices, so this table is ours and dated;
 * functions take another as an argument. What is not known is absent, and anyone who shows a number says so.
 */

/** USD per million tokens. */
export interface PriceCard {
  readonly input: number;
  readonly output: number;
  /** Times `input`. */
  readonly readMultiplier: number;
  readonly writeMultipliers: {
    readonly '5m'?: number;
    readonly '1h'?: number;
    readonly '30m'?: number;
    readonly '12h'?: number;
  };
}

export interface ModelFacts {
  readonly id: string;
  readonly label: string;
  readonly family: 'anthropic' | 'openai' | 'unknown';
  /** How its cache matches; `unknown` where nothing is known of it. */
  readonly caching: 'anthropic' | 'openai-breakpoints' | 'openai-prefix' | 'unknown';
  /** Fewest tokens of a prefix that is cached. */
  readonly floor?: number;
  /** What measurements elsewhere say against the documented floor. */
  readonly observedFloor?: number;
  readonly price?: PriceCard;
  /** The whole request costs this when its prompt has more tokens than `above`. */
  readonly longPrice?: { readonly above: number; readonly card: PriceCard };
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly defaultEffort?: 'low' | 'medium' | 'high';
  /** Tokens ≈ o200k × this. */
  readonly tokenFactor: number;
  /** Hidden tokens that the provider adds when there are tools. */
  readonly toolPromptTokens?: { readonly auto: number; readonly forced: number };
  /** Older models forget earlier thinking when a person speaks again. */
  readonly keepsThinking: 'all' | 'last-turn' | 'none';
  /** The provider's own cache diagnosis. */
  readonly hasDiagnostics: boolean;
  readonly thinking: 'none' | 'budget' | 'adaptive' | 'always' | 'unknown';
  /** The date on which it stops being served. */
  readonly endOfLife?: string;
}

/** Of the table below; goes into every cost that is computed from it. */
export const PRICE_BOOK_VERSION = '2026-11-15';

const anthropicPrice = (input: number, output: number, readMultiplier = 0.1): PriceCard => ({
  input,
  output,
  readMultiplier,
  writeMultipliers: { '5m': 1.25, '1h': 2 },
});

const openaiPrice = (input: number, output: number, readMultiplier = 0.1): PriceCard => ({
  input,
  output,
  readMultiplier,
  // The price of 12h writes is not published.
  writeMultipliers: { '30m': 1.25 },
});

/** Since 4.7 a string has about 30% more tokens than before. */
const OLD_TOKENS = 1.05;
const NEW_TOKENS = 1.35;

const anthropic = (
  id: string,
  label: string,
  facts: Omit<
    ModelFacts,
    'id' | 'label' | 'family' | 'caching' | 'keepsThinking' | 'hasDiagnostics' | 'tokenFactor' | 'thinking'
  > &
    Partial<Pick<ModelFacts, 'keepsThinking' | 'tokenFactor' | 'thinking'>>,
): ModelFacts => ({
  id,
  label,
  family: 'anthropic',
  caching: 'anthropic',
  keepsThinking: 'all',
  hasDiagnostics: true,
  tokenFactor: NEW_TOKENS,
  thinking: 'adaptive',
  ...facts,
});

const openai = (id: string, label: string, facts: Partial<ModelFacts>): ModelFacts => ({
  id,
  label,
  family: 'openai',
  caching: 'openai-breakpoints',
  floor: 1024,
  keepsThinking: 'all',
  hasDiagnostics: true,
  tokenFactor: 1,
  thinking: 'adaptive',
  contextWindow: 1_050_000,
  ...facts,
});

const LONG = { contextWindow: 1_000_000, maxOutputTokens: 128_000 };
const overLong = (input: number, output: number, readMultiplier = 0.1) => ({
  longPrice: { above: 272_000, card: openaiPrice(input * 2, output * 1.5, readMultiplier) },
});

const MODELS: readonly ModelFacts[] = [
  // Only the names of these two are known.
  anthropic('claude-fable-5-2', 'Claude Fable 5.2', {}),
  anthropic('claude-mythos-5-2', 'Claude Mythos 5.2', {}),
  anthropic('claude-fable-5-1', 'Claude Fable 5.1', {
    floor: 512,
    price: anthropicPrice(10, 50, 0.025),
    ...LONG,
    defaultEffort: 'high',
    thinking: 'always',
  }),
  anthropic('claude-mythos-5-1', 'Claude Mythos 5.1', {
    floor: 512,
    price: anthropicPrice(10, 50, 0.025),
    ...LONG,
    defaultEffort: 'high',
    thinking: 'always',
  }),
  anthropic('claude-fable-5', 'Claude Fable 5', { floor: 512, price: anthropicPrice(10, 50), ...LONG }),
  anthropic('claude-mythos-5', 'Claude Mythos 5', { floor: 512, price: anthropicPrice(10, 50), ...LONG }),
  anthropic('claude-opus-5-5', 'Claude Opus 5.5', {
    floor: 512,
    price: anthropicPrice(4, 20, 0.05),
    ...LONG,
    defaultEffort: 'medium',
    thinking: 'always',
  }),
  anthropic('claude-opus-5', 'Claude Opus 5', {
    floor: 512,
    price: anthropicPrice(5, 25),
    ...LONG,
    defaultEffort: 'high',
    toolPromptTokens: { auto: 286, forced: 406 },
  }),
  anthropic('claude-opus-4-8', 'Claude Opus 4.8', {
    floor: 1024,
    price: anthropicPrice(5, 25),
    ...LONG,
    defaultEffort: 'high',
    toolPromptTokens: { auto: 290, forced: 410 },
  }),
  anthropic('claude-opus-4-7', 'Claude Opus 4.7', {
    floor: 2048,
    price: anthropicPrice(5, 25),
    contextWindow: 1_000_000,
    defaultEffort: 'high',
    toolPromptTokens: { auto: 675, forced: 804 },
  }),
  anthropic('claude-opus-4-6', 'Claude Opus 4.6', {
    floor: 4096,
    price: anthropicPrice(5, 25),
    contextWindow: 1_000_000,
    defaultEffort: 'high',
    toolPromptTokens: { auto: 497, forced: 589 },
    tokenFactor: OLD_TOKENS,
  }),
  anthropic('claude-opus-4-5', 'Claude Opus 4.5', {
    floor: 4096,
    price: anthropicPrice(5, 25),
    defaultEffort: 'high',
    toolPromptTokens: { auto: 496, forced: 588 },
    tokenFactor: OLD_TOKENS,
    thinking: 'budget',
  }),
  anthropic('claude-mythos-preview', 'Claude Mythos Preview', { floor: 2048 }),
  anthropic('claude-sonnet-5-5', 'Claude Sonnet 5.5', {
    floor: 512,
    price: anthropicPrice(2, 10, 0.05),
    ...LONG,
    defaultEffort: 'high',
  }),
  anthropic('claude-sonnet-5', 'Claude Sonnet 5', {
    floor: 1024,
    price: anthropicPrice(2, 10),
    ...LONG,
    defaultEffort: 'high',
    toolPromptTokens: { auto: 354, forced: 474 },
  }),
  anthropic('claude-sonnet-4-6', 'Claude Sonnet 4.6', {
    floor: 1024,
    observedFloor: 2048,
    price: anthropicPrice(3, 15),
    contextWindow: 1_000_000,
    defaultEffort: 'high',
    toolPromptTokens: { auto: 497, forced: 589 },
    tokenFactor: OLD_TOKENS,
  }),
  anthropic('claude-sonnet-4-5', 'Claude Sonnet 4.5', {
    floor: 1024,
    price: anthropicPrice(3, 15),
    contextWindow: 200_000,
    toolPromptTokens: { auto: 496, forced: 588 },
    tokenFactor: OLD_TOKENS,
    keepsThinking: 'last-turn',
    thinking: 'budget',
    endOfLife: '2026-11-30',
  }),
  anthropic('claude-haiku-5-5', 'Claude Haiku 5.5', {
    floor: 512,
    price: anthropicPrice(0.1, 0.5),
    longPrice: { above: 100_000, card: anthropicPrice(0.5, 2.5) },
    ...LONG,
    defaultEffort: 'medium',
  }),
  anthropic('claude-haiku-4-5', 'Claude Haiku 4.5', {
    floor: 4096,
    price: anthropicPrice(1, 5),
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    toolPromptTokens: { auto: 496, forced: 588 },
    tokenFactor: OLD_TOKENS,
    keepsThinking: 'last-turn',
    thinking: 'budget',
  }),
  openai('gpt-6.1-sol', 'GPT-6.1 Sol', { price: openaiPrice(2, 10, 0.05), ...overLong(2, 10, 0.05) }),
  openai('gpt-6-astra', 'GPT-6 Astra', { price: openaiPrice(10, 50), ...overLong(10, 50) }),
  openai('gpt-6-sol', 'GPT-6 Sol', { price: openaiPrice(2, 10), ...overLong(2, 10) }),
  openai('gpt-6-luna', 'GPT-6 Luna', { price: openaiPrice(0.1, 0.5), ...overLong(0.1, 0.5) }),
  openai('gpt-5.6-sol', 'GPT-5.6 Sol', {}),
  openai('gpt-5.6-terra', 'GPT-5.6 Terra', {}),
  openai('gpt-5.6-luna', 'GPT-5.6 Luna', {}),
];

export type ModelBook = ReadonlyMap<string, ModelFacts>;

export const MODEL_BOOK: ModelBook = new Map(MODELS.map((facts) => [facts.id, facts]));

/** `claude-haiku-4-5-20251001` is `claude-haiku-4-5`, and so with OpenAI's `-2026-10-01`; `anthropic/claude-…` of a router is the model itself. */
const plainId = (id: string): string =>
  id
    .replace(/^[a-z-]+\//, '')
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
    .replace(/-latest$/, '');

/** Claude 3 to Opus 4.1: older than the book. Their floors are documented, 2,048 for Haiku and 1,024 for the others. */
const OLD_CLAUDE = /^claude-(?:3|(?:opus|sonnet)-4(?:-[01])?$)/;
const NEW_OPENAI = /^gpt-(?:5\.[6-9]|[6-9])/;
const OLD_OPENAI = /^(?:gpt-|o\d|chatgpt-|codex-|computer-use-)/;

/** Of any model. One that is not in the book has only what its name tells. */
export const modelFacts = (id: string, book: ModelBook = MODEL_BOOK): ModelFacts => {
  const exact = book.get(id);
  if (exact) return exact;
  const plain = plainId(id);
  const known = book.get(plain) ?? book.get(plain.replace(/(\d)\.(\d)/, '$1-$2'));
  if (known) return known;
  const unknown = { id, label: id, keepsThinking: 'all', hasDiagnostics: false, thinking: 'unknown' } as const;
  if (plain.startsWith('claude-')) {
    const floor = /haiku/.test(plain) ? 2048 : 1024;
    const isOld = OLD_CLAUDE.test(plain);
    return {
      ...unknown,
      family: 'anthropic',
      caching: 'anthropic',
      tokenFactor: isOld ? OLD_TOKENS : NEW_TOKENS,
      ...(isOld && { floor }),
      hasDiagnostics: true,
    };
  }
  if (NEW_OPENAI.test(plain))
    return {
      ...unknown,
      family: 'openai',
      caching: 'openai-breakpoints',
      tokenFactor: 1,
      floor: 1024,
      hasDiagnostics: true,
    };
  if (OLD_OPENAI.test(plain))
    return { ...unknown, family: 'openai', caching: 'openai-prefix', tokenFactor: 1, floor: 1024 };
  return { ...unknown, family: 'unknown', caching: 'unknown', tokenFactor: 1 };
};
