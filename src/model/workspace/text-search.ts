/** Search in the texts of skills: their SKILL.md, their program, and what lies beside them. Bounded, in slices between which a page answers. */
import { joinPath } from '../../base/paths.ts';
import type { WorkspaceSkill } from './workspace-view.ts';

export interface TextHit {
  /** The skill's id. */
  readonly skill: string;
  readonly name: string;
  /** Inside the skill's folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The line, cut around the place. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface TextSearchDeps {
  readonly skills: readonly WorkspaceSkill[];
  /** A file of the open folder; nothing where it cannot be read as text. */
  readonly read?: ((path: string) => Promise<string | undefined>) | undefined;
  /** Lets the page answer. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly onHits: (hits: readonly TextHit[]) => void;
}

export const MOST_HITS = 200;
const MOST_IN_A_FILE = 20;
/** Larger files are data, not references. */
const LARGEST_FILE = 262_144;
/** Of all files together that are read from the folder. */
const LARGEST_SEARCH = 16_000_000;
/** Lines looked at before the page may answer. */
const SLICE = 20_000;
const AROUND = 60;
const TEXT_FILE = /\.(?:md|markdown|txt|star|py|js|mjs|ts|sh|json|jsonl|ya?ml|toml|csv|html?|css|sql|xml|ini|cfg)$/i;

/** The lines of a text that hold the words as they were typed, in any case. */
export const hitsIn = (
  text: string,
  query: string,
  most = MOST_IN_A_FILE,
): readonly Omit<TextHit, 'skill' | 'name' | 'file'>[] => {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const hits: Omit<TextHit, 'skill' | 'name' | 'file'>[] = [];
  for (const [index, line] of text.split(/\r\n|[\r\n]/).entries()) {
    if (hits.length >= most) break;
    const at = line.toLowerCase().indexOf(wanted);
    if (at === -1) continue;
    const start = Math.max(0, at - AROUND);
    const end = at + wanted.length;
    hits.push({
      line: index + 1,
      column: at + 1,
      before: `${start > 0 ? '…' : ''}${line.slice(start, at)}`.trimStart(),
      match: line.slice(at, end),
      after: `${line.slice(end, end + AROUND)}${line.length > end + AROUND ? '…' : ''}`,
    });
  }
  return hits;
};

const others = (skill: WorkspaceSkill): readonly string[] =>
  skill.isInFolder
    ? skill.files
        .filter(
          ({ path, size }) =>
            path !== 'SKILL.md' && path !== skill.program?.file && size <= LARGEST_FILE && TEXT_FILE.test(path),
        )
        .map(({ path }) => path)
    : [];

/** Texts that are in memory come first, then files of the folder. Ends early at the limit; the last call has all hits. */
export const searchTexts = async (query: string, deps: TextSearchDeps): Promise<{ readonly isCut: boolean }> => {
  const { skills, read, pause, signal, onHits } = deps;
  const hits: TextHit[] = [];
  let lines = 0;
  let size = 0;
  const look = async (skill: WorkspaceSkill, file: string, text: string): Promise<void> => {
    for (const hit of hitsIn(text, query)) {
      if (hits.length >= MOST_HITS) return;
      hits.push({ skill: skill.id, name: skill.name, file, ...hit });
    }
    lines += text.length / 40;
    if (lines < SLICE) return;
    lines = 0;
    onHits(hits.slice());
    await pause();
  };
  const isOver = (): boolean => signal.aborted || hits.length >= MOST_HITS;
  for (const skill of skills) {
    if (isOver()) break;
    await look(skill, 'SKILL.md', skill.text);
    if (skill.program) await look(skill, skill.program.file, skill.program.text);
  }
  if (!signal.aborted) onHits(hits.slice());
  for (const skill of skills) {
    if (!read) break;
    for (const file of others(skill)) {
      if (isOver() || size > LARGEST_SEARCH) break;
      const text = await read(joinPath(skill.path, file));
      if (text === undefined) continue;
      size += text.length;
      await look(skill, file, text);
    }
  }
  if (!signal.aborted) onHits(hits.slice());
  return { isCut: hits.length >= MOST_HITS || size > LARGEST_SEARCH };
};
