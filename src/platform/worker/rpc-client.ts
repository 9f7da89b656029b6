/**
 * Calls across a worker boundary.
 *
 * A call is a request with an id. Until its reply the worker may stream events to the caller, the caller may push messages
 * to the call (an answer, a command), and it may cancel it. A crash of the worker rejects every open call.
 *
 *   page → worker   {v, k: 'call', id, method, params}   {v, k: 'push', id, name, data}   {v, k: 'cancel', id, reason}
 *   worker → page   {v, k: 'event', id, data}            {v, k: 'reply', id, value}       {v, k: 'error', id, message}
 *                   {v, k: 'crash', crash}
 *
 * A message with another version is a mistake of the build and rejects everything. One with an unknown id is late, and
 * ignored.
 */
import { z } from 'zod';
import type { Crash, Port } from './port.ts';
import { type ToWorker, VERSION } from './rpc-server.ts';

const fromWorker = z.object({ v: z.literal(VERSION) }).and(
  z.discriminatedUnion('k', [
    z.object({ k: z.literal('event'), id: z.number(), data: z.unknown() }),
    z.object({ k: z.literal('reply'), id: z.number(), value: z.unknown() }),
    z.object({ k: z.literal('error'), id: z.number(), message: z.string() }),
    z.object({
      k: z.literal('crash'),
      crash: z.object({ kind: z.enum(['memory', 'stack', 'exit', 'lost']), message: z.string() }),
    }),
  ]),
);

type FromWorker = z.infer<typeof fromWorker>;

/** The worker died, or answered nonsense. */
export class WorkerCrash extends Error {
  readonly crash: Crash;

  constructor(crash: Crash) {
    super(crash.message);
    this.name = 'WorkerCrash';
    this.crash = crash;
  }
}

export interface Call {
  readonly id: number;
  readonly reply: Promise<unknown>;
  readonly push: (name: string, data: unknown) => void;
  readonly cancel: (reason: string) => void;
}

interface OpenCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onEvent: ((data: unknown) => void) | undefined;
}

/** The page's side of one worker. */
export class RpcClient {
  readonly #port: Port;
  readonly #open = new Map<number, OpenCall>();
  #next = 1;
  #crash: Crash | undefined;

  constructor(port: Port, onCrash?: (crash: Crash) => void) {
    this.#port = port;
    port.onMessage((message) => this.#receive(message, onCrash));
    port.onCrash((crash) => this.#fail(crash, onCrash));
  }

  get crashed(): Crash | undefined {
    return this.#crash;
  }

  call(method: string, params: unknown, onEvent?: (data: unknown) => void): Call {
    const id = this.#next++;
    const post = (message: Omit<ToWorker, 'v' | 'id'>): void => this.#port.post({ v: VERSION, id, ...message });
    const reply = new Promise<unknown>((resolve, reject) => {
      if (this.#crash) {
        reject(new WorkerCrash(this.#crash));
        return;
      }
      this.#open.set(id, { resolve, reject, onEvent });
      post({ k: 'call', method, params });
    });
    const open = (): boolean => this.#open.has(id);
    return {
      id,
      reply,
      push: (name, data) => void (open() && post({ k: 'push', name, data })),
      cancel: (reason) => void (open() && post({ k: 'cancel', reason })),
    };
  }

  /** Ends the worker; open calls are rejected with this reason. */
  close(crash: Crash = { kind: 'lost', message: 'the worker was closed' }): void {
    this.#port.close();
    this.#fail(crash, undefined);
  }

  #receive(message: unknown, onCrash: ((crash: Crash) => void) | undefined): void {
    if (this.#crash) return;
    const parsed = fromWorker.safeParse(message);
    if (!parsed.success) {
      this.#port.close();
      this.#fail({ kind: 'lost', message: 'the worker sent a message of another version' }, onCrash);
      return;
    }
    const data: FromWorker = parsed.data;
    if (data.k === 'crash') {
      this.#port.close();
      this.#fail(data.crash, onCrash);
      return;
    }
    const call = this.#open.get(data.id);
    if (!call) return;
    if (data.k === 'event') {
      call.onEvent?.(data.data);
      return;
    }
    this.#open.delete(data.id);
    if (data.k === 'reply') call.resolve(data.value);
    else call.reject(new Error(data.message));
  }

  #fail(crash: Crash, onCrash: ((crash: Crash) => void) | undefined): void {
    if (this.#crash) return;
    this.#crash = crash;
    const calls = [...this.#open.values()];
    this.#open.clear();
    for (const call of calls) call.reject(new WorkerCrash(crash));
    onCrash?.(crash);
  }
}
