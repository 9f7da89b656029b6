/** One entry of a HAR archive as a recorded call. */
import { isObject, type Json, parseJson } from '../../../base/json.ts';
import { err, ok, type Result, valueOr } from '../../../base/result.ts';
import { z } from '../../zod.ts';
import { bytesOfBase64 } from '../../../base/base64.ts';
import type { Call } from '../call.ts';
import { claudeConversation } from '../claude-code/request-ids.ts';
import { codexConversation } from '../codex/conversation.ts';
import { callOfExchange } from './exchange.ts';
import { textOfBytes } from './packed-text.ts';
import { endpointOf } from './wire-of.ts';

const header = z.object({ name: z.string(), value: z.string() });
const optionalText = z.string().nullish();

const entrySchema = z.object({
  startedDateTime: z.string(),
  time: z.number().nullish(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(header).default([]),
    postData: z.object({ text: optionalText, encoding: optionalText }).nullish(),
  }),
  response: z
    .object({
      status: z.number().nullish(),
      headers: z.array(header).default([]),
      content: z.object({ text: optionalText, encoding: optionalText }).nullish(),
    })
    .nullish(),
  timings: z.record(z.string(), z.unknown()).nullish(),
});

type Headers = readonly z.infer<typeof header>[];

const headerValue = (headers: Headers, name: string): string | undefined =>
  headers.find((entry) => entry.name.toLowerCase() === name)?.value;

interface Content {
  readonly text?: string | null | undefined;
  readonly encoding?: string | null | undefined;
}

const COMPRESSED =
  'The recorded response has a compression that Lathe can’t read, so its usage is unknown. Export it decoded.';

/** Proxies keep requests as base64 too, not only answers, and some as they came: packed. `isPacked`: it cannot be read. */
const decoded = (content: Content | null | undefined): { readonly text?: string; readonly isPacked?: true } => {
  const { text, encoding } = content ?? {};
  if (text === undefined || text === null) return {};
  if (encoding !== 'base64') return { text };
  const plain = textOfBytes(bytesOfBase64(text));
  return plain === undefined ? { isPacked: true } : { text: plain };
};

/** Phases before the first byte; −1 means that one does not apply, and `ssl` is part of `connect`. */
const BEFORE_FIRST_BYTE = ['blocked', 'dns', 'connect', 'send', 'wait'];

const firstByteAfter = (timings: Readonly<Record<string, unknown>> | null | undefined): number | undefined => {
  if (typeof timings?.['wait'] !== 'number' || timings['wait'] < 0) return undefined;
  return BEFORE_FIRST_BYTE.reduce((sum, name) => {
    const value = timings[name];
    return sum + (typeof value === 'number' && value > 0 ? value : 0);
  }, 0);
};

/** Undefined for an entry that is no call of a model. */
export const callOfEntry = (raw: Json): Result<Call | undefined, string> => {
  const parsed = entrySchema.safeParse(raw);
  if (!parsed.success) return err('this is not an entry of a HAR file.');
  const { request, response, startedDateTime, time, timings } = parsed.data;
  const endpoint = endpointOf(request.url);
  if (!endpoint || request.method.toUpperCase() !== 'POST') return ok(undefined);
  const { text: body, isPacked } = decoded(request.postData);
  const asked = valueOr(parseJson(body ?? ''), undefined);
  const model = isObject(asked) ? asked['model'] : undefined;
  // Any page may have an address that ends like that of a model.
  if (endpoint.provider === 'compatible' && typeof model !== 'string') return ok(undefined);
  const startedAt = Date.parse(startedDateTime);
  if (!Number.isFinite(startedAt)) return err('startedDateTime is not a date.');
  if (isPacked) return err('the request body is compressed in a way that Lathe does not read.');
  if (body === undefined || body === '')
    return err('the entry has no request body: export the archive with content, “Save all as HAR with content”.');
  if (typeof model !== 'string') return err('the request body is not JSON with a model.');
  const firstByte = firstByteAfter(timings);
  const answer = decoded(response?.content);
  return ok({
    ...callOfExchange({
      endpoint,
      model,
      body,
      requestHeader: (name) => headerValue(request.headers, name),
      responseHeader: (name) => headerValue(response?.headers ?? [], name),
      answer: answer.text,
      ...(answer.isPacked && { notes: [COMPRESSED] }),
      status: response?.status,
      times: {
        startedAt,
        ...(firstByte !== undefined && { firstByteAt: startedAt + firstByte }),
        ...(time != null && time >= 0 && { endedAt: startedAt + time }),
      },
    }),
    ...(isObject(asked) && claudeConversation(asked, (name) => headerValue(request.headers, name))),
    ...(isObject(asked) && codexConversation(asked)),
  });
};
