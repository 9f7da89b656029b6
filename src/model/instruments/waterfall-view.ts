/** One row per request, aligned at token 0: what was read, written and paid in full, and where the prefix stopped matching. */
import type { Payload } from '../event/types.ts';
import type { ChainKind } from '../traffic/call.ts';
import { verdictKind, type VerdictKind } from '../event/verdict-kind.ts';
import { promptTokens, writtenTokens, type Usage } from '../provider/types.ts';
import type { SessionState } from '../session/state.ts';
import { isAboutContent } from './verdict-words.ts';
import { requestNumbers } from './request-names.ts';

export interface TokenSplit {
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
}

export type Verdict = Omit<Payload<'cache.explained'>, 'request_id'>;

export interface RowChain {
  readonly id: string;
  readonly kind: ChainKind;
}

export interface WaterfallRow {
  /** Of the request. */
  readonly key: string;
  /** `4`, or `4.1` for the first ask inside of what request 4 began. */
  readonly number: string;
  /** `earlier`: of the previous session, which the first request of this one is compared with. */
  readonly source: 'session' | 'recording' | 'earlier';
  /** 1 inside an `ask`. */
  readonly depth: 0 | 1;
  /** Requests of asks that are shown below this one. */
  readonly nested: number;
  readonly turnId: string | undefined;
  readonly model: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Of its last byte; nothing while it runs, and where nobody wrote it down. */
  readonly endedAt: number | undefined;
  /** The conversation of a recording that it belongs to. */
  readonly chain: RowChain | undefined;
  readonly status: 'running' | 'completed' | 'failed';
  /** Reported; nothing before the answer, or where the provider says nothing of its cache. */
  readonly actual: (TokenSplit & { readonly output: number }) | undefined;
  /** As it was reported. */
  readonly usage: Usage | undefined;
  readonly predicted: TokenSplit | undefined;
  readonly isUncertain: boolean;
  readonly costUsd: number | undefined;
  readonly verdict: Verdict | undefined;
  /** Of the verdict; nothing before there is one. */
  readonly kind: VerdictKind | undefined;
  /** Tokens at which the prefix stopped matching. */
  readonly notch: number | undefined;
  readonly failure: string | undefined;
  /** Of a model's switch, an effort's change and so on: what is different from the previous request. */
  readonly modelChanged: boolean;
}

export const splitOfUsage = (usage: Usage): TokenSplit => ({
  read: usage.read,
  written: writtenTokens(usage),
  uncached: usage.uncached,
});

const splitOfPrediction = ({ read, writes, uncached }: Payload<'cache.predicted'>): TokenSplit => ({
  read,
  written: Object.values(writes).reduce((sum: number, tokens) => sum + (tokens ?? 0), 0),
  uncached,
});

export const splitTotal = ({ read, written, uncached }: TokenSplit): number => read + written + uncached;

export interface WaterfallInput {
  readonly state: SessionState;
  /** Of a request with a verdict: the share of its prompt that is before the first difference, if that is known. */
  readonly shareBefore?: (requestId: string) => number | undefined;
}

/** Where the notch is: at the first difference, or else where reading ended. */
export const notchOf = (
  usage: Usage | undefined,
  verdict: Verdict | undefined,
  share: number | undefined,
): number | undefined => {
  if (!usage || !verdict || verdictKind(verdict) !== 'miss') return undefined;
  return isAboutContent(verdict.cause) && share !== undefined ? Math.round(share * promptTokens(usage)) : usage.read;
};

export const waterfallRows = ({ state, shareBefore }: WaterfallInput): readonly WaterfallRow[] => {
  const numbers = requestNumbers(state.calls);
  let group = -1;
  let lastModel: string | undefined;
  const nested = new Map<number, number>();
  const rows = state.calls.map((call, index): WaterfallRow => {
    const { usage, explained, predicted } = call;
    if (call.isNested) nested.set(group, (nested.get(group) ?? 0) + 1);
    else group = index;
    const modelChanged = lastModel !== undefined && lastModel !== call.model;
    lastModel = call.model;
    return {
      key: call.requestId,
      number: numbers.get(call.requestId) ?? '',
      source: 'session',
      depth: call.isNested ? 1 : 0,
      nested: 0,
      turnId: call.turnId,
      model: call.model,
      startedAt: call.startedAt / 1000,
      endedAt: call.endedAt === undefined ? undefined : call.endedAt / 1000,
      chain: undefined,
      usage,
      status: call.status,
      actual: usage && { ...splitOfUsage(usage), output: usage.output },
      predicted: predicted && splitOfPrediction(predicted),
      isUncertain: predicted?.uncertain ?? false,
      costUsd: call.costUsd,
      verdict: explained,
      kind: explained && verdictKind(explained),
      notch: notchOf(
        usage,
        explained,
        explained?.position && isAboutContent(explained.cause) ? shareBefore?.(call.requestId) : undefined,
      ),
      failure: call.failure?.error_message_redacted,
      modelChanged,
    };
  });
  return rows.map((row, index) => {
    const count = nested.get(index) ?? 0;
    return count === 0 ? row : Object.assign({}, row, { nested: count });
  });
};

/** Money was lost: something was not read that could have been, or a setting would have saved it. */
export const isLoss = ({ kind }: Pick<WaterfallRow, 'kind'>): boolean => kind === 'miss' || kind === 'waste';

/** Space between prompt and output, as a share of the scale. */
export const OUTPUT_GAP = 0.012;

/** How many tokens the whole width stands for. */
export const waterfallScale = (rows: readonly WaterfallRow[]): number => {
  const most = rows.reduce((max, { actual, predicted }) => {
    const prompt = Math.max(actual ? splitTotal(actual) : 0, predicted ? splitTotal(predicted) : 0);
    return Math.max(max, prompt + (actual?.output ?? 0));
  }, 0);
  return most === 0 ? 1 : most / (1 - OUTPUT_GAP);
};

