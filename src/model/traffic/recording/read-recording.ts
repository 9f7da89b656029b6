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
import { createLineReader, isHarName, readDocument } from './read-lines.ts';
import { isEmptyAnswer, isIndexEntry, isTraceEvent, type Piece, pieceOf } from './pieces.ts';
import { joinSources } from './sources.ts';
import type { Recording, RecordingReader } from './types.ts';

/** Lines that are looked at to tell what a file is, and how much text at most. */
const HEAD_LINES = 50;
const HEAD_CHARACTERS = 4_000_000;

/** For files that cannot be read in parts. */
const readWhole = (read: (text: string) => Recording): RecordingReader => {
  const lines: string[] = [];
  return { add: (line) => void lines.push(line), end: () => read(lines.join('\n')) };
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

const readerFor = (head: readonly string[], file: string): RecordingReader => {
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
  if (pieceOf('', value)) return readWhole((text) => readDocument(text, file));
  const isByLines = isObject(value) && !isDocument(value) && !isHarName(file);
  return isByLines ? createLineReader(file) : readWhole((text) => readDocument(text, file));
};

export const createRecordingReader = (file: string): RecordingReader => {
  let head: string[] = [];
  let length = 0;
  let isEmpty = true;
  let reader: RecordingReader | undefined;
  const decide = (): RecordingReader => {
    const found = readerFor(head, file);
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
  const lines = createLineSplitter(reader.add);
  lines.add(text);
  lines.end();
  const { calls, faults } = joinSources([{ file, ...reader.end() }]);
  return { calls, faults: faults.map(({ line, message }) => ({ line, message })) };
};
