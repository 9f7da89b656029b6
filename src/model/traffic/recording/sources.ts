/** Several files as one recording: the sub-agents of a session, a folder of cassettes, sessions that were forked. */
import type { Call } from '../call.ts';
import type { Recording, RecordingFault } from './types.ts';

export interface SourceFault extends RecordingFault {
  readonly file: string;
}

export interface SourceFile extends Recording {
  readonly file: string;
}

interface Sources {
  readonly calls: readonly Call[];
  readonly faults: readonly SourceFault[];
}

/** Longer than anything lives in a cache: without times, what one file left is not expected by another. */
const APART_MS = 48 * 60 * 60 * 1000;

/** In the order of the files; an answer that several of them hold is one call. */
export const joinSources = (files: readonly SourceFile[]): Sources => {
  const known = new Set<string>();
  // A forked session repeats the answers of the one that it comes from, under their own ids.
  const isNew = ({ id, harness }: Call): boolean => {
    if (id === undefined || harness?.name !== 'claude-code') return true;
    if (known.has(id)) return false;
    known.add(id);
    return true;
  };
  const own = files.map(({ calls }) => calls.filter(isNew));
  const all = files.map(({ copies = [] }, index) =>
    [...(own[index] ?? []), ...copies.filter(isNew)].toSorted((a, b) => (a.source?.line ?? 0) - (b.source?.line ?? 0)),
  );
  let timeless = 0;
  for (const calls of all) {
    if (calls.some(({ isTimeless }) => isTimeless)) timeless++;
    for (const call of calls) {
      if (!call.isTimeless) continue;
      const startedAt = call.startedAt + timeless * APART_MS;
      Object.assign(call, { startedAt, firstByteAt: startedAt });
    }
  }
  return {
    calls: all.flat(),
    faults: files.flatMap(({ file, faults }) => faults.map(({ line, message }) => ({ file, line, message }))),
  };
};
