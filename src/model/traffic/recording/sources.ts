/** Several files as one recording: the sub-agents of a session, a folder of cassettes or of raw bodies, sessions that were forked. */
import type { Call } from '../call.ts';
import { joinRawBodies } from '../claude-code/raw-bodies.ts';
import { joinTraces } from '../codex/trace.ts';
import type { PlacedPiece } from './pieces.ts';
import type { Recording, RecordingFault, SourceFault } from './types.ts';

export interface SourceFile extends Recording {
  readonly file: string;
  /** When it was written last, if anybody knows. */
  readonly modifiedAt?: number;
}

interface Sources {
  readonly calls: readonly Call[];
  readonly faults: readonly SourceFault[];
  /** Files that hold a call or a part of one, or are named by one that does. */
  readonly used: ReadonlySet<string>;
}

/** Longer than anything lives in a cache: without times, what one file left is not expected by another. */
const APART_MS = 48 * 60 * 60 * 1000;

const HARNESSES: ReadonlySet<string | undefined> = new Set(['claude-code', 'codex']);

const worth = ({ known, usage }: Call): number =>
  (known === undefined || known === 'exact' ? 4 : known === 'reconstructed' ? 2 : 0) + (usage ? 1 : 0);

/** Of its answer; what was recorded on the way to a provider has no other. */
const idOf = ({ id, response }: Call): string | undefined => id ?? response?.id;

/** Answers of a program that keeps files of its own: what was captured of them is there too. */
const idsOfHarnesses = (calls: readonly Call[]): ReadonlySet<string | undefined> =>
  new Set(calls.flatMap((call) => (HARNESSES.has(call.harness?.name) ? (idOf(call) ?? []) : [])));

/** Of calls with one id, the one that is known best; it takes over usage that only another has. */
const bestOf = (calls: readonly Call[], shared: ReadonlySet<string | undefined>): ReadonlySet<Call> => {
  const best = new Map<string, Call>();
  for (const call of calls) {
    const id = idOf(call);
    if (id === undefined || !shared.has(id)) continue;
    const known = best.get(id);
    if (!known) best.set(id, call);
    else {
      const [winner, other] = worth(call) > worth(known) ? [call, known] : [known, call];
      if (!winner.usage && other.usage)
        Object.assign(winner, { usage: other.usage, rawUsage: other.rawUsage, response: other.response });
      best.set(id, winner);
    }
  }
  return new Set(best.values());
};

/** The same sentence about every line of a file is reported once, with how many lines it holds for. */
const MOST_FAULTS = 3;

const told = (file: string, faults: readonly RecordingFault[]): readonly SourceFault[] => {
  const kept: SourceFault[] = [];
  const more = new Map<string, number>();
  for (const { line, message } of faults) {
    const count = (more.get(message) ?? 0) + 1;
    more.set(message, count);
    if (count <= MOST_FAULTS) kept.push({ file, line, message });
  }
  for (const [message, count] of more) {
    if (count <= MOST_FAULTS) continue;
    const at = kept.findLastIndex((fault) => fault.message === message);
    const last = kept[at];
    const rest = count - MOST_FAULTS;
    if (last)
      kept[at] = {
        ...last,
        message: `${message} ${rest} more ${rest === 1 ? 'line has' : 'lines have'} the same problem.`,
      };
  }
  return kept;
};

/** A transcript knows the id of an answer whose own file is empty. */
const nameEmptyAnswers = (raw: readonly Call[], others: readonly Call[]): void => {
  const ids = new Map(
    others.flatMap(({ requestId, id }) => (requestId === undefined ? [] : [[requestId, id] as const])),
  );
  for (const call of raw) {
    const id = call.usage || call.requestId === undefined ? undefined : ids.get(call.requestId);
    if (id !== undefined) Object.assign(call, { id });
  }
};

/** In the order of the files; an answer that several of them hold is one call. */
export const joinSources = (files: readonly SourceFile[]): Sources => {
  const pieces = files.flatMap(({ file, modifiedAt, pieces: own = [] }) =>
    own.map((piece): PlacedPiece => ({ file, ...(modifiedAt !== undefined && { modifiedAt }), piece })),
  );
  const raw = joinRawBodies(pieces);
  nameEmptyAnswers(
    raw.calls,
    files.flatMap(({ calls }) => calls),
  );
  const traces = joinTraces(pieces);
  const lists: readonly (readonly Call[])[] = [...files.map(({ calls }) => calls), raw.calls, traces.calls];
  const shared = idsOfHarnesses(lists.flat());
  const best = bestOf(lists.flat(), shared);
  const isCounted = (call: Call): boolean => !shared.has(idOf(call)) || best.has(call);
  const known = new Set(lists.flat().map(({ id }) => id));
  const isNew = ({ id }: Call): boolean => {
    if (id === undefined || known.has(id)) return id === undefined;
    known.add(id);
    return true;
  };
  const all = lists.map((calls, index) =>
    [...calls.filter(isCounted), ...(files[index]?.copies ?? []).filter(isNew)].toSorted(
      (a, b) => Number(a.source?.file === b.source?.file) * ((a.source?.line ?? 0) - (b.source?.line ?? 0)),
    ),
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
    faults: [...files.flatMap(({ file, faults }) => told(file, faults)), ...raw.faults, ...traces.faults],
    used: new Set([
      ...files
        .filter(({ calls, copies = [], pieces: own = [] }) => calls.length + copies.length + own.length > 0)
        .map(({ file }) => file),
      ...traces.named,
    ]),
  };
};
