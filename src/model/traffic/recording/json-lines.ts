import { type Json, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import type { RecordingFault } from './types.ts';

export interface JsonLines {
  readonly add: (line: string) => void;
  readonly faults: readonly RecordingFault[];
}

/** Reads one JSON value per line. A last line that is cut off belongs to a file that is still being written, and is not a fault. */
export const createJsonLines = <Value extends Json>(
  isWanted: (value: Json | undefined) => value is Value,
  message: string,
  take: (value: Value, line: number) => void,
): JsonLines => {
  const faults: RecordingFault[] = [];
  let number = 0;
  let cut: RecordingFault | undefined;
  return {
    faults,
    add: (line) => {
      number++;
      if (line.trim() === '') return;
      if (cut) faults.push(cut);
      const value = valueOr(parseJson(line), undefined);
      cut = undefined;
      if (isWanted(value)) take(value, number);
      else cut = { line: number, message };
    },
  };
};
