/** What every command of git is given, and what it gives back. */
import { byteText } from '../../../model/sandbox/unified-diff.ts';
import type { Contents } from './changes.ts';
import type { Leaf, Repository } from './repository.ts';
import { SUBMODULE } from './untracked.ts';

export interface GitContext {
  readonly repository: Repository;
  readonly cwd: string;
  /** Seconds since 1970. */
  readonly now: number;
  readonly stdin: Uint8Array;
}

export interface GitOutput {
  /** A byte per character. */
  readonly stdout: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

const encoder = new TextEncoder();
export const asBytes = (text: string): string => byteText(encoder.encode(text));

export const NOTHING = new Uint8Array();

export const stagedLeaves = async (repository: Repository): Promise<Map<string, Leaf>> =>
  new Map(
    (await repository.index())
      .filter(({ stage, isIntended }) => stage === 0 && !isIntended)
      .map(({ path, oid, mode }) => [path, { oid, mode }]),
  );

const leafContent = async (repository: Repository, leaf: Leaf | undefined): Promise<Uint8Array> => {
  if (!leaf) return NOTHING;
  // A repository inside: all that is known of it is a commit.
  return leaf.mode === SUBMODULE ? encoder.encode(`Subproject commit ${leaf.oid}\n`) : repository.blob(leaf.oid);
};

export const fromObjects = (repository: Repository): Contents => ({
  before: ({ before }) => leafContent(repository, before),
  after: ({ after }) => leafContent(repository, after),
});

export const intoFolder = (repository: Repository): Contents => ({
  ...fromObjects(repository),
  after: async ({ after, path }) => {
    if (!after) return NOTHING;
    const isHere = after.mode !== SUBMODULE && (after.mode & 0o170000) === 0o100000;
    return (isHere ? await repository.workBlob(path) : undefined) ?? leafContent(repository, after);
  },
});
