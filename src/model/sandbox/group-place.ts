/**
 * Where a changed group of lines that may slide reads best. A split is good where a block starts: behind blank lines, before
 * a line that is indented less. The weights are the ones that git publishes for its indent heuristic.
 */
import type { Placing } from '../files/line-diff.ts';

const MOST_INDENT = 200;
const MOST_BLANKS = 20;
const MOST_SLIDING = 100;
const INDENT_WEIGHT = 60;

interface Surroundings {
  readonly isAtEnd: boolean;
  /** Of the line after the split; -1 for a blank one. */
  readonly indent: number;
  readonly blanksBefore: number;
  readonly indentBefore: number;
  readonly blanksAfter: number;
  readonly indentAfter: number;
}

/** Columns before the first character; -1 for a blank line. */
const indentOf = (line: string): number => {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns++;
    else if (character === '\t') columns += 8 - (columns % 8);
    else if (!/[\n\v\f\r]/.test(character)) return columns;
    if (columns >= MOST_INDENT) return MOST_INDENT;
  }
  return -1;
};

const around = (lines: readonly string[], split: number): Surroundings => {
  const isAtEnd = split >= lines.length;
  let [blanksBefore, indentBefore] = [0, -1];
  for (let at = split - 1; at >= 0; at--) {
    indentBefore = indentOf(lines[at] ?? '');
    if (indentBefore !== -1) break;
    if (++blanksBefore === MOST_BLANKS) {
      indentBefore = 0;
      break;
    }
  }
  let [blanksAfter, indentAfter] = [0, -1];
  for (let at = split + 1; at < lines.length; at++) {
    indentAfter = indentOf(lines[at] ?? '');
    if (indentAfter !== -1) break;
    if (++blanksAfter === MOST_BLANKS) {
      indentAfter = 0;
      break;
    }
  }
  const indent = isAtEnd ? -1 : indentOf(lines[split] ?? '');
  return { isAtEnd, indent, blanksBefore, indentBefore, blanksAfter, indentAfter };
};

interface Score {
  readonly indent: number;
  readonly penalty: number;
}

/** Smaller is better. */
const scoreOf = ({
  isAtEnd,
  indent: own,
  blanksBefore,
  indentBefore,
  blanksAfter,
  indentAfter,
}: Surroundings): Score => {
  let penalty = 0;
  if (indentBefore === -1 && blanksBefore === 0) penalty += 1;
  if (isAtEnd) penalty += 21;
  const blanksFrom = own === -1 ? 1 + blanksAfter : 0;
  const blanks = blanksBefore + blanksFrom;
  penalty += -30 * blanks + 6 * blanksFrom;
  const indent = own === -1 ? indentAfter : own;
  const hasBlanks = blanks > 0;
  if (indent === -1 || indentBefore === -1 || indent === indentBefore) return { indent, penalty };
  if (indent > indentBefore) return { indent, penalty: penalty + (hasBlanks ? 10 : -4) };
  // Less indented than the line before: the end of a block, or a new branch of it if the next line is deeper.
  const isBranch = indentAfter !== -1 && indentAfter > indent;
  if (isBranch) return { indent, penalty: penalty + (hasBlanks ? 17 : 24) };
  return { indent, penalty: penalty + (hasBlanks ? 17 : 23) };
};

const sum = (a: Score, b: Score): Score => ({ indent: a.indent + b.indent, penalty: a.penalty + b.penalty });
const compare = (a: Score, b: Score): number =>
  INDENT_WEIGHT * Math.sign(a.indent - b.indent) + (a.penalty - b.penalty);

export const placeGroups =
  (before: readonly string[], after: readonly string[]): Placing =>
  (side, size, earliest, latest) => {
    const lines = side === 'before' ? before : after;
    let best: { readonly end: number; readonly score: Score } | undefined;
    for (let end = Math.max(earliest, latest - size - 1, latest - MOST_SLIDING); end <= latest; end++) {
      const score = sum(scoreOf(around(lines, end)), scoreOf(around(lines, end - size)));
      if (!best || compare(score, best.score) <= 0) best = { end, score };
    }
    return best?.end ?? latest;
  };
