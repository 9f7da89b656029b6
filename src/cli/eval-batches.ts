/** The batch API of a provider for the terminal, and what a run by batches keeps beside its journal. */
import { appendFileSync, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import { batchLine, readBatchLines, type BatchLine, type BatchMemory } from '../model/evals/run/batch-journal.ts';
import type { BatchClient } from '../model/provider/batch.ts';
import type { ProviderId, Wire } from '../model/provider/types.ts';
import { createAnthropicBatchClient } from '../platform/provider/batch/anthropic-batch-client.ts';
import { createOpenaiBatchClient } from '../platform/provider/batch/openai-batch-client.ts';
import type { BatchConnection } from '../platform/provider/batch/batch-http.ts';
import { linesIn } from './journal-file.ts';

/** Where the simulator of this process answers; nothing leaves it. */
const SIMULATOR = 'https://simulator.invalid';

export const openBatchClient = (
  provider: ProviderId,
  wire: Wire,
  connection: BatchConnection,
): Result<BatchClient, string> => {
  if (provider === 'openrouter') return err('OpenRouter has no batch API. Leave out --batch.');
  const isSimulated = provider === 'simulator';
  const own = isSimulated ? { ...connection, apiKey: 'simulator', baseUrl: SIMULATOR } : connection;
  if (provider !== 'compatible' && own.apiKey.trim() === '')
    return err('No API key in the environment. Set ANTHROPIC_API_KEY or OPENAI_API_KEY.');
  if (wire === 'anthropic-messages') return ok(createAnthropicBatchClient(own));
  const base = isSimulated ? `${SIMULATOR}/v1` : own.baseUrl;
  return ok(createOpenaiBatchClient(wire, { ...own, ...(base !== undefined && { baseUrl: base }) }));
};

export interface BatchFile {
  readonly memory: BatchMemory;
  readonly note: (line: BatchLine) => void;
}

/** Of a fresh run, earlier lines count no longer. `keysLeft`: of cases without a result, asked for once. */
export const openBatchFile = (file: string, isFresh: boolean, keysLeft: () => ReadonlySet<string>): BatchFile => {
  mkdirSync(dirname(file), { recursive: true });
  if (isFresh && existsSync(file)) truncateSync(file, 0);
  const isKnown = existsSync(file) && statSync(file).size > 0;
  let wholeLength = 0;
  function* lines(): Generator<string> {
    for (const { line, end } of linesIn(file)) {
      wholeLength = end;
      yield line;
    }
  }
  const keys = isKnown ? keysLeft() : new Set<string>();
  const memory = readBatchLines(isKnown ? lines() : [], (key) => keys.has(key));
  if (isKnown && wholeLength < statSync(file).size) truncateSync(file, wholeLength);
  return { memory, note: (line) => appendFileSync(file, batchLine(line)) };
};
