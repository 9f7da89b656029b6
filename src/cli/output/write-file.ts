import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { visible } from './terminal-text.ts';

const codeOf = (thrown: unknown): string | undefined => (thrown as NodeJS.ErrnoException).code;

/** The file that a path stands for, links followed, and what it is now. */
const targetOf = (path: string): { readonly file: string; readonly mode?: number; readonly isPlain: boolean } => {
  let file = path;
  try {
    file = realpathSync(path);
    const stats = lstatSync(file);
    return { file, mode: stats.mode, isPlain: stats.isFile() };
  } catch {
    // There is none yet.
    return { file, isPlain: true };
  }
};

/** A folder may refuse new files while the file itself can be written. */
const REFUSED: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

const replace = (path: string, text: string): void => {
  const { file, mode, isPlain } = targetOf(path);
  // A pipe or a device must stay one.
  if (!isPlain) return writeFileSync(file, text);
  const draft = join(
    dirname(file),
    `.${basename(file)}.${process.pid.toString(16).padStart(8, '0')}${randomBytes(2).toString('hex')}.lathe-tmp`,
  );
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    if (mode !== undefined) chmodSync(draft, mode);
    renameSync(draft, file);
  } catch (thrown) {
    rmSync(draft, { force: true });
    if (mode === undefined || !REFUSED.has(codeOf(thrown))) throw thrown;
    writeFileSync(file, text);
  }
};

/** Writes all of it or nothing: on a full disk, a file that was there stays as it was. */
export const writeFile = (path: string, text: string): void => {
  try {
    replace(path, text);
  } catch (thrown) {
    const { syscall = 'write', message } = thrown as NodeJS.ErrnoException;
    throw Object.assign(new Error(`can't write ${visible(path)}: ${message.replace(/, \w+(?: '.*)?$/s, '')}`), {
      syscall,
    });
  }
};
