/** Results as lines, so that nothing is lost whenever a run ends. */
import { isObject, parseJson } from '../../../base/json.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { plural } from '../../../base/text.ts';
import { z } from '../../zod.ts';
import { OUTCOMES } from './judge.ts';

const headSchema = z.object({
  format: z.literal('lathe-eval/1'),
  suite: z.string(),
  digest: z.string(),
  provider: z.string(),
  model: z.string(),
  listing: z.string(),
  /** Of the simulator's picks: scale and seed. */
  noise: z.string().optional(),
  /** How many the plan, or its part, has. */
  cases: z.int().min(0).optional(),
  shard: z.object({ index: z.int().min(1), count: z.int().min(1) }).optional(),
});

export const recordSchema = z.object({
  key: z.string(),
  query: z.string(),
  repeat: z.int().min(0),
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
  /** Bytes of whole lines: a cut last line is written over. */
  readonly wholeLength: number;
  readonly unread: number;
}

export const journalLine = (value: JournalHead | CaseRecord): string => `${JSON.stringify(value)}\n`;

const parsed = (line: string): unknown => {
  const json = parseJson(line);
  return json.ok && isObject(json.value) ? json.value : undefined;
};

export const readJournal = (text: string): Result<EvalJournal, string> => {
  const end = text.lastIndexOf('\n') + 1;
  const [first = '', ...lines] = text.slice(0, end).split('\n').slice(0, -1);
  const head = headSchema.safeParse(parsed(first));
  if (!head.success) return err('The file isn’t a journal of `lathe eval`.');
  const records = new Map<string, CaseRecord>();
  let unread = 0;
  for (const line of lines) {
    const record = recordSchema.safeParse(parsed(line));
    if (!record.success) unread++;
    else if (!records.has(record.data.key)) records.set(record.data.key, record.data);
  }
  return ok({ head: head.data, records, wholeLength: end, unread });
};

const planOf = ({ shard: _shard, cases: _cases, ...head }: JournalHead): string => JSON.stringify(head);

/** Whether results of the one can be added to the other. */
export const isSameRun = (a: JournalHead, b: JournalHead): boolean =>
  planOf(a) === planOf(b) && a.shard?.index === b.shard?.index && a.shard?.count === b.shard?.count;

/** The first shard that was stopped before its end. A part that is there twice counts as one. */
const unfinished = (parts: readonly EvalJournal[]): { index: number; cases: number; known: number } | undefined => {
  const shards = new Map<number, { cases: number; known: Set<string> }>();
  for (const { head, records } of parts) {
    const index = head.shard?.index ?? 1;
    const shard = shards.get(index) ?? { cases: 0, known: new Set() };
    for (const key of records.keys()) shard.known.add(key);
    shards.set(index, { cases: Math.max(shard.cases, head.cases ?? 0), known: shard.known });
  }
  for (const [index, { cases, known }] of shards) if (known.size < cases) return { index, cases, known: known.size };
  return undefined;
};

/** The parts of one run (EVR6). `isPartial`: gaps are allowed. */
export const mergeJournals = (parts: readonly EvalJournal[], isPartial: boolean): Result<EvalJournal, string> => {
  const [first] = parts;
  if (!first) return err('Nothing to merge.');
  const other = parts.find(({ head }) => planOf(head) !== planOf(first.head));
  if (other)
    return err(
      `The parts are of different runs: ${first.head.suite} with ${first.head.model} and ${other.head.suite} with ${other.head.model}. Merge only parts of one plan.`,
    );
  const count = first.head.shard?.count ?? 1;
  const strange = parts.find(({ head }) => (head.shard?.count ?? 1) !== count);
  if (strange)
    return err(`The parts were cut in different ways: ${count} and ${strange.head.shard?.count ?? 1} shards.`);
  const found = new Set(parts.map(({ head }) => head.shard?.index ?? 1));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !found.has(index));
  if (missing.length > 0 && !isPartial)
    return err(`Shard ${missing.join(', ')} of ${count} is missing. Use --partial to merge without it.`);
  const open = unfinished(parts);
  if (open && !isPartial)
    return err(
      `Shard ${open.index} of ${count} has ${open.known} of ${plural(open.cases, 'case')}. Run it again to finish it, or use --partial to merge the finished cases.`,
    );
  const records = new Map<string, CaseRecord>();
  for (const part of parts) for (const [key, record] of part.records) if (!records.has(key)) records.set(key, record);
  const { shard: _shard, cases: _cases, ...head } = first.head;
  const planned = new Map(parts.map((part) => [part.head.shard?.index ?? 1, part.head.cases]));
  const cases = [...planned.values()].reduce<number | undefined>(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  );
  return ok({
    head: cases === undefined ? head : { ...head, cases },
    records,
    wholeLength: 0,
    unread: parts.reduce((sum, { unread }) => sum + unread, 0),
  });
};
