/** A provider that answers from a script, for tests of whatever talks to one. */
import { capabilitiesOf } from '../../model/provider/capabilities.ts';
import type {
  Block,
  CallEvent,
  CallOptions,
  CallResult,
  CanonicalRequest,
  ModelListing,
  ProviderClient,
  ProviderDiagnosis,
  ProviderError,
  ProviderId,
  StopReason,
  Usage,
} from '../../model/provider/types.ts';
import { toAnthropic } from '../../model/provider/wire-anthropic.ts';

export interface MemoryStep {
  /** A string is one text block. With `error` or `hang`: what came before. */
  readonly content?: string | readonly Block[];
  /** Default: `tool_use` if a tool is called, else `end_turn`. */
  readonly stopReason?: StopReason;
  readonly usage?: Partial<Usage>;
  readonly diagnosis?: ProviderDiagnosis;
  /** Default: `msg_1`, `msg_2`, … */
  readonly responseId?: string;
  readonly error?: Partial<ProviderError>;
  /** Says nothing more until it is aborted. */
  readonly hang?: boolean;
}

export type MemoryScript =
  | readonly (MemoryStep | string)[]
  | ((request: CanonicalRequest, index: number) => MemoryStep | string | Promise<MemoryStep | string>);

export interface MemoryProvider extends ProviderClient {
  /** In the order in which they came. */
  readonly requests: readonly CanonicalRequest[];
  /** The bodies that were sent, as text. */
  readonly bodies: readonly string[];
}

export interface MemoryProviderOptions {
  readonly id?: ProviderId;
  /** Default: a clock that ticks once each time it is read. */
  readonly now?: () => number;
  readonly models?: readonly ModelListing[];
}

const NO_USAGE: Usage = { uncached: 0, read: 0, writes: {}, output: 0, cacheReported: true, partial: false };

const error = (given: Partial<ProviderError>): ProviderError => ({
  class: 'other',
  code: 'unknown',
  message: 'The call failed.',
  nextStep: 'Try again.',
  retryable: false,
  ...given,
});

const CANCELLED = error({
  class: 'cancelled',
  code: 'cancelled',
  message: 'The call was stopped.',
  nextStep: 'Send again when you are ready.',
});

/** A block before its first delta. */
const emptied = (block: Block): Block => {
  if (block.type === 'text' || block.type === 'thinking') return { ...block, text: '' };
  return block.type === 'tool_use' ? { ...block, input: {} } : block;
};

const deltasOf = (block: Block, index: number): CallEvent[] => {
  const delta = (kind: 'text' | 'thinking' | 'tool_input', text: string): CallEvent[] =>
    // Two pieces, so that anyone who listens has to join them.
    [text.slice(0, Math.ceil(text.length / 2)), text.slice(Math.ceil(text.length / 2))]
      .filter((piece) => piece !== '')
      .map((piece) => ({ type: 'delta', index, kind, text: piece }));
  if (block.type === 'text' || block.type === 'thinking') return delta(block.type, block.text);
  if (block.type !== 'tool_use') return [];
  return delta('tool_input', typeof block.input === 'string' ? block.input : JSON.stringify(block.input));
};

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
  });

export const createMemoryProvider = (script: MemoryScript, options: MemoryProviderOptions = {}): MemoryProvider => {
  const id = options.id ?? 'anthropic';
  let ticks = 0;
  const now = options.now ?? (() => ticks++);
  const requests: CanonicalRequest[] = [];
  const bodies: string[] = [];

  const stepFor = async (request: CanonicalRequest, index: number): Promise<MemoryStep> => {
    const step = typeof script === 'function' ? await script(request, index) : script[index];
    if (typeof step === 'string') return { content: step };
    return step ?? { error: { code: 'script_ended', message: `The script has no step ${index + 1}.` } };
  };

  const preview = (request: CanonicalRequest) => toAnthropic(request, { provider: id });

  const call = async (request: CanonicalRequest, { signal, onEvent, prepared }: CallOptions): Promise<CallResult> => {
    const index = requests.length;
    const wire = prepared?.wire ?? preview(request);
    const body = prepared?.text ?? JSON.stringify(wire.body);
    requests.push(request);
    bodies.push(body);
    const startedAt = now();
    onEvent?.({ type: 'attempt', attempt: 1, url: `memory:${wire.path}`, body, at: startedAt });
    const step = await stepFor(request, index);
    const responseId = step.responseId ?? `msg_${index + 1}`;

    const content: Block[] = [];
    let firstByteAt: number | undefined;
    const finish = () => ({
      attempts: 1,
      startedAt,
      ...(firstByteAt !== undefined && { firstByteAt, responseId, model: request.model }),
      endedAt: now(),
      ...(step.diagnosis && { diagnosis: step.diagnosis }),
      content,
    });
    const failed = (failure: ProviderError): CallResult => {
      const partial = step.usage && { ...NO_USAGE, ...step.usage, partial: true };
      if (partial) onEvent?.({ type: 'usage', usage: partial });
      onEvent?.({ type: 'attempt_failed', attempt: 1, error: failure });
      return { ...finish(), ok: false, error: failure, ...(partial && { usage: partial }) };
    };

    const blocks: readonly Block[] =
      typeof step.content === 'string' ? [{ type: 'text', text: step.content }] : (step.content ?? []);
    if (blocks.length > 0 || !(step.error || step.hang)) {
      firstByteAt = now();
      onEvent?.({ type: 'headers', status: 200, at: firstByteAt });
    }
    for (const [at, block] of blocks.entries()) {
      onEvent?.({ type: 'block_start', index: at, block: emptied(block) });
      for (const event of deltasOf(block, at)) {
        // A pause between deltas: anyone who stops the call does it here.
        await Promise.resolve();
        if (signal?.aborted) return failed(CANCELLED);
        onEvent?.(event);
      }
      content.push(block);
      onEvent?.({ type: 'block_stop', index: at, block });
    }
    if (step.hang) await aborted(signal);
    if (signal?.aborted) return failed(CANCELLED);
    if (step.error) return failed(error(step.error));

    const usage: Usage = { ...NO_USAGE, ...step.usage };
    onEvent?.({ type: 'usage', usage });
    const calls = blocks.some(({ type }) => type === 'tool_use');
    return { ...finish(), ok: true, usage, stopReason: step.stopReason ?? (calls ? 'tool_use' : 'end_turn') };
  };

  return {
    id,
    capabilities: (model) => capabilitiesOf(id, model, 'anthropic-messages'),
    preview,
    call,
    models: () => Promise.resolve({ ok: true, models: options.models ?? [] }),
    requests,
    bodies,
  };
};
