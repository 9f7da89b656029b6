/**
 * Merges two texts that grew out of one, by lines, as `git merge-file` does: changes that do not touch are both taken, the same
 * change on both sides is taken once, everything else is a conflict between markers. SPEC.md MG.
 */
import { diffLines, type LineChange } from './line-diff.ts';

export interface MergeInput {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** What the sides are called in the markers. */
  readonly labels?: { readonly mine: string; readonly theirs: string };
}

export interface Merged {
  readonly text: string;
  /** How many places need a decision; with none, `text` is ready. */
  readonly conflicts: number;
}

/** Each with its line ending; only the last may lack one. A CR belongs to its line. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

type Side = 'mine' | 'theirs' | 'conflict' | 'same';

/** Lines of my text that are replaced: by themselves, by theirs, or by both with markers. */
interface Hunk {
  side: Side;
  mine: number;
  mineCount: number;
  theirs: number;
  theirsCount: number;
}

const addHunk = (hunks: Hunk[], added: Hunk): void => {
  const last = hunks.at(-1);
  const touches = last && (added.mine <= last.mine + last.mineCount || added.theirs <= last.theirs + last.theirsCount);
  if (!last || !touches) {
    hunks.push(added);
    return;
  }
  if (last.side !== added.side) last.side = 'conflict';
  last.mineCount = added.mine + added.mineCount - last.mine;
  last.theirsCount = added.theirs + added.theirsCount - last.theirs;
};

const isSameChange = (a: LineChange, b: LineChange, mine: readonly string[], theirs: readonly string[]): boolean => {
  if (a.start !== b.start || a.count !== b.count || a.newCount !== b.newCount) return false;
  for (let line = 0; line < a.newCount; line++) {
    if (mine[a.newStart + line] !== theirs[b.newStart + line]) return false;
  }
  return true;
};

/** Both changes as one hunk over the lines of the base that either touches. */
const overlap = (a: LineChange, b: LineChange): Hunk => {
  const before = a.start - b.start;
  const after = before + a.count - b.count;
  const mine = a.newStart - Math.max(0, before);
  const theirs = b.newStart + Math.min(0, before);
  return {
    side: 'conflict',
    mine,
    mineCount: a.newStart + a.newCount - mine - Math.min(0, after),
    theirs,
    theirsCount: b.newStart + b.newCount - theirs + Math.max(0, after),
  };
};

const findHunks = (base: readonly string[], mine: readonly string[], theirs: readonly string[]): Hunk[] => {
  const [mineChanges, theirChanges] = [diffLines(base, mine), diffLines(base, theirs)];
  const hunks: Hunk[] = [];
  /** How far the lines of a side have moved against the base behind its last change. */
  const shift = (change: LineChange | undefined): number =>
    change ? change.newStart + change.newCount - change.start - change.count : 0;
  let [m, t] = [0, 0];
  const addMine = (change: LineChange): void => {
    const theirLine = change.start + shift(theirChanges[t - 1]);
    addHunk(hunks, {
      side: 'mine',
      mine: change.newStart,
      mineCount: change.newCount,
      theirs: theirLine,
      theirsCount: change.count,
    });
    m++;
  };
  const addTheirs = (change: LineChange): void => {
    const mineLine = change.start + shift(mineChanges[m - 1]);
    addHunk(hunks, {
      side: 'theirs',
      mine: mineLine,
      mineCount: change.count,
      theirs: change.newStart,
      theirsCount: change.newCount,
    });
    t++;
  };
  for (let [a, b] = [mineChanges[0], theirChanges[0]]; a || b; [a, b] = [mineChanges[m], theirChanges[t]]) {
    if (a && (!b || a.start + a.count < b.start)) addMine(a);
    else if (b && (!a || b.start + b.count < a.start)) addTheirs(b);
    else if (a && b) {
      if (!isSameChange(a, b, mine, theirs)) addHunk(hunks, overlap(a, b));
      const [mineEnd, theirEnd] = [a.start + a.count, b.start + b.count];
      if (mineEnd >= theirEnd) t++;
      if (theirEnd >= mineEnd) m++;
    }
  }
  return hunks;
};

/** What both sides have inside a conflict is not a conflict. */
const refine = (hunk: Hunk, mine: readonly string[], theirs: readonly string[]): Hunk[] => {
  if (hunk.side !== 'conflict' || hunk.mineCount === 0 || hunk.theirsCount === 0) return [hunk];
  const changes = diffLines(
    mine.slice(hunk.mine, hunk.mine + hunk.mineCount),
    theirs.slice(hunk.theirs, hunk.theirs + hunk.theirsCount),
  );
  if (changes.length === 0) return [{ ...hunk, side: 'same' }];
  return changes.map((change) => ({
    side: 'conflict',
    mine: hunk.mine + change.start,
    mineCount: change.count,
    theirs: hunk.theirs + change.newStart,
    theirsCount: change.newCount,
  }));
};

const FEW_LINES = 3;
const hasWord = (line: string): boolean => /[0-9A-Za-z]/.test(line);

/** Conflicts with little between them are read more easily as one. */
const joinNear = (hunks: readonly Hunk[], mine: readonly string[]): Hunk[] => {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const end = last ? last.mine + last.mineCount : 0;
    const isNear =
      last?.side === 'conflict' &&
      hunk.side === 'conflict' &&
      (hunk.mine - end <= FEW_LINES || !mine.slice(end, hunk.mine).some(hasWord));
    if (!last || !isNear) joined.push({ ...hunk });
    else {
      last.mineCount = hunk.mine + hunk.mineCount - last.mine;
      last.theirsCount = hunk.theirs + hunk.theirsCount - last.theirs;
    }
  }
  return joined;
};

export const mergeTexts = ({ base, mine, theirs, labels }: MergeInput): Merged => {
  if (mine === theirs || theirs === base) return { text: mine, conflicts: 0 };
  if (mine === base) return { text: theirs, conflicts: 0 };
  const [baseLines, mineLines, theirLines] = [splitLines(base), splitLines(mine), splitLines(theirs)];
  const refined = findHunks(baseLines, mineLines, theirLines).flatMap((hunk) => refine(hunk, mineLines, theirLines));
  const hunks = joinNear(refined, mineLines);

  const lineEnd = mineLines[0]?.endsWith('\r\n') === true ? '\r\n' : '\n';
  const whole = (line: string): string => (line.endsWith('\n') ? line : line + lineEnd);
  const parts: string[] = [];
  let line = 0;
  let conflicts = 0;
  for (const hunk of hunks) {
    if (hunk.side === 'same') continue;
    parts.push(...mineLines.slice(line, hunk.mine));
    line = hunk.mine + hunk.mineCount;
    const own = mineLines.slice(hunk.mine, line);
    const other = theirLines.slice(hunk.theirs, hunk.theirs + hunk.theirsCount);
    if (hunk.side === 'mine') parts.push(...own);
    else if (hunk.side === 'theirs') parts.push(...other);
    else {
      conflicts++;
      parts.push(`<<<<<<< ${labels?.mine ?? 'mine'}${lineEnd}`, ...own.map(whole));
      parts.push(`=======${lineEnd}`, ...other.map(whole), `>>>>>>> ${labels?.theirs ?? 'disk'}${lineEnd}`);
    }
  }
  parts.push(...mineLines.slice(line));
  return { text: parts.join(''), conflicts };
};
