/** A transcript of Claude Code as a recording. Recognized by its lines, not by its name. */
import { isObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import type { Recording, RecordingFault } from '../recording/types.ts';
import { createClaudeCodeReader } from './reader.ts';

const LINE_END = /\r\n|\n|\r/;
/** Lines that are looked at to tell what a file is. */
const HEAD = 50;

export const isTranscript = (text: string): boolean =>
  text
    .slice(0, 4_000_000)
    .split(LINE_END, HEAD)
    .some((line) => {
      if (!line.includes('"sessionId"')) return false;
      const value = valueOr(parseJson(line), undefined);
      return isObject(value) && 'type' in value && 'parentUuid' in value && 'isSidechain' in value;
    });

/** A last line that is cut off belongs to a file that is still being written. */
export const readTranscript = (text: string, file: string): Recording => {
  const reader = createClaudeCodeReader(file);
  const faults: RecordingFault[] = [];
  const lines = text.split(LINE_END);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = valueOr(parseJson(line), undefined);
    if (isObject(value)) reader.add(value, index + 1);
    else if (index < lines.length - 1) faults.push({ line: index + 1, message: 'the line is not a JSON object.' });
  }
  const { calls, copies } = reader.end();
  // Sub-agents of a session whose files are not here stand in its own file, too.
  const known = new Set(calls.map(({ id }) => id));
  const all = [...calls, ...copies.filter(({ id }) => !known.has(id))].toSorted((a, b) => a.startedAt - b.startedAt);
  return { calls: all, lines: all.map(({ source }) => source?.line ?? 1), faults };
};
