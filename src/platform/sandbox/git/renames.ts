/** Which of the removed files is which of the added ones, found in git's order: the same content, the same name, the most alike. */
import { baseName } from '../../../base/paths.ts';
import { isTooDifferent, piecesOf, similarityOf, WHOLE, type Pieces } from '../../../model/sandbox/similarity.ts';
import type { Change, Contents } from './changes.ts';

const HALF = WHOLE / 2;
/** More pairs than this are not compared. */
const MOST_PAIRS = 1_000_000;
/** Candidates that are kept for one added file. */
const MOST_CANDIDATES = 4;
const REGULAR = 0o100000;

const isRegular = (mode: number | undefined): boolean => mode !== undefined && (mode & 0o170000) === REGULAR;

const onlyOnes = (changes: readonly Change[]): ReadonlyMap<string, Change> => {
  const found = new Map<string, Change | undefined>();
  for (const change of changes) found.set(baseName(change.path), found.has(baseName(change.path)) ? undefined : change);
  return new Map([...found].flatMap(([name, change]) => (change ? [[name, change] as const] : [])));
};

interface Candidate {
  readonly source: Change;
  readonly target: Change;
  readonly score: number;
  readonly isNamesake: boolean;
}

export const findRenames = async (
  changes: readonly Change[],
  contents: Contents,
  least = HALF,
): Promise<readonly Change[]> => {
  const sources = changes.filter(({ status }) => status === 'D');
  const targets = changes.filter(({ status }) => status === 'A');
  if (sources.length === 0 || targets.length === 0) return changes;
  const moved = new Map<Change, { readonly source: Change; readonly score: number }>();
  const used = new Set<Change>();
  const record = (source: Change, target: Change, score: number): void => {
    moved.set(target, { source, score });
    used.add(source);
  };

  for (const target of targets) {
    const same = sources.filter((one) => !used.has(one) && one.before?.oid === target.after?.oid);
    const source = same.find(({ path }) => baseName(path) === baseName(target.path)) ?? same[0];
    if (source && isRegular(source.before?.mode) === isRegular(target.after?.mode)) record(source, target, WHOLE);
  }

  if (least < WHOLE) {
    const read = new Map<Change, { readonly pieces: Pieces; readonly size: number }>();
    const readOnce = async (change: Change): Promise<{ readonly pieces: Pieces; readonly size: number }> => {
      const known = read.get(change);
      if (known) return known;
      const bytes = await (change.status === 'D' ? contents.before(change) : contents.after(change));
      const made = { pieces: piecesOf(bytes), size: bytes.length };
      read.set(change, made);
      return made;
    };
    const compare = async (source: Change, target: Change): Promise<number> => {
      if (!isRegular(source.before?.mode) || !isRegular(target.after?.mode)) return 0;
      const [one, another] = [await readOnce(source), await readOnce(target)];
      if (isTooDifferent(one.size, another.size, least)) return 0;
      return similarityOf(one.pieces, another.pieces, [one.size, another.size]);
    };
    const openSources = (): readonly Change[] => sources.filter((one) => !used.has(one));
    const openTargets = (): readonly Change[] => targets.filter((one) => !moved.has(one));

    if (openSources().length * openTargets().length <= MOST_PAIRS) {
      // A namesake has to be less alike than a stranger would have to be sure, and is asked first.
      const namesakes = onlyOnes(openTargets());
      for (const [name, source] of onlyOnes(openSources())) {
        const target = namesakes.get(name);
        const score = target ? await compare(source, target) : 0;
        if (target && score >= least + Math.floor((WHOLE - least) / 2)) record(source, target, score);
      }
      const all: Candidate[] = [];
      const left = openSources();
      for (const target of openTargets()) {
        const best: Candidate[] = [];
        for (const source of left) {
          const score = await compare(source, target);
          if (score < least) continue;
          best.push({ source, target, score, isNamesake: baseName(source.path) === baseName(target.path) });
          best.sort((a, b) => b.score - a.score || Number(b.isNamesake) - Number(a.isNamesake));
          best.splice(MOST_CANDIDATES);
        }
        all.push(...best);
      }
      for (const { source, target, score } of all.toSorted(
        (a, b) => b.score - a.score || Number(b.isNamesake) - Number(a.isNamesake),
      ))
        if (!moved.has(target) && !used.has(source)) record(source, target, score);
    }
  }

  return changes.flatMap((change): Change[] => {
    if (used.has(change)) return [];
    const found = moved.get(change);
    if (!found) return [change];
    const { path, after } = change;
    const similarity = Math.floor((found.score * 100) / WHOLE);
    return [{ status: 'R', path, from: found.source.path, similarity, before: found.source.before, after }];
  });
};
