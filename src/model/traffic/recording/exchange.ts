/** One HTTP exchange, as any recorder keeps it, as a recorded call. Of the headers only fingerprints and names of betas are kept. */
import { isObject, type Json } from '../../../base/json.ts';
import { keyId } from '../../provider/keys.ts';
import type { RecordedCall } from '../../cache/types.ts';
import { readDiagnosis } from './diagnosis.ts';
import { readResponse } from './response.ts';
import { readUsage, usageNotes } from './usage.ts';
import type { Endpoint } from './wire-of.ts';

/** By lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

export interface Exchange {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly body: string;
  readonly requestHeader: HeaderOf;
  readonly responseHeader: HeaderOf;
  /** The answer: its text, or its object. */
  readonly answer: Json | undefined;
  readonly status?: number | null | undefined;
  readonly times: Pick<RecordedCall, 'startedAt' | 'firstByteAt' | 'endedAt' | 'isTimeless'>;
  readonly notes?: readonly string[];
}

const fingerprint = (header: HeaderOf): string | undefined => {
  const key = header('x-api-key') ?? header('authorization')?.replace(/^Bearer\s+/i, '');
  return key === undefined || key === '' ? undefined : keyId(key);
};

export const callOfExchange = (exchange: Exchange): RecordedCall => {
  const { endpoint, model, body, answer, status, times } = exchange;
  const { wire, provider } = endpoint;
  const { usage: rawUsage, diagnostics, failed, partial, ...kept } = readResponse(answer, wire);
  const usage = readUsage(rawUsage, wire, partial === true);
  const notes = [...(exchange.notes ?? []), ...usageNotes(rawUsage, usage)];
  const diagnosis = readDiagnosis(diagnostics);
  const key = fingerprint(exchange.requestHeader);
  const betas = exchange.requestHeader('anthropic-beta');
  const workspaceId = exchange.responseHeader('anthropic-workspace-id');
  const isFailed = failed === true || (status ?? 200) >= 400 || status === 0;
  return {
    provider,
    wire,
    model,
    body,
    ...times,
    ...(usage && { usage }),
    ...(isObject(rawUsage) && { rawUsage }),
    ...(diagnosis && { diagnosis }),
    response: { ...kept, ...(workspaceId !== undefined && { workspaceId }) },
    ...(key !== undefined && { keyId: key }),
    ...(betas !== undefined && { betas: betas.split(',').map((beta) => beta.trim()) }),
    ...(isFailed && { failed: true }),
    ...(notes.length > 0 && { notes }),
  };
};
