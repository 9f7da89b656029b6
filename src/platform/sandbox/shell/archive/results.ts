/** What a command of archives gives back, and how it fails. */
import { toByteText } from '../remote-fs.ts';

/** Bytes that one archive may become. */
export const MOST_UNPACKED = 128 * 1024 * 1024;
export const MOST_ENTRIES = 10_000;

export interface Ran {
  readonly stdout: string;
  readonly stdoutKind: 'text' | 'bytes';
  readonly stderr: string;
  readonly exitCode: number;
}

export const text = (stdout: string, stderr = '', exitCode = 0): Ran => ({
  stdout,
  stdoutKind: 'text',
  stderr,
  exitCode,
});
export const bytes = (stdout: Uint8Array, stderr = '', exitCode = 0): Ran => ({
  stdout: toByteText(stdout),
  stdoutKind: 'bytes',
  stderr,
  exitCode,
});

export class ArchiveFault extends Error {}
export const tooLarge = (): never => {
  throw new ArchiveFault(`unpacks to more than ${MOST_UNPACKED / 1024 / 1024} MB; not done`);
};
export const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
