/** Results as lines, so that nothing is lost whenever a run ends, and none but the line in hand has to be held. */
import { isObject, parseJson } from '../../../base/json.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { z } from '../../zod.ts';
import { OUTCOMES } from './judge.ts';

/** More than a suite can ask for. */
const MOST_REPEATS = 100_000;

const headSchema = z.object({
  format: z.literal('lathe-eval/1'),
  suite: z.string(),
  digest: z.string(),
  provider: z.string(),
  model: z.string(),
  listing: z.string(),
  /** Of the simulator's picks: scale and seed. */
  noise: z.string().optional(),
  /** Address and wire of a server that is not the provider's own. */
  server: z.string().optional(),
  /** How many the plan, or its part, has. */
  cases: z.int().min(0).optional(),
  shard: z.object({ index: z.int().min(1), count: z.int().min(1) }).optional(),
});

export const recordSchema = z.object({
  key: z.string(),
  query: z.string(),
  repeat: z.int().min(0).max(MOST_REPEATS),
  outcome: z.enum(OUTCOMES),
  loaded: z.array(z.string()),
  invented: z.array(z.string()),
  turns: z.int().min(0),
  /** Null where a price or a usage is unknown. */
  usd: z.number().nullable(),
  text: z.string(),
  /** What the model said and called, in short. */
  said: z.array(z.string()).optional(),
  error: z.string().optional(),
});

export type JournalHead = z.infer<typeof headSchema>;
export type CaseRecord = z.infer<typeof recordSchema>;

export interface EvalJournal {
  readonly head: JournalHead;
  /** By key: of two lines for one case the first counts. */
  readonly records: ReadonlyMap<string, CaseRecord>;
  readonly unread: number;
}

export const journalLine = (value: JournalHead | CaseRecord): string => `${JSON.stringify(value)}\n`;

const parsed = (line: string): unknown => {
  const json = parseJson(line);
  return json.ok && isObject(json.value) ? json.value : undefined;
};

/** The first line of a journal. */
export const readHead = (line: string): Result<JournalHead, string> => {
  const head = headSchema.safeParse(parsed(line));
  return head.success ? ok(head.data) : err('The file isn’t a journal of `lathe eval`.');
};

/** Any other line; nothing where it cannot be read. */
export const readRecord = (line: string): CaseRecord | undefined => {
  const record = recordSchema.safeParse(parsed(line));
  return record.success ? record.data : undefined;
};

export const readJournal = (text: string): Result<EvalJournal, string> => {
  const end = text.lastIndexOf('\n') + 1;
  const [first = '', ...lines] = text.slice(0, end).split('\n').slice(0, -1);
  const head = readHead(first);
  if (!head.ok) return head;
  const records = new Map<string, CaseRecord>();
  let unread = 0;
  for (const line of lines) {
    const record = readRecord(line);
    if (!record) unread++;
    else if (!records.has(record.key)) records.set(record.key, record);
  }
  return ok({ head: head.value, records, unread });
};

/** What has to be the same of all parts of a run. */
export const planOf = ({ shard: _shard, cases: _cases, ...head }: JournalHead): string => JSON.stringify(head);

/** Whether results of the one can be added to the other. */
export const isSameRun = (a: JournalHead, b: JournalHead): boolean =>
  planOf(a) === planOf(b) && a.shard?.index === b.shard?.index && a.shard?.count === b.shard?.count;