export type WaterfallItem =
  | {
      readonly kind: 'request';
      readonly row: WaterfallRow;
      /** Tokens that this row shares with the nearest one above that has the same prompt: the edge that runs on. */
      readonly bridge: number;
      readonly isFolded: boolean;
    }
  | { readonly kind: 'verdict'; readonly row: WaterfallRow }
  /** Nothing was sent for a while before this row. */
  | { readonly kind: 'pause'; readonly row: WaterfallRow; readonly ms: number }
  /** A conversation begins with this row. */
  | { readonly kind: 'chain'; readonly row: WaterfallRow; readonly chain: ChainSum; readonly isFolded: boolean };

export interface ChainSum extends RowChain {
  readonly name: string;
  readonly model: string;
  readonly requests: number;
  /** Unknown as soon as one of them is. */
  readonly costUsd: number | undefined;
}

/** From here on a pause is shown: an entry of five minutes has lost a fifth of its life. */
const PAUSE_MS = 60_000;

const CHAIN_NAMES: Readonly<Record<ChainKind, string>> = {
  main: 'main',
  'sub-agent': 'sub-agent',
  'nested-ask': 'ask',
  'side-call': 'side call',
  compaction: 'compaction',
};

const coveredBy = (row: WaterfallRow | undefined): number => (row?.actual ? row.actual.read + row.actual.written : 0);

/** Rows of one conversation, in their order: asks of folded requests left out, verdicts below what they are about. */
const itemsOf = (rows: readonly WaterfallRow[], folded: ReadonlySet<string>): readonly WaterfallItem[] => {
  const items: WaterfallItem[] = [];
  const above: [WaterfallRow | undefined, WaterfallRow | undefined] = [undefined, undefined];
  let isHidden = false;
  let busyUntil: number | undefined;
  for (const row of rows) {
    const idle = busyUntil === undefined ? 0 : row.startedAt - busyUntil;
    busyUntil = Math.max(busyUntil ?? 0, row.endedAt ?? row.startedAt);
    if (row.depth === 0) {
      isHidden = folded.has(row.key);
      above[1] = undefined;
    } else if (isHidden) continue;
    const last = above[row.depth];
    const read = row.actual?.read ?? (row.status === 'running' ? (row.predicted?.read ?? 0) : 0);
    const bridge = idle < PAUSE_MS && last?.model === row.model ? Math.min(read, coveredBy(last)) : 0;
    if (idle >= PAUSE_MS) items.push({ kind: 'pause', row, ms: idle });
    items.push({ kind: 'request', row, bridge, isFolded: isHidden && row.depth === 0 && row.nested > 0 });
    if (isLoss(row)) items.push({ kind: 'verdict', row });
    above[row.depth] = row;
  }
  return items;
};

const sumOf = (chain: RowChain, name: string, rows: readonly WaterfallRow[]): ChainSum => ({
  ...chain,
  name,
  model: [...new Set(rows.map(({ model }) => model))].join(', '),
  requests: rows.length,
  costUsd: rows.reduce<number | undefined>(
    (sum, { costUsd }) => (sum === undefined || costUsd === undefined ? undefined : sum + costUsd),
    0,
  ),
});

/** Rows as they are drawn. Conversations that a recording mixes are drawn one below the other, each under its name. */
export const waterfallItems = (
  rows: readonly WaterfallRow[],
  folded: ReadonlySet<string>,
): readonly WaterfallItem[] => {
  const chains = new Map<string, { readonly chain: RowChain; readonly rows: WaterfallRow[] }>();
  for (const row of rows) {
    if (!row.chain) return itemsOf(rows, folded);
    const known = chains.get(row.chain.id);
    if (known) known.rows.push(row);
    else chains.set(row.chain.id, { chain: row.chain, rows: [row] });
  }
  if (chains.size < 2) return itemsOf(rows, folded);
  const counts = new Map<ChainKind, number>();
  const items: WaterfallItem[] = [];
  for (const { chain, rows: own } of chains.values()) {
    const [row] = own;
    if (!row) continue;
    const number = (counts.get(chain.kind) ?? 0) + 1;
    counts.set(chain.kind, number);
    const isFolded = folded.has(chain.id);
    const name = `${CHAIN_NAMES[chain.kind]}${number === 1 ? '' : ` ${number}`}`;
    items.push({ kind: 'chain', row, chain: sumOf(chain, name, own), isFolded });
    if (!isFolded) for (const item of itemsOf(own, folded)) items.push(item);
  }
  return items;
};

/** A row of the previous session, as the one that a new session’s first request is compared with. */
export const earlierRow = (row: WaterfallRow): WaterfallRow => ({
  ...row,
  number: 'the last session',
  source: 'earlier',
  depth: 0,
  nested: 0,
  turnId: undefined,
  verdict: undefined,
  kind: undefined,
  notch: undefined,
});

/** Tokens that were written though the cache had them: the part of the bill that a repair takes away. */
export const wastedWrite = ({ kind, actual, verdict }: Pick<WaterfallRow, 'kind' | 'actual' | 'verdict'>): number =>
  kind === 'miss' && actual && verdict ? Math.min(actual.written, verdict.lost_tokens) : 0;

/** A recording is opened because something was missed: its first miss, else what it wasted, else its last request. */
export const firstToLookAt = (rows: readonly WaterfallRow[]): WaterfallRow | undefined =>
  rows.find(({ kind }) => kind === 'miss') ?? rows.find(isLoss) ?? rows.at(-1);
