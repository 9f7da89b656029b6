/**
 * Files that a tool runs because they are there, by path. Paths are matched folded (`foldPath`): lowercase, as the least exact disk reads
 * them. `when` are the words that make such a file run something; without it, every content does.
 */
export interface AutorunFile {
  readonly path: RegExp;
  /** What starts it, as the end of a sentence. */
  readonly trigger: string;
  readonly when?: RegExp;
}

/** Folded paths that end with one of these, after the start or a slash. */
export const at = (...ends: readonly string[]): RegExp => new RegExp(`(?:^|/)(?:${ends.join('|')})$`);
