/** What the clients of all providers have in common. */
import { capabilitiesOf } from '../../model/provider/capabilities.ts';
import { secretsOf, withoutKeys } from '../../model/provider/keys.ts';
import { readModelList } from '../../model/provider/model-list.ts';
import { refusedFields, withoutFields } from '../../model/provider/optional-fields.ts';
import { eventsOf } from '../../model/provider/read-stream.ts';
import { toWire } from '../../model/provider/to-wire.ts';
import type {
  CallOptions,
  CallResult,
  CanonicalRequest,
  ProviderClient,
  ProviderId,
  Wire,
  WireRequest,
} from '../../model/provider/types.ts';
import {
  errorFor,
  failureOf,
  isStream,
  recordingFor,
  runCall,
  type Attempt,
  type ClientSettings,
  type KeyHeaderChoice,
} from './run-call.ts';

const PATHS: Readonly<Record<Wire, string>> = {
  'anthropic-messages': '/v1/messages',
  'openai-responses': '/responses',
  'openai-chat': '/chat/completions',
};

interface Posted {
  readonly path: string;
  /** The body, written: the client libraries send a text as it is. */
  readonly text: string;
  readonly stream: boolean;
}

type SdkHeaders = Readonly<Record<string, string | null>>;

interface SdkOptions {
  headers: SdkHeaders;
  signal?: AbortSignal;
  body?: string;
  stream?: boolean;
}

/** What both SDKs have. */
interface Sdk {
  readonly post: (
    path: string,
    options: SdkOptions,
  ) => { readonly withResponse: () => Promise<{ readonly data: unknown; readonly response: Response }> };
  readonly get: (path: string, options: SdkOptions) => PromiseLike<unknown>;
}

export interface Transport {
  readonly id: ProviderId;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly modelsPath: string;
  readonly needsKey: boolean;
  readonly settings: ClientSettings;
  /** The SDK for one attempt, and the headers that count whatever else it would send. */
  readonly sdk: (attempt: Attempt) => Promise<{ readonly client: Sdk; readonly headers: SdkHeaders }>;
  /** Where there is a choice; else it is `Authorization`. */
  readonly keyHeader?: KeyHeaderChoice;
}

export const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

const posted = (path: string, body: WireRequest['body'], text = JSON.stringify(body)): Posted => ({
  path,
  text,
  stream: body['stream'] === true,
});

/** A header carries little beyond ASCII; a browser would fail as if there were no connection. */
const keyFaultOf = (apiKey: string, isNeeded: boolean): 'no_key' | 'unsendable_key' | undefined => {
  if (apiKey === '') return isNeeded ? 'no_key' : undefined;
  return /[^ -~]/.test(apiKey) ? 'unsendable_key' : undefined;
};

const isJson = ({ headers }: Response): boolean => /^application\/json\b/i.test(headers.get('content-type') ?? '');

/** Some servers answer a request for a stream in one piece; others send a stream and call it JSON. */
async function* whicheverCame(wire: Wire, stream: AsyncIterable<unknown>, copy: Response): AsyncGenerator {
  let isEmpty = true;
  for await (const event of stream) {
    isEmpty = false;
    yield event;
  }
  if (isEmpty) yield* eventsOf(wire, await copy.json());
}

const ONE_HEADER: KeyHeaderChoice = {
  first: () => 'authorization',
  instead: () => undefined,
  answered: () => undefined,
};

export const createClient = (transport: Transport): ProviderClient => {
  const { id, wire, settings, baseUrl } = transport;
  let hasAnswered = false;
  const choice = transport.keyHeader ?? ONE_HEADER;
  const keyHeader: KeyHeaderChoice = {
    ...choice,
    answered: (used) => {
      hasAnswered = true;
      choice.answered(used);
    },
  };
  // `messages.create` and its like would warn on the console and may leave fields out of the body.
  const post = async ({ path, text, stream }: Posted, attempt: Attempt): Promise<unknown> => {
    const { client, headers } = await transport.sdk(attempt);
    const options = {
      headers: { ...headers, 'content-type': 'application/json' },
      body: text,
      stream,
      ...(attempt.signal && { signal: attempt.signal }),
    };
    const { data, response } = await client.post(path, options).withResponse();
    return isStream(data) && isJson(response) ? whicheverCame(wire, data, response.clone()) : data;
  };
  const get = async (path: string, attempt: Attempt): Promise<unknown> => {
    const { client, headers } = await transport.sdk(attempt);
    return client.get(path, { headers, ...(attempt.signal && { signal: attempt.signal }) });
  };
  const keyFault = keyFaultOf(settings.apiKey, transport.needsKey);
  /** What this server has refused. */
  const refused = new Set<string>();
  const preview = (request: CanonicalRequest): WireRequest => {
    const made = toWire(request, wire, { provider: id });
    return { ...made, body: withoutFields(made.body, refused) };
  };
  const send = async (
    path: string,
    body: WireRequest['body'],
    options: CallOptions,
    text = JSON.stringify(body),
  ): Promise<CallResult> => {
    let request = posted(path, body, text);
    const url = baseUrl + request.path;
    if (keyFault) {
      const at = settings.now();
      const error = errorFor(settings, url, undefined, { cause: keyFault, provider: id });
      return { ok: false, error, attempts: 0, startedAt: at, endedAt: at, content: [] };
    }
    return runCall(
      {
        wire,
        url,
        settings,
        send: (attempt) => post(request, attempt),
        hasAnswered: () => hasAnswered,
        keyHeader,
        simplify: (said) => {
          const fields = refusedFields(body, said);
          for (const field of fields) refused.add(field);
          if (fields.length > 0) request = posted(path, withoutFields(body, refused));
          return fields;
        },
      },
      options,
    );
  };

  return {
    id,
    capabilities: (model) => capabilitiesOf(id, model, wire),
    preview,
    call: (canonical, options) => {
      const { path, body } = options.prepared?.wire ?? preview(canonical);
      return send(path, body, options, options.prepared?.text);
    },
    sendBody: (body, options) => send(PATHS[wire], body, options),
    models: async (signal) => {
      const url = baseUrl + transport.modelsPath;
      if (keyFault) return { ok: false, error: errorFor(settings, url, undefined, { cause: keyFault, provider: id }) };
      let used = keyHeader.first();
      for (;;) {
        const { recording, timeoutMs } = recordingFor(settings);
        try {
          const attempt = { fetch: recording.fetch, signal, timeoutMs, keyHeader: used };
          const json = await get(transport.modelsPath, attempt);
          keyHeader.answered(used);
          const models = readModelList(json);
          if (models) return { ok: true, models: withoutKeys(models, secretsOf(settings.apiKey)) };
          const failure = { cause: 'malformed_stream', message: 'it isn’t a list of models' } as const;
          return { ok: false, error: errorFor(settings, url, recording, failure) };
        } catch (thrown) {
          const failure = failureOf(thrown, recording, signal);
          const instead = failure.cause === 'connection' ? keyHeader.instead(used) : undefined;
          if (instead) {
            used = instead;
            continue;
          }
          if (recording.last().status !== undefined) keyHeader.answered(used);
          return { ok: false, error: errorFor(settings, url, recording, failure, hasAnswered) };
        }
      }
    },
  };
};
