/** The rows of one batch: answered one after the other while time passes, and told in another order than they were sent. */
import { sha256 } from '../../../base/hash.ts';
import { isObject, parseJson, type JsonObject } from '../../../base/json.ts';
import { compareCodePoints } from '../../../base/text.ts';

export interface BatchRow {
  readonly customId: string;
  readonly path: string;
  readonly body: string;
  /** Why it is not run at all, in the provider's words. */
  readonly fault?: string;
}

export interface RowAnswer {
  readonly status: number;
  /** Nothing where no whole JSON came. */
  readonly json: JsonObject | undefined;
  readonly requestId: string;
}

export interface RowResult {
  readonly customId: string;
  readonly kind: 'answered' | 'canceled' | 'expired';
  readonly answer?: RowAnswer;
}

export type AnswerRow = (row: BatchRow) => Promise<{ readonly status: number; readonly text: string }>;

export interface BatchClock {
  readonly now: () => number;
  /** How long a batch takes. */
  readonly batchMs: number;
}

export interface BatchWork {
  readonly total: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Runs what is due by now; side by side calls wait for each other. */
  readonly settle: () => Promise<void>;
  /** Rows that are done continue counting; the others are not run. */
  readonly cancel: () => void;
  readonly canceledAt: () => number | undefined;
  readonly endedAt: () => number | undefined;
  readonly isExpired: () => boolean;
  /** Of those that were run. */
  readonly done: () => number;
  /** Once it has ended: in an order of its own. */
  readonly results: () => readonly RowResult[];
}

const DAY_MS = 86_400_000;

export const startWork = (
  id: string,
  given: readonly BatchRow[],
  answer: AnswerRow,
  { now, batchMs }: BatchClock,
): BatchWork => {
  const createdAt = now();
  const expiresAt = createdAt + DAY_MS;
  const total = given.length;
  let rows = given;
  let canceledAt: number | undefined;
  let endedAt: number | undefined;
  const results: RowResult[] = [];
  let settling = Promise.resolve();

  /** When it ends, if nothing else happens. */
  const endsAt = (): number => Math.min(createdAt + batchMs, expiresAt, canceledAt ?? Infinity);

  const due = (): number =>
    batchMs === 0
      ? total
      : Math.min(total, Math.floor((total * Math.max(0, Math.min(now(), endsAt()) - createdAt)) / batchMs));

  const run = async (row: BatchRow): Promise<RowResult> => {
    const { status, text } = await answer(row);
    const json = parseJson(text);
    return {
      customId: row.customId,
      kind: 'answered',
      answer: {
        status,
        json: json.ok && isObject(json.value) ? json.value : undefined,
        requestId: `req_${sha256(`${id} ${row.customId}`).slice(0, 24)}`,
      },
    };
  };

  const settleNow = async (): Promise<void> => {
    if (endedAt !== undefined) return;
    const until = due();
    while (results.length < until) results.push(await run(rows[results.length] as BatchRow));
    if (now() < endsAt()) return;
    endedAt = endsAt();
    const kind = canceledAt !== undefined && canceledAt <= endedAt ? 'canceled' : 'expired';
    for (const { customId } of rows.slice(results.length)) results.push({ customId, kind });
    const place = new Map(results.map(({ customId }) => [customId, sha256(`${id}\n${customId}`)]));
    results.sort((a, b) => compareCodePoints(place.get(a.customId) ?? '', place.get(b.customId) ?? ''));
    rows = [];
  };

  return {
    total,
    createdAt,
    expiresAt,
    settle: () => (settling = settling.then(settleNow)),
    cancel: () => {
      if (endedAt === undefined) canceledAt ??= now();
    },
    canceledAt: () => canceledAt,
    endedAt: () => endedAt,
    isExpired: () => results.some(({ kind }) => kind === 'expired'),
    done: () => results.filter(({ kind }) => kind === 'answered').length,
    results: () => results,
  };
};
