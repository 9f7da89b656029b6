import { countTexts } from '../cli/count-texts.ts';
import { forecast, createRequestReader, writtenIn } from '../model/cache/forecast.ts';
import { createCacheModel } from '../model/cache/engine.ts';
import { explainCalls } from '../model/traffic/explainer.ts';
import { createRecordingReader } from '../model/traffic/recording/read-recording.ts';
import { joinSources } from '../model/traffic/recording/sources.ts';
import { createNodeTokenizer } from '../platform/tokenizer/node-tokenizer.ts';
import type { CachePrediction, Explanation, PlannedRequest } from './types.ts';

const FILE = 'recording';

export const verdicts = async (recording: string): Promise<Explanation> => {
  const reader = createRecordingReader(FILE);
  for (const line of recording.split('\n')) reader.add(line);
  const { calls, faults } = joinSources([{ file: FILE, ...reader.end() }]);
  const explained = explainCalls(calls, { tokens: await countTexts(calls) });
  return {
    verdicts: explained.map(({ call, verdict }) => ({
      line: call.source?.line,
      kind: verdict.kind,
      cause: verdict.cause,
      evidence: verdict.evidence,
      tokensLost: verdict.tokensLost,
      costLost: verdict.costLost,
      repair: verdict.repair,
      certainty: verdict.certainty,
    })),
    faults: faults.map(({ line, message }) => ({ line, message })),
  };
};

export const predictions = async (requests: readonly PlannedRequest[]): Promise<readonly CachePrediction[]> => {
  const reader = createRequestReader(createNodeTokenizer());
  const cache = createCacheModel();
  const found: CachePrediction[] = [];
  for (const [index, { wire, body, startedAt }] of requests.entries()) {
    const read = await reader.read({ wire, body, startedAt, scope: '', estimated: true });
    if (!read.ok) throw new Error(`Request ${index + 1}: ${read.error}`);
    const told = forecast(cache, read.value);
    found.push({
      promptTokens: told.promptTokens,
      read: told.usage.read,
      written: writtenIn(told),
      uncached: told.usage.uncached,
      usd: told.usd,
      uncertain: told.uncertain,
      faults: told.faults.map(({ message }) => message),
    });
    const sent = cache.send(read.value);
    // What the provider refuses leaves nothing behind.
    if (told.faults.length > 0) sent.failed();
    else sent.answered(startedAt);
  }
  return found;
};
