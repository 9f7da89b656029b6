/** What the clients of all providers have in common. */
import { capabilitiesOf } from '../../model/provider/capabilities.ts';
import { readModelList } from '../../model/provider/model-list.ts';
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
import { errorFor, failureOf, recordingFor, runCall, type Attempt, type ClientSettings } from './run-call.ts';

const PATHS: Readonly<Record<Wire, string>> = {
  'anthropic-messages': '/v1/messages',
  'openai-responses': '/responses',
  'openai-chat': '/chat/completions',
};

export interface Posted {
  readonly path: string;
  /** The body, written: the client libraries send a text as it is. */
  readonly text: string;
  readonly stream: boolean;
}

export interface Transport {
  readonly id: ProviderId;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly modelsPath: string;
  readonly needsKey: boolean;
  readonly settings: ClientSettings;
  readonly post: (request: Posted, attempt: Attempt) => Promise<unknown>;
  readonly get: (path: string, attempt: Attempt) => Promise<unknown>;
  readonly fallBack?: () => boolean;
  readonly onAnswer?: () => void;
}

export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const posted = (path: string, body: WireRequest['body'], text = JSON.stringify(body)): Posted => ({
  path,
  text,
  stream: body['stream'] === true,
});

/** What both client libraries take to send a text as it is. */
export const asJson = ({ text, stream }: Posted) => ({
  body: text,
  headers: { 'content-type': 'application/json' },
  stream,
});

export const createClient = (transport: Transport): ProviderClient => {
  const { id, wire, settings, baseUrl } = transport;
  let hasAnswered = false;
  const onAnswer = (): void => {
    hasAnswered = true;
    transport.onAnswer?.();
  };
  const isKeyMissing = transport.needsKey && settings.apiKey === '';
  const preview = (request: CanonicalRequest): WireRequest => toWire(request, wire, { provider: id });
  const send = async (request: Posted, options: CallOptions): Promise<CallResult> => {
    const url = baseUrl + request.path;
    if (isKeyMissing) {
      const at = settings.now();
      const error = errorFor(settings, url, undefined, { cause: 'no_key' });
      return { ok: false, error, attempts: 0, startedAt: at, endedAt: at, content: [] };
    }
    return runCall(
      {
        wire,
        url,
        settings,
        send: (attempt) => transport.post(request, attempt),
        hasAnswered: () => hasAnswered,
        onAnswer,
        ...(transport.fallBack && { fallBack: transport.fallBack }),
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
      return send(posted(path, body, options.prepared?.text), options);
    },
    sendBody: (body, options) => send(posted(PATHS[wire], body), options),
    models: async (signal) => {
      const url = baseUrl + transport.modelsPath;
      if (isKeyMissing) return { ok: false, error: errorFor(settings, url, undefined, { cause: 'no_key' }) };
      for (;;) {
        const { recording, timeoutMs } = recordingFor(settings);
        try {
          const json = await transport.get(transport.modelsPath, { fetch: recording.fetch, signal, timeoutMs });
          onAnswer();
          const models = readModelList(json);
          if (models) return { ok: true, models };
          const failure = { cause: 'malformed_stream', message: 'it is no list of models' } as const;
          return { ok: false, error: errorFor(settings, url, recording, failure) };
        } catch (thrown) {
          const failure = failureOf(thrown, recording, signal);
          if (failure.cause === 'connection' && transport.fallBack?.()) continue;
          if (recording.last().status !== undefined) onAnswer();
          return { ok: false, error: errorFor(settings, url, recording, failure, hasAnswered) };
        }
      }
    },
  };
};
