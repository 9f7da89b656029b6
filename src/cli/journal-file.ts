/** A journal on disk, line by line: of a long run only the line in hand is held. */
import { closeSync, openSync, readSync } from 'node:fs';
import { err, ok, type Result } from '../base/result.ts';
import { readHead, readRecord, type CaseRecord, type JournalHead } from '../model/evals/run/journal.ts';

const CHUNK = 65_536;
/** A record is short; more is no journal. */
const MOST_LINE = 4_000_000;
const LINE_FEED = 10;

/** Whole lines with the place behind each; what follows the last line feed is left out. A line that is too long is empty. */
export function* linesIn(file: string): Generator<{ readonly line: string; readonly end: number }> {
  const handle = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK);
    let pieces: Buffer[] = [];
    let [held, place] = [0, 0];
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1 && at < read; at = chunk.indexOf(LINE_FEED, from)) {
        pieces.push(chunk.subarray(from, at));
        const line = held + at - from > MOST_LINE ? '' : Buffer.concat(pieces).toString('utf8');
        yield { line, end: place + at + 1 };
        pieces = [];
        held = 0;
        from = at + 1;
      }
      held += read - from;
      // What is too long to be read need not be held.
      if (held <= MOST_LINE) pieces.push(Buffer.from(chunk.subarray(from, read)));
      place += read;
    }
  } finally {
    closeSync(handle);
  }
}

export interface JournalFile {
  readonly head: JournalHead;
  /** Bytes of whole lines: a cut last line is written over. As far as the records were read. */
  readonly wholeLength: () => number;
  /** Lines that are no record. As far as the records were read. */
  readonly unread: () => number;
  readonly records: () => Generator<CaseRecord>;
}

/** Nothing where the file has no whole line. */
export const openJournalFile = (file: string): Result<JournalFile | undefined, string> => {
  const [first] = linesIn(file);
  if (!first) return ok(undefined);
  const head = readHead(first.line);
  if (!head.ok) return err(`${file}: ${head.error}`);
  let [wholeLength, unread] = [first.end, 0];
  return ok({
    head: head.value,
    wholeLength: () => wholeLength,
    unread: () => unread,
    *records() {
      unread = 0;
      for (const { line, end } of linesIn(file)) {
        wholeLength = end;
        if (end === first.end) continue;
        const record = readRecord(line);
        if (record) yield record;
        else unread++;
      }
    },
  });
};
