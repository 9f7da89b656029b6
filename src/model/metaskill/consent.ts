/**
 * Consent for a metaskill that is not the user's own (D27): for one hash over all files of its folder, asked when its program
 * is started, wherever that is. The program that runs is taken from the very bytes that were hashed.
 */
import { errorMessage } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { joinPath } from '../../base/paths.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { FileTree } from '../files/file-tree.ts';
import { pythonRepr } from '../skill/python-text.ts';
import type { HostSkill, RunStart } from './host-types.ts';
import type { Admission } from './policy.ts';

/** What a person is asked to trust. */
export interface ConsentQuestion {
  readonly skill: string;
  readonly hash: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/** Where consent is kept, and who is asked for it. */
export interface ConsentBook {
  /** Read again for every start, so that a revocation holds from the next one on. */
  readonly isTrusted: (hash: string) => Promise<boolean>;
  /** True once the consent is in the book. Absent: nobody is there to ask. */
  readonly askForTrust?: (question: ConsentQuestion, signal?: AbortSignal) => Promise<boolean>;
}

/** A folder as it was at one moment. */
export interface Evidence {
  readonly hash: string;
  readonly files: ConsentQuestion['files'];
  /** Nothing if the folder has no such file. */
  readonly program: Uint8Array | undefined;
}

const MOST_FILES = 2000;
const MOST_BYTES = 64 * 1024 * 1024;

/** One hash over all files of a folder: a changed, added, removed or renamed file makes another one. */
export const consentHash = (files: ReadonlyMap<string, Uint8Array>): string =>
  sha256(
    [...files]
      .toSorted(([a], [b]) => compareCodePoints(a, b))
      .map(([path, content]) => `${JSON.stringify(path)} ${sha256(content)}\n`)
      .join(''),
  );

/** Reads every file below the folder. A file that cannot be part of the hash makes the whole folder one that nobody can trust. */
export const gatherEvidence = async (
  tree: FileTree,
  folder: string,
  program: string,
): Promise<Result<Evidence, string>> => {
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  const visit = async (inner: string): Promise<string | undefined> => {
    for (const entry of (await tree.list(joinPath(folder, inner))) ?? []) {
      const path = joinPath(inner, entry.name);
      // A link out of the folder is never read, so nothing that it points to can run.
      if (entry.escapes) continue;
      if (entry.kind === 'folder') {
        const fault = await visit(path);
        if (fault !== undefined) return fault;
        continue;
      }
      if (files.size >= MOST_FILES) return `more than ${MOST_FILES} files`;
      const content = await tree.read(joinPath(folder, path), MOST_BYTES);
      if (!content) return `${path} cannot be read`;
      bytes += content.length;
      if (bytes > MOST_BYTES) return `more than ${MOST_BYTES / 1024 / 1024} MiB`;
      files.set(path, content);
    }
    return undefined;
  };
  try {
    const fault = await visit('');
    if (fault !== undefined) return err(fault);
  } catch (thrown) {
    return err(errorMessage(thrown));
  }
  return ok({
    hash: consentHash(files),
    files: [...files].map(([path, content]) => ({ path, bytes: content.length })),
    program: files.get(program),
  });
};

type Program = Awaited<ReturnType<HostSkill['readProgram']>>;

/** A program as text, or why it is none. */
export const programText = (file: string, content: Uint8Array | undefined): Program => {
  if (!content) return { ok: false, reason: `${file} cannot be read` };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(content) };
  } catch (thrown) {
    return { ok: false, reason: `${file} cannot be read (${errorMessage(thrown)})` };
  }
};

export interface GuardedSkill extends Pick<HostSkill, 'name' | 'metaskill' | 'body' | 'readProgram'> {
  readonly admission: Admission;
  /** The folder as it would run now. */
  readonly evidence: () => Promise<Result<Evidence, string>>;
  readonly book: ConsentBook;
}

/** A skill as the host knows it, after the one question. */
export const guardSkill = ({ admission, evidence, book, ...skill }: GuardedSkill): HostSkill => {
  const { name, metaskill } = skill;
  if (admission.kind !== 'consent')
    return { ...skill, refusal: admission.kind === 'refused' ? admission.refusal : undefined };
  let agreed: Evidence | undefined;
  // A model that is refused tends to call again; within one turn a person is asked once.
  const declined = new Map<string, string>();
  const consent = async ({ turnId, signal, setWaiting }: RunStart): Promise<string | undefined> => {
    agreed = undefined;
    const found = await evidence();
    if (!found.ok)
      return `error: external metaskill ${pythonRepr(name)} is not allowed (its files cannot be checked: ${found.error})`;
    const { hash, files } = found.value;
    const isTrusted = await book.isTrusted(hash);
    if (!isTrusted) {
      if (!book.askForTrust || (turnId !== undefined && declined.get(hash) === turnId)) return admission.refusal;
      setWaiting?.(true);
      try {
        if (!(await book.askForTrust({ skill: name, hash, files }, signal))) {
          if (turnId !== undefined) declined.set(hash, turnId);
          return admission.refusal;
        }
      } finally {
        setWaiting?.(false);
      }
    }
    agreed = found.value;
    return undefined;
  };
  return {
    ...skill,
    refusal: undefined,
    consent,
    readProgram: () =>
      agreed && metaskill ? Promise.resolve(programText(metaskill.program, agreed.program)) : skill.readProgram(),
  };
};
