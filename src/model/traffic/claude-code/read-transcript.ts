/** A transcript of Claude Code as a recording. Recognized by its lines, not by its name. */
import { isObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { createJsonLines } from '../recording/json-lines.ts';
import type { RecordingReader } from '../recording/types.ts';
import { createClaudeCodeReader } from './reader.ts';

/** Kinds of lines that only a transcript has; they come before the first message. */
const OWN_KINDS: ReadonlySet<unknown> = new Set([
  'queue-operation',
  'last-prompt',
  'api-request',
  'api-request-shape',
  'api-request-blob',
]);

export const isTranscriptLine = (line: string): boolean => {
  if (!line.includes('"type"')) return false;
  const value = valueOr(parseJson(line), undefined);
  if (!isObject(value) || typeof value['type'] !== 'string') return false;
  if (value['type'] === 'file-history-snapshot') return 'messageId' in value || 'snapshot' in value;
  if (value['type'] === 'summary') return 'leafUuid' in value;
  if (!('sessionId' in value)) return false;
  return OWN_KINDS.has(value['type']) || ('parentUuid' in value && 'isSidechain' in value);
};

export const createTranscriptReader = (file: string): RecordingReader => {
  const reader = createClaudeCodeReader(file);
  const lines = createJsonLines(isObject, 'the line is not a JSON object.', reader.add);
  return {
    add: lines.add,
    end: () => ({ ...reader.end(), faults: [...lines.faults] }),
    canGrow: () => true,
  };
};
