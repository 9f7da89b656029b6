/** The parts of one run, put together without holding them. */
import { err, ok, type Result } from '../../../base/result.ts';
import { plural } from '../../../base/text.ts';
import { planOf, type CaseRecord, type JournalHead } from './journal.ts';
import { createTally, type RunTally } from './tally.ts';

/** One file of a run; its results are read when they are asked for. */
export interface JournalPart {
  readonly head: JournalHead;
  readonly records: Iterable<CaseRecord>;
}

export interface MergedRun {
  readonly head: JournalHead;
  readonly tally: RunTally;
}

const indexOf = ({ shard }: JournalHead): number => shard?.index ?? 1;

/** Why these heads are not parts of one run. */
const mergeObjection = (heads: readonly JournalHead[], isPartial: boolean): string | undefined => {
  const [first] = heads;
  if (!first) return 'Nothing to merge.';
  const other = heads.find((head) => planOf(head) !== planOf(first));
  if (other)
    return `The parts are of different runs: ${first.suite} with ${first.model} and ${other.suite} with ${other.model}. Merge only parts of one plan.`;
  const count = first.shard?.count ?? 1;
  const strange = heads.find(({ shard }) => (shard?.count ?? 1) !== count);
  if (strange) return `The parts were cut in different ways: ${count} and ${strange.shard?.count ?? 1} shards.`;
  const found = new Set(heads.map(indexOf));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !found.has(index));
  return missing.length > 0 && !isPartial
    ? `Shard ${missing.join(', ')} of ${count} is missing. Use --partial to merge without it.`
    : undefined;
};

/** The parts of one run (EVR6). A part that is there twice counts as one. `isPartial`: gaps are allowed. */
export const mergeJournals = (parts: readonly JournalPart[], isPartial: boolean): Result<MergedRun, string> => {
  const heads = parts.map(({ head }) => head);
  const [first] = heads;
  const objection = mergeObjection(heads, isPartial);
  if (objection !== undefined || !first) return err(objection ?? 'Nothing to merge.');
  const tally = createTally();
  const shards = new Map<number, { planned: number | undefined; known: number }>();
  for (const { head, records } of parts) {
    const index = indexOf(head);
    const shard = shards.get(index) ?? { planned: head.cases, known: 0 };
    shards.set(index, shard);
    if (head.cases !== undefined) shard.planned = Math.max(shard.planned ?? 0, head.cases);
    for (const record of records) if (tally.add(record)) shard.known++;
  }
  const open = [...shards].find(([, { planned = 0, known }]) => known < planned);
  if (open && !isPartial) {
    const [index, { planned = 0, known }] = open;
    return err(
      `Shard ${index} of ${first.shard?.count ?? 1} has ${known} of ${plural(planned, 'case')}. Run it again to finish it, or use --partial to merge the finished cases.`,
    );
  }
  const { shard: _shard, cases: _cases, ...head } = first;
  const cases = [...shards.values()].reduce<number | undefined>(
    (sum, { planned }) => (sum === undefined || planned === undefined ? undefined : sum + planned),
    0,
  );
  return ok({ head: cases === undefined ? head : { ...head, cases }, tally });
};
