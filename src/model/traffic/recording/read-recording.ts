/**
 * Reads a file of recorded calls line by line, so that nobody has to hold a big one: its first lines tell what it is
 * (a transcript, a cassette, calls by lines, or a document that is read as a whole).
 */
import { isObject, type Json, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { isYamlCassette } from '../cassette/cassette-yaml.ts';
import { readYamlCassette } from '../cassette/read-cassette.ts';
import { createTranscriptReader, isTranscriptLine } from '../claude-code/read-transcript.ts';
import { createRolloutReader, isRolloutLine } from '../codex/rollout.ts';
import { isJournal, readJournal } from './journal.ts';
import { createJsonLines } from './json-lines.ts';
import { createLineSplitter } from './lines.ts';
import { createLineReader, createListReader, isHarName, readDocument } from './read-lines.ts';
import { isEmptyAnswer, isIndexEntry, isPiece, isTraceEvent, type Piece } from './pieces.ts';
import { createSharedValues, type SharedValues } from '../shared-values.ts';
import { joinSources } from './sources.ts';
import type { Recording, RecordingReader } from './types.ts';

/** Lines that are looked at to tell what a file is, and how much text at most. */
const HEAD_LINES = 50;
const HEAD_CHARACTERS = 4_000_000;

/** No text can be longer than about 500 million characters. */
const LONGEST_WHOLE = 400_000_000;
const TOO_LONG =
  'the file is larger than 400 MB, and Lathe reads this format only as a whole. Split it, or record with `lathe capture`.';

/** For files that cannot be read in parts. */
const readWhole = (read: (text: string) => Recording): RecordingReader => {
  let lines: string[] = [];
  let length = 0;
  return {
    add: (line) => {
      length += line.length + 1;
      if (length <= LONGEST_WHOLE) lines.push(line);
      else lines = [];
    },
    end: () =>
      length > LONGEST_WHOLE ? { calls: [], faults: [{ line: 1, message: TOO_LONG }] } : read(lines.join('\n')),
  };
};

/** A document up to here is read as a whole; a longer one, if it is a list, entry by entry. */
const LONG_DOCUMENT = 16_000_000;
const DOCUMENT_HEAD = 4_096;

const readLongDocument = (file: string, shared: SharedValues): RecordingReader => {
  const whole = readWhole((text) => readDocument(text, file, shared));
  let held: string[] = [];
  let head = '';
  let length = 0;
  let list: RecordingReader | undefined;
  return {
    add: (line) => {
      if (list) {
        list.add(line);
        return;
      }
      if (head.length < DOCUMENT_HEAD) head += `${line.slice(0, DOCUMENT_HEAD)}\n`;
      length += line.length;
      whole.add(line);
      if (length <= LONG_DOCUMENT) held.push(line);
      else if (held.length > 0) {
        list = createListReader(head, file);
        for (const one of list ? [...held, line] : []) list?.add(one);
        held = [];
      }
    },
    addPart: (part) => {
      list ??= length === 0 ? createListReader(part.slice(0, DOCUMENT_HEAD), file) : undefined;
      return list?.addPart?.(part) === true;
    },
    end: () => (list ?? whole).end(),
  };
};

/** A file whose lines join other files. */
const createPieceReader = (pieceOfLine: (value: Json, line: number) => Piece | undefined): RecordingReader => {
  const pieces: Piece[] = [];
  const lines = createJsonLines(
    (value): value is Json => value !== undefined,
    'the line is not JSON.',
    (value, line) => {
      const piece = pieceOfLine(value, line);
      if (piece) pieces.push(piece);
    },
  );
  return { add: lines.add, end: () => ({ calls: [], pieces, faults: lines.faults }) };
};

const isDocument = (value: Json | undefined): boolean =>
  isObject(value) && (isObject(value['log']) || Array.isArray(value['interactions'] ?? value['http_interactions']));

const readerFor = (head: readonly string[], file: string, shared: SharedValues): RecordingReader => {
  const first = head.find((line) => line.trim() !== '') ?? '';
  if (isJournal(first)) return readWhole((text) => readJournal(text, file));
  if (head.some(isTranscriptLine)) return createTranscriptReader(file);
  if (head.slice(0, 5).some(isRolloutLine)) return createRolloutReader(file);
  if (isYamlCassette(head)) return readWhole((text) => readYamlCassette(text, file));
  const value = /^\s*[[{]/.test(first) ? valueOr(parseJson(first), undefined) : undefined;
  if (isIndexEntry(value))
    return createPieceReader((entry, line) => (isObject(entry) ? { kind: 'index', line, entry } : undefined));
  if (isTraceEvent(value))
    return createPieceReader((event, line) => (isObject(event) ? { kind: 'trace', line, event } : undefined));
  if (isPiece(value)) return readWhole((text) => readDocument(text, file, shared));
  const isByLines = isObject(value) && !isDocument(value) && !isHarName(file);
  return isByLines ? createLineReader(file) : readLongDocument(file, shared);
};

/** `shared`: what the files of one opening repeat of each other is kept once. */
export const createRecordingReader = (file: string, shared: SharedValues = createSharedValues()): RecordingReader => {
  let head: string[] = [];
  let length = 0;
  let isEmpty = true;
  let reader: RecordingReader | undefined;
  const decide = (): RecordingReader => {
    const found = readerFor(head, file, shared);
    for (const line of head) found.add(line);
    head = [];
    return found;
  };
  return {
    add: (line) => {
      isEmpty &&= line.trim() === '';
      if (reader) {
        reader.add(line);
        return;
      }
      head.push(head.length === 0 ? line.replace(/^\uFEFF/, '') : line);
      length += line.length;
      if (head.length >= HEAD_LINES || length > HEAD_CHARACTERS) reader = decide();
    },
    addPart: (part) => {
      if (reader) return reader.addPart?.(part) === true;
      const list = head.length === 0 ? readLongDocument(file, shared) : undefined;
      // A first line that is no list is waited for: it tells what the file is.
      if (list?.addPart?.(part.replace(/^\uFEFF/, '')) !== true) return false;
      isEmpty = false;
      reader = list;
      return true;
    },
    // What a file is was decided by all the lines that are looked at for it.
    canGrow: () => reader?.canGrow?.() === true,
    end: () =>
      isEmpty
        ? isEmptyAnswer(file)
          ? { calls: [], pieces: [{ kind: 'empty' }], faults: [] }
          : { calls: [], faults: [{ line: 1, message: 'the file is empty.' }] }
        : (reader ?? decide()).end(),
  };
};

export const readRecording = (text: string, file = ''): Recording => {
  const reader = createRecordingReader(file);
  const lines = createLineSplitter(reader.add, reader.addPart);
  lines.add(text);
  lines.end();
  const { calls, faults } = joinSources([{ file, ...reader.end() }]);
  return { calls, faults: faults.map(({ line, message }) => ({ line, message })) };
};
