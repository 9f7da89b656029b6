import type { Analysis } from './messages.ts';

/** The line at which a breakpoint for `line` can stand: it, or the next one that the program stops at. */
export const stopLine = (analysis: Analysis | undefined, line: number): number | undefined => {
  const lines = analysis?.outline.stopLines ?? [];
  // Without an outline (a syntax error) nothing is known, and the line itself is kept.
  if (lines.length === 0) return line;
  return lines.toSorted((a, b) => a - b).find((stop) => stop >= line);
};
