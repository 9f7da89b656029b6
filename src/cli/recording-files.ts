/** Files of recorded calls: the ones that were named, those of a folder, and those that a transcript leaves beside itself. */
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { isObject, parseJson } from '../base/json.ts';
import { valueOr } from '../base/result.ts';
import type { GrowingFile } from '../model/traffic/recording/growing.ts';
import { createLineSplitter } from '../model/traffic/recording/lines.ts';
import { createRecordingReader } from '../model/traffic/recording/read-recording.ts';
import { createSharedValues, type SharedValues } from '../model/traffic/shared-values.ts';
import { joinSources, type SourceFile } from '../model/traffic/recording/sources.ts';
import type { FileStamp } from '../model/traffic/recording/watched.ts';

const CHUNK_BYTES = 1 << 20;
/** Below a folder; more is a mistake rather than a recording. */
const MOST_FILES = 20_000;

/** Line by line, never the whole file, until somebody has read enough. */
const eachLine = (
  file: string,
  take: (line: string) => boolean,
  {
    onBytes,
    takePart,
  }: {
    readonly onBytes?: ((bytes: number) => void) | undefined;
    readonly takePart?: ((part: string) => boolean) | undefined;
  } = {},
): void => {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const decoder = new StringDecoder('utf8');
  let isEnough = false;
  const lines = createLineSplitter((line) => {
    isEnough ||= !take(line);
  }, takePart);
  try {
    for (let size = -1; size !== 0 && !isEnough;) {
      size = readSync(descriptor, buffer, 0, CHUNK_BYTES, null);
      onBytes?.(size);
      lines.add(size === 0 ? decoder.end() : decoder.write(buffer.subarray(0, size)));
    }
    if (!isEnough) lines.end();
  } finally {
    closeSync(descriptor);
  }
};

/** Of a file that is followed: what is new since the last look, or all of it. Never more than was listed. */
export const readGrowingFile = (growing: GrowingFile, { file, size }: FileStamp): void => {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const decoder = new StringDecoder('utf8');
  try {
    let position = growing.from;
    let read = -1;
    while (read !== 0 && position < size) {
      read = readSync(descriptor, buffer, 0, Math.min(CHUNK_BYTES, size - position), position);
      position += read;
      growing.add(decoder.write(buffer.subarray(0, read)));
    }
    growing.add(decoder.end());
  } finally {
    closeSync(descriptor);
  }
};

const readRecordingFile = (file: string, shared: SharedValues, onBytes?: (bytes: number) => void): SourceFile => {
  const reader = createRecordingReader(file, shared);
  eachLine(
    file,
    (line) => {
      reader.add(line);
      return true;
    },
    { onBytes, takePart: reader.addPart },
  );
  return { file, modifiedAt: statSync(file).mtimeMs, ...reader.end() };
};

export const filesBelow = (folder: string): readonly string[] => {
  const files: string[] = [];
  const walk = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const child = join(path, entry.name);
      if (files.length >= MOST_FILES) return;
      if (entry.isDirectory()) walk(child);
      else if (entry.isFile()) files.push(child);
    }
  };
  walk(folder);
  return files;
};

const sessionOf = (file: string): string | undefined => {
  let session: string | undefined;
  let left = 5;
  eachLine(file, (line) => {
    const value = valueOr(parseJson(line), undefined);
    if (isObject(value) && typeof value['sessionId'] === 'string') session = value['sessionId'];
    return session === undefined && --left > 0;
  });
  return session;
};

const AGENT = /^agent-.*\.jsonl$/;

/** Sub-agents of a session have files of their own: in a folder of its name, in older versions beside it. */
const besideOf = (file: string): readonly string[] => {
  const name = basename(file);
  if (!name.endsWith('.jsonl') || AGENT.test(name)) return [];
  const folder = join(dirname(file), name.slice(0, -'.jsonl'.length), 'subagents');
  const below = existsSync(folder) ? readdirSync(folder).filter((entry) => AGENT.test(entry)) : [];
  const siblings = readdirSync(dirname(file)).filter((entry) => AGENT.test(entry));
  const session = siblings.length === 0 ? undefined : sessionOf(file);
  return [
    ...below.toSorted().map((entry) => join(folder, entry)),
    ...siblings
      .toSorted()
      .map((entry) => join(dirname(file), entry))
      .filter((sibling) => session !== undefined && sessionOf(sibling) === session),
  ];
};

interface Opened {
  readonly files: readonly SourceFile[];
  /** In a folder: files that hold no recording, nor a part of one. */
  readonly passedOver: readonly string[];
}

/** Each file once. In a folder a file that holds no call is skipped, and told. */
export const openRecordings = (
  sources: readonly string[],
  onProgress?: (read: number, total: number) => void,
): Opened => {
  const files = new Map<string, SourceFile>();
  const empty = new Set<string>();
  const shared = createSharedValues();
  const found = sources.map((source) => {
    const isFolder = statSync(source).isDirectory();
    return { isFolder, files: isFolder ? filesBelow(source) : [source, ...besideOf(source)] };
  });
  const total = onProgress
    ? found.flatMap(({ files: list }) => list).reduce((sum, file) => sum + statSync(file).size, 0)
    : 0;
  let bytes = 0;
  for (const { isFolder, files: list } of found) {
    for (const file of list) {
      if (files.has(file)) continue;
      const read = readRecordingFile(file, shared, (size) => onProgress?.((bytes += size), total));
      const { calls, copies = [], pieces = [] } = read;
      if (calls.length + copies.length + pieces.length === 0 && isFolder) empty.add(file);
      else files.set(file, read);
    }
  }
  const { used } = joinSources([...files.values()].filter(({ pieces = [] }) => pieces.length > 0));
  return { files: [...files.values()], passedOver: [...empty].filter((file) => !used.has(file)) };
};
