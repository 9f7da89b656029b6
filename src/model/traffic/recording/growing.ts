/** A file that grows while it is watched: reading continues where it ended, wherever its format allows that. */
import type { SharedValues } from '../shared-values.ts';
import { createLineSplitter } from './lines.ts';
import { createRecordingReader } from './read-recording.ts';
import type { Recording } from './types.ts';

export interface GrowingFile {
  /** The byte to read from: a little before the end, so that a file that was written again is noticed. 0: its start. */
  readonly from: number;
  /** Bytes of all that was taken. */
  readonly size: number;
  readonly add: (text: string) => void;
  /** All that it holds so far. */
  readonly end: () => Recording;
  /** It is not the file that it was: read it from its start, as a new one. */
  readonly isOther: () => boolean;
}

/** Characters that are read again. */
const OVERLAP = 256;

const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

export const createGrowingFile = (file: string, shared?: SharedValues): GrowingFile => {
  const reader = createRecordingReader(file, shared);
  const lines = createLineSplitter(reader.add, reader.addPart);
  /** Bytes of all that was taken, and its last characters. */
  let taken = 0;
  let ending = '';
  let from = 0;
  /** What has to come again before anything new does. */
  let expected = '';
  let isOther = false;
  let isReading = false;

  const take = (text: string): void => {
    lines.add(text);
    taken += sizeOf(text);
    ending = (ending + text).slice(-OVERLAP);
  };

  return {
    get from() {
      return from;
    },
    get size() {
      return taken;
    },
    isOther: () => isOther || (isReading && expected !== ''),
    add: (text) => {
      // Until its end is reached nobody knows where to continue.
      from = 0;
      isReading = true;
      if (isOther) return;
      const again = Math.min(expected.length, text.length);
      isOther = !text.startsWith(expected.slice(0, again));
      expected = expected.slice(again);
      if (!isOther && again < text.length) take(text.slice(again));
    },
    end: () => {
      isOther ||= expected !== '';
      isReading = false;
      // A last line without its end may be a part of one: then the file is read from its start next time.
      const isResumable = ending.endsWith('\n') && reader.canGrow?.() === true;
      if (!isResumable) lines.end();
      // Half of a character at its start would be another text.
      expected = isResumable ? ending.slice(/^[\uDC00-\uDFFF]/.test(ending) ? 1 : 0) : '';
      from = isResumable ? taken - sizeOf(expected) : 0;
      return reader.end();
    },
  };
};
