/** A file of recorded requests, from its text to what the waterfall shows. Runs in a worker: it may take seconds. */
import type { Usage } from '../provider/types.ts';
import type { Explained } from '../traffic/explainer.ts';
import type { GrowingFile } from '../traffic/recording/growing.ts';
import { joinSources, type SourceFile } from '../traffic/recording/sources.ts';
import { createWatchedFiles, type FileStamp } from '../traffic/recording/watched.ts';
import { segmentsOfBody, type BodySegments } from './body-segments.ts';
import { byCharacters, placeOfKey, recordedRows, type RecordingOptions, rowKey } from './recording-rows.ts';
import { type ExplainedItem, ledgerItems, withRepairs } from '../ledger/ledger-items.ts';
import { type SkillRent, skillRents } from '../ledger/skill-rent.ts';
import type { Repaired } from '../ledger/types.ts';
import { type BreakpointAxis, breakpointAxis } from '../whatif/axis.ts';
import { answerWhatIf, type WhatIfAnswer } from '../whatif/answer.ts';
import { bestBreakpoints, type Plan } from '../whatif/planner.ts';
import { prepareWhatIf } from '../whatif/prepare.ts';
import { repairsOf } from '../whatif/repairs.ts';
import type { Policy } from '../whatif/types.ts';
import { once } from '../../base/once.ts';
import type { WaterfallRow } from './waterfall-view.ts';

/** What is shown of a request; its body stays where it was read. */
export interface ShownCall {
  readonly row: WaterfallRow;
  readonly model: string;
  readonly usage: Usage | undefined;
  /** How its source names it. */
  readonly id: string | undefined;
  /** The agent that sent it, where its source says so. */
  readonly harness: string | undefined;
}

export interface RecordingProgress {
  readonly step: 'reading' | 'explaining';
  /** Of `reading` bytes, of `explaining` requests. */
  readonly done: number;
  readonly total: number;
}

export interface OpenedRecording {
  readonly calls: readonly ShownCall[];
  /** What could not be read, one sentence each. */
  readonly faults: readonly string[];
  readonly segments: (key: string) => BodySegments | undefined;
  /** The same requests under another policy; those of `whatIf` have the keys of the rows. */
  readonly whatIf: (policy: Policy) => Promise<WhatIfAnswer>;
  readonly plan: (policy: Policy) => Promise<Plan | undefined>;
  /** Breakpoints of one request, which is named by the key of its row. */
  readonly axis: (policy: Policy, key: string) => Promise<BreakpointAxis | undefined>;
  readonly skills: () => Promise<readonly SkillRent[]>;
  /** What switches save, by the keys of the rows. */
  readonly repairs: () => Promise<ReadonlyMap<string, Repaired>>;
  readonly items: () => Promise<readonly ExplainedItem[]>;
  readonly explained: readonly Explained[];
}

export interface RecordedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** When it was written last; without it, it is read again each time. */
  readonly modifiedAt?: number;
  /** Its text from a byte on, in pieces, each with how many bytes of the file come up to its end. */
  readonly pieces: (from: number) => AsyncIterable<{ readonly text: string; readonly read: number }>;
}

export interface OpenRecordingOptions extends Pick<RecordingOptions, 'tokenizer' | 'signal'> {
  readonly onProgress?: (progress: RecordingProgress) => void;
}

interface RecordedFolder {
  /** All files that are there now. Those that have not changed are not read again. */
  readonly update: (files: readonly RecordedFile[], options?: OpenRecordingOptions) => Promise<OpenedRecording>;
}

const readInto = async (
  growing: GrowingFile,
  { pieces }: RecordedFile,
  onBytes: (read: number) => void,
): Promise<void> => {
  for await (const { text, read } of pieces(growing.from)) {
    growing.add(text);
    onBytes(read);
  }
};

/** Several files as one recording, also while they grow. */
export const createRecordedFolder = (): RecordedFolder => {
  const watched = createWatchedFiles();
  let looks = 0;
  return {
    update: async (files, options = {}) => {
      const { signal, onProgress } = options;
      const byName = new Map(files.map((file) => [file.name, file]));
      looks++;
      const stamps = files.map(({ name, size, modifiedAt = -looks }): FileStamp => ({ file: name, size, modifiedAt }));
      const stale = watched.stale(stamps);
      const total = stale.reduce((sum, { size }) => sum + size, 0);
      let before = 0;
      for (const stamp of stale) {
        const file = byName.get(stamp.file);
        if (!file) continue;
        const onBytes = (done: number): void => {
          signal?.throwIfAborted();
          onProgress?.({ step: 'reading', done: before + done, total });
        };
        let growing = watched.open(stamp);
        await readInto(growing, file, onBytes);
        if (growing.isOther()) {
          growing = watched.openAnew(stamp);
          await readInto(growing, file, onBytes);
        }
        const { modifiedAt } = file;
        watched.put(stamp, { file: file.name, ...(modifiedAt !== undefined && { modifiedAt }), ...growing.end() });
        before += stamp.size;
      }
      return explainFiles(watched.all(), options);
    },
  };
};

export const openRecorded = (file: RecordedFile, options: OpenRecordingOptions = {}): Promise<OpenedRecording> =>
  createRecordedFolder().update([file], options);

const explainFiles = async (
  files: readonly SourceFile[],
  { tokenizer, signal, onProgress }: OpenRecordingOptions,
): Promise<OpenedRecording> => {
  const { calls, faults, used } = joinSources(files);
  const isFolder = files.length > 1;
  const total = calls.length;
  onProgress?.({ step: 'explaining', done: 0, total });
  const rows = await recordedRows(calls, {
    ...(tokenizer && { tokenizer }),
    ...(signal && { signal }),
    onRow: (done) => onProgress?.({ step: 'explaining', done, total }),
  });
  signal?.throwIfAborted();
  const explained = rows.map((row) => row.explained);
  const prepared = once(() => prepareWhatIf(explained, { tokenizer: tokenizer ?? byCharacters }));
  const rents = once(async () =>
    skillRents(
      explained.map(({ call }) => call),
      { tokens: (await prepared()).countOf },
    ),
  );
  const items = ledgerItems(explained);
  const repairs = once(() => repairsOf(items, prepared));
  const byKey = new Map(rows.map(({ row, call }) => [row.key, call]));
  return {
    calls: rows.map(({ row, call }) => ({
      row,
      model: call.model,
      usage: call.usage,
      id: call.id,
      harness: call.harness?.name,
    })),
    // Files of a folder that hold no request are not a fault.
    faults: faults
      .filter(({ file }) => !isFolder || used.has(file))
      .map(({ file, line, message }) => `${isFolder ? `${file}: ` : ''}line ${line}: ${message}`),
    segments: (key) => {
      const call = byKey.get(key);
      const read = call && segmentsOfBody(call.body, call.wire);
      return read?.ok ? read.value : undefined;
    },
    whatIf: async (policy) => {
      const answer = await answerWhatIf(await prepared(), policy);
      const requests = answer.result.requests.map((request) =>
        Object.assign({}, request, { key: rowKey(Number(request.key)) }),
      );
      return { ...answer, result: { ...answer.result, requests } };
    },
    plan: async (policy) => bestBreakpoints(await prepared(), policy),
    axis: async (policy, key) => {
      const axis = await breakpointAxis(await prepared(), policy, String(placeOfKey(key)));
      return axis && { ...axis, key };
    },
    skills: rents,
    repairs: async () => new Map([...(await repairs())].map(([key, repaired]) => [rowKey(Number(key)), repaired])),
    items: async () => withRepairs(items, await repairs()),
    explained,
  };
};
