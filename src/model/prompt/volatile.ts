/** What may change between turns, and therefore comes after everything that a cache should find again (D12). */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { joinPath } from '../../base/paths.ts';
import { codePointLength, takeCodePoints, toLineFeeds } from '../../base/text.ts';
import type { FileTree } from '../files/file-tree.ts';
import { onOneLine } from '../library/index-text.ts';
import { makeSegment } from './segments.ts';
import type { Segment, SegmentKind } from './types.ts';

export interface Environment {
  /** `2026-11-16`, of the session's start. An hour would change the prompt with every session. */
  readonly date: string;
  /** The folder's name. */
  readonly workspace: string;
  readonly platform: string;
}

export interface VolatileInput {
  readonly environment: Environment;
  readonly user: string | undefined;
  readonly memory: string | undefined;
}

export const volatileSegments = ({ environment, user, memory }: VolatileInput): readonly Segment[] => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(environment.date))
    throw new Error(`the environment’s date is YYYY-MM-DD, not ${JSON.stringify(environment.date)}`);
  const lines = [
    '## Environment',
    `Date: ${environment.date}`,
    `Workspace: ${onOneLine(environment.workspace)}`,
    `Platform: ${onOneLine(environment.platform)}`,
  ];
  const section = (kind: SegmentKind, heading: string, text: string | undefined): Segment[] => {
    const trimmed = text?.trim() ?? '';
    return trimmed === '' ? [] : [makeSegment(kind, kind, `\n\n${heading}\n${trimmed}`, 'volatile')];
  };
  return [
    makeSegment('environment', 'environment', lines.join('\n'), 'volatile'),
    ...section('user', '## User context (USER.md)', user),
    ...section('memory', '## Workspace memory (MEMORY.md)', memory),
  ];
};

/** In this order; the first that has the file counts. */
export const MEMORY_FOLDERS = ['.agents', '.metis', ''];
const MOST_CHARACTERS = 32_000;
const CUT = '\n[cut here: the file is longer than 32,000 characters]';

export interface MemoryFile {
  /** Where it is, or where it is to be written first. */
  readonly path: string;
  readonly exists: boolean;
  /** With LF; absent if none exists or it cannot be used. */
  readonly text: string | undefined;
}

export interface MemoryFiles {
  readonly user: MemoryFile;
  readonly memory: MemoryFile;
}

const findFile = async (tree: FileTree, name: string, log: Log): Promise<MemoryFile> => {
  for (const folder of MEMORY_FOLDERS) {
    const path = joinPath(folder, name);
    const leaveOut = (why: string): MemoryFile => {
      log({ level: 'warning', code: 'memory.unreadable', text: `${path} ${why} and is left out of the prompt` });
      return { path, exists: true, text: undefined };
    };
    try {
      const content = await tree.read(path);
      if (!content) continue;
      const text = decode(content);
      if (text === undefined) return leaveOut('is not UTF-8');
      if (codePointLength(text) <= MOST_CHARACTERS) return { path, exists: true, text };
      log({
        level: 'warning',
        code: 'memory.cut',
        text: `${path} is longer than 32,000 characters: only its head is used`,
      });
      return { path, exists: true, text: takeCodePoints(text, MOST_CHARACTERS) + CUT };
    } catch (thrown) {
      return leaveOut(`cannot be read (${errorMessage(thrown)})`);
    }
  }
  return { path: joinPath(MEMORY_FOLDERS[0] ?? '', name), exists: false, text: undefined };
};

const decode = (content: Uint8Array): string | undefined => {
  try {
    return toLineFeeds(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    return undefined;
  }
};

/** Never rejects: a file that cannot be used is left out with a warning, and stays where it is. */
export const findMemory = async (tree: FileTree, log: Log): Promise<MemoryFiles> => ({
  user: await findFile(tree, 'USER.md', log),
  memory: await findFile(tree, 'MEMORY.md', log),
});
