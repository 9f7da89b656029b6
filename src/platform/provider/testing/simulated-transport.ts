/** The two ways in which an SDK reaches the simulator: a fetch, and HTTP. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { createSimulator, type SimulatorOptions } from '../../../model/simulator/simulator.ts';
import type { Simulator } from '../../../model/simulator/types.ts';
import { createMemoryTokenizer } from '../../tokenizer/memory-tokenizer.ts';
import { startSimServer } from '../node-sim-server.ts';
import { createSimulatedFetch } from '../simulated-fetch.ts';

export const TRANSPORTS = ['fetch', 'http'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface Connected {
  readonly simulator: Simulator;
  readonly anthropic: Anthropic;
  readonly openai: OpenAI;
  /** For what an SDK would not send. */
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** 2026-11-16T08:00:00Z. */
const START_MS = 1_794_816_000_000;

export const newSimulator = (options: Partial<SimulatorOptions> = {}): Simulator =>
  createSimulator({ tokenizer: createMemoryTokenizer(), clock: { now: () => START_MS }, ...options });

export const connect = async (
  transport: Transport,
  options: Partial<SimulatorOptions> = {},
  maxRetries = 0,
): Promise<Connected> => {
  const simulator = newSimulator(options);
  const server = transport === 'http' ? await startSimServer({ simulator, port: 0, speed: 0 }) : undefined;
  const url = server?.url ?? 'https://simulator.invalid';
  const use = server ? fetch : createSimulatedFetch(simulator, { speed: 0 });
  return {
    simulator,
    anthropic: new Anthropic({ apiKey: 'sk-test', baseURL: url, fetch: use, maxRetries, logLevel: 'off' }),
    openai: new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, fetch: use, maxRetries, logLevel: 'off' }),
    fetch: use,
    url,
    close: async () => server?.close(),
  };
};
