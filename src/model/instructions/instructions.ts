/** Project instructions: AGENTS.md and its kin, joined to one block (seed 004, D10). */
import type { Log } from '../../base/log.ts';
import { codePointLength, takeCodePoints, toLineFeeds } from '../../base/text.ts';
import { joinPath, parentPath, type FileTree } from '../library/file-tree.ts';

/** All three of a folder, in this order. */
const FILE_NAMES = ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'];

export const INSTRUCTIONS_TOKEN_CAP = 8000;
const CHARACTERS_PER_TOKEN = 4;
const CUT = '\n<!-- shortened: project instructions exceed 8,000 tokens -->';

export interface InstructionFile {
  readonly layer: 'user' | 'project';
  readonly path: string;
  /** What goes into the prompt: the file, or its head. */
  readonly text: string;
  readonly outcome: 'whole' | 'shortened' | 'dropped' | 'duplicate';
}

export interface Instructions {
  /** Outermost first, so that the nearest has the last word. Empty if there are none. */
  readonly text: string;
  readonly tokens: number;
  /** Every file that was found, in the order of the text. */
  readonly files: readonly InstructionFile[];
}

export interface InstructionsInput {
  readonly project?: { readonly tree: FileTree; readonly workingFolder?: string };
  readonly user?: FileTree;
}

interface Found {
  readonly layer: 'user' | 'project';
  readonly path: string;
  readonly text: string;
}

const readFolder = async (tree: FileTree, folder: string, layer: Found['layer'], log: Log): Promise<Found[]> => {
  const found: Found[] = [];
  for (const name of FILE_NAMES) {
    const path = joinPath(folder, name);
    const content = await tree.read(path);
    if (!content) continue;
    try {
      const text = toLineFeeds(new TextDecoder('utf-8', { fatal: true }).decode(content)).trim();
      if (text !== '') found.push({ layer, path, text });
    } catch {
      log({ level: 'warning', code: 'instructions.not-utf8', text: `${path} is not UTF-8 and is left out` });
    }
  }
  return found;
};

const collect = async (input: InstructionsInput, log: Log): Promise<Found[]> => {
  const found: Found[] = [];
  if (input.user) {
    // `.agents` is where a person keeps their own; a library folder may have them at its root.
    found.push(...(await readFolder(input.user, '', 'user', log)), ...(await readFolder(input.user, '.agents', 'user', log)));
  }
  const { project } = input;
  if (!project) return found;
  const levels: string[] = [];
  for (let level: string | undefined = project.workingFolder ?? ''; level !== undefined; level = parentPath(level)) levels.unshift(level);
  for (const level of levels) found.push(...(await readFolder(project.tree, level, 'project', log)));
  return found;
};

const block = (file: { readonly path: string; readonly text: string }): string => `<!-- ${file.path} -->\n${file.text}`;

/** Of files with the same text the nearest stays. */
const withoutRepeats = (found: readonly Found[]): InstructionFile[] =>
  found.map((file, index) => {
    const isRepeated = found.slice(index + 1).some((later) => later.text === file.text);
    return { ...file, outcome: isRepeated ? 'duplicate' : 'whole' };
  });

const isKept = (file: InstructionFile): boolean => file.outcome === 'whole' || file.outcome === 'shortened';

const join = (files: readonly InstructionFile[]): string => files.filter(isKept).map(block).join('\n\n');

/** Shortens from the outermost inwards until the whole fits; the nearest file loses its tail only if nothing else is left. */
const fit = (files: readonly InstructionFile[], log: Log): InstructionFile[] => {
  const limit = INSTRUCTIONS_TOKEN_CAP * CHARACTERS_PER_TOKEN;
  const result = [...files];
  const last = result.findLastIndex(isKept);
  for (let index = 0; index < result.length; index++) {
    const excess = codePointLength(join(result)) - limit;
    const file = result[index];
    if (excess <= 0) break;
    if (!file || !isKept(file)) continue;
    const room = codePointLength(file.text) - excess - codePointLength(CUT);
    const canDrop = index !== last;
    result[index] =
      room > 0 || !canDrop
        ? { ...file, text: takeCodePoints(file.text, Math.max(0, room)).trimEnd() + CUT, outcome: 'shortened' }
        : { ...file, outcome: 'dropped' };
    const what = result[index]?.outcome === 'dropped' ? 'left out' : 'shortened';
    const text = `project instructions exceed ${INSTRUCTIONS_TOKEN_CAP} tokens: ${file.path} is ${what}`;
    log({ level: 'warning', code: 'instructions.cap', text });
  }
  return result;
};

/** Missing files are no fault; a file that is not UTF-8 is left out with a warning. */
export const discoverInstructions = async (input: InstructionsInput, log: Log): Promise<Instructions> => {
  const files = fit(withoutRepeats(await collect(input, log)), log);
  const text = join(files);
  return { text, tokens: text === '' ? 0 : Math.max(1, Math.floor(codePointLength(text) / CHARACTERS_PER_TOKEN)), files };
};
