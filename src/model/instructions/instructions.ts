/** Project instructions: AGENTS.md and its kin, joined to one block (D10). */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { joinPath } from '../../base/paths.ts';
import { codePointLength, takeCodePoints, toLineFeeds } from '../../base/text.ts';
import { parentPath, type FileTree } from '../files/file-tree.ts';

/** All three of a folder, in this order. */
export const INSTRUCTION_FILES = ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'];

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
  /** Outermost first, so that the nearest has the last word. Empty if none exist. */
  readonly text: string;
  readonly tokens: number;
  /** Every file that was found, in the order of the text. */
  readonly files: readonly InstructionFile[];
}

export interface InstructionsInput {
  readonly project?: { readonly tree: FileTree; readonly workingFolder?: string };
  readonly user?: FileTree;
}

/** The files of one folder, in the order of `INSTRUCTION_FILES`. */
type Level = readonly Omit<InstructionFile, 'outcome'>[];

const readLevel = async (tree: FileTree, folder: string, layer: InstructionFile['layer'], log: Log): Promise<Level> => {
  const level: { layer: InstructionFile['layer']; path: string; text: string }[] = [];
  const leaveOut = (path: string, code: string, why: string): void =>
    log({ level: 'warning', code: `instructions.${code}`, text: `${path} ${why} and is left out` });
  const attempt = async <T>(path: string, work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (thrown) {
      leaveOut(path, 'unreadable', `cannot be read (${errorMessage(thrown)})`);
      return undefined;
    }
  };
  const entries = await attempt(folder || tree.name, tree.list(folder));
  for (const name of INSTRUCTION_FILES) {
    const entry = entries?.find((candidate) => candidate.name === name && candidate.kind === 'file');
    const path = joinPath(folder, name);
    if (entry?.escapes) leaveOut(path, 'escapes', 'is a link that leaves the opened folder');
    if (!entry || entry.escapes) continue;
    const content = await attempt(path, tree.read(path));
    if (!content) continue;
    try {
      const text = toLineFeeds(new TextDecoder('utf-8', { fatal: true }).decode(content)).trim();
      if (text !== '') level.push({ layer, path, text });
    } catch {
      leaveOut(path, 'not-utf8', 'is not UTF-8');
    }
  }
  return level;
};

/** Outermost first. */
const readLevels = async ({ project, user }: InstructionsInput, log: Log): Promise<Level[]> => {
  const levels: Level[] = [];
  if (user) {
    // `.agents` is where a person keeps their own; a library folder may have them at its root.
    for (const folder of ['', '.agents']) levels.push(await readLevel(user, folder, 'user', log));
  }
  if (!project) return levels;
  const folders: string[] = [];
  for (let at: string | undefined = project.workingFolder ?? ''; at !== undefined; at = parentPath(at))
    folders.unshift(at);
  for (const folder of folders) levels.push(await readLevel(project.tree, folder, 'project', log));
  return levels;
};

const block = ({ path, text }: InstructionFile, heading = path): string => `<!-- ${heading} -->\n${text}`;

/** Of equal texts the nearest folder's stays, and inside a folder the first by name: AGENTS.md is the canonical one. */
const withoutRepeats = (levels: readonly Level[]): InstructionFile[][] =>
  levels.map((level, index) => {
    const nearer = new Set(levels.slice(index + 1).flatMap((other) => other.map(({ text }) => text)));
    return level.map((file, position) => {
      const isRepeated = nearer.has(file.text) || level.slice(0, position).some(({ text }) => text === file.text);
      return { ...file, outcome: isRepeated ? 'duplicate' : 'whole' };
    });
  });

const isKept = ({ outcome }: InstructionFile): boolean => outcome === 'whole' || outcome === 'shortened';

/** A file of the user library and one of the project may have the same path. */
const join = (files: readonly InstructionFile[]): string => {
  const kept = files.filter(isKept);
  const own = new Set(kept.flatMap(({ layer, path }) => (layer === 'project' ? [path] : [])));
  return kept
    .map((file) => block(file, file.layer === 'user' && own.has(file.path) ? `~/${file.path}` : file.path))
    .join('\n\n');
};

/** A text without spaces for this long is cut where it must be. */
const LONGEST_WORD = 200;

/** The beginning of a text, up to so many code points, without half a word at its end. */
const wholeWords = (text: string, most: number): string => {
  const head = takeCodePoints(text, most);
  const next = text.charAt(head.length);
  const end = next === '' || /\s/.test(next) ? -1 : head.search(/\s\S*$/);
  return (end >= 0 && head.length - end <= LONGEST_WORD ? head.slice(0, end) : head).trimEnd();
};

/**
 * Takes from the outermost folder first, and inside a folder from its end, so that the head of the nearest is what stays
 * longest. Something of the very last file always stays.
 */
const fit = (levels: readonly InstructionFile[][], log: Log): InstructionFile[] => {
  const limit = INSTRUCTIONS_TOKEN_CAP * CHARACTERS_PER_TOKEN;
  const files = levels.flat();
  const order = levels.flatMap((level) => level.toReversed()).filter(isKept);
  const lastOne = order.at(-1);
  for (const file of order) {
    const excess = codePointLength(join(files)) - limit;
    if (excess <= 0) break;
    const room = codePointLength(file.text) - excess - codePointLength(CUT);
    const isDropped = room <= 0 && file !== lastOne;
    const text = wholeWords(file.text, Math.max(0, room)) + CUT;
    files[files.indexOf(file)] = isDropped ? { ...file, outcome: 'dropped' } : { ...file, text, outcome: 'shortened' };
    const what = isDropped ? 'left out' : 'shortened';
    log({
      level: 'warning',
      code: 'instructions.cap',
      text: `project instructions exceed ${INSTRUCTIONS_TOKEN_CAP} tokens: ${file.path} is ${what}`,
    });
  }
  return files;
};

/** Missing files are not a fault; one that cannot be used is left out with a warning. Never rejects. */
export const discoverInstructions = async (input: InstructionsInput, log: Log): Promise<Instructions> => {
  const files = fit(withoutRepeats(await readLevels(input, log)), log);
  const text = join(files);
  const tokens = text === '' ? 0 : Math.max(1, Math.floor(codePointLength(text) / CHARACTERS_PER_TOKEN));
  return { text, tokens, files };
};
