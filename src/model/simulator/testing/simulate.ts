/** Talks to the simulator without any SDK. */
import { createMemoryTokenizer } from '../../../platform/tokenizer/memory-tokenizer.ts';
import { parseScenario, type Scenario } from '../scenario.ts';
import { createSimulator, type SimulatorOptions } from '../simulator.ts';
import type { SimResponse, Simulator } from '../types.ts';

/** 2026-11-16T08:00:00Z. */
export const START_MS = 1_794_816_000_000;

export const scenarioOf = (text: string): Scenario => {
  const parsed = parseScenario(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

export const newSimulator = (options: Partial<SimulatorOptions> = {}): Simulator =>
  createSimulator({
    tokenizer: createMemoryTokenizer(),
    clock: { now: () => START_MS },
    scenario: scenarioOf('rules: [{reply: {text: Yes.}}]'),
    ...options,
  });

export const ANTHROPIC = { 'anthropic-version': '2026-10-21', authorization: 'Bearer key-1' };
export const OPENAI = { authorization: 'Bearer key-1' };

export const textOf = ({ chunks }: SimResponse): string => chunks.map(({ text }) => text).join('');

export const sendTo = async (
  simulator: Simulator,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = path.startsWith('/v1/messages') ? ANTHROPIC : OPENAI,
): Promise<SimResponse> => {
  const response = await simulator.handle({
    method: 'POST',
    path,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  response.begun();
  return response;
};

/** A body of any wire, as far as tests look into it. What a wire does not have is not there. */
export interface Told {
  readonly id: string;
  readonly type: string;
  readonly content: readonly { readonly id: string; readonly text: string }[];
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly cache_creation_input_tokens: number;
    readonly cache_creation: object;
    readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  };
  readonly diagnostics: {
    readonly cache_miss_reason: { readonly type: string; readonly cache_missed_input_tokens: number };
  } | null;
  readonly prompt_cache_diagnostics: { readonly type: string; readonly reason: string };
  readonly error: { readonly message: string };
  /** Of the event that starts a stream. */
  readonly message: Told;
}

export const askFor = async (...args: Parameters<typeof sendTo>): Promise<Told> =>
  JSON.parse(textOf(await sendTo(...args))) as Told;
