/** The worker's side of the calls that `rpc-client.ts` describes. Free of libraries: a worker should start fast. */
import { errorMessage } from '../../base/errors.ts';
import type { Crash, WorkerPort } from './port.ts';

export const VERSION = 1;

export interface ToWorker {
  readonly v: typeof VERSION;
  readonly k: 'call' | 'push' | 'cancel';
  readonly id: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly name?: string;
  readonly data?: unknown;
  readonly reason?: string;
}

export interface ServedCall {
  readonly emit: (data: unknown) => void;
  /** Messages that the caller pushes to this call. */
  readonly onPush: (handler: (name: string, data: unknown) => void) => void;
  readonly onCancel: (handler: (reason: string) => void) => void;
}

type Method = (params: unknown, call: ServedCall) => unknown;

/** The worker's side. A method that throws answers with an error; the worker continues. */
export const serveRpc = (port: WorkerPort, methods: Readonly<Record<string, Method>>): void => {
  const pushes = new Map<number, (name: string, data: unknown) => void>();
  const cancels = new Map<number, (reason: string) => void>();
  const send = (message: object): void => port.post({ v: VERSION, ...message });

  const serve = async ({ id, method = '', params }: ToWorker): Promise<void> => {
    const call: ServedCall = {
      emit: (data) => send({ k: 'event', id, data }),
      onPush: (handler) => void pushes.set(id, handler),
      onCancel: (handler) => void cancels.set(id, handler),
    };
    try {
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!handler) throw new Error(`no method ${method}`);
      send({ k: 'reply', id, value: await handler(params, call) });
    } catch (error) {
      send({ k: 'error', id, message: errorMessage(error) });
    } finally {
      pushes.delete(id);
      cancels.delete(id);
    }
  };

  port.onMessage((message) => {
    // Only the page that made this worker can reach it.
    const data = message as ToWorker;
    if (data.k === 'call') void serve(data);
    else if (data.k === 'push') pushes.get(data.id)?.(data.name ?? '', data.data);
    else cancels.get(data.id)?.(data.reason ?? '');
  });
};

/** Tells the page that this worker is no longer to be used. */
export const reportCrash = (port: WorkerPort, crash: Crash): void => port.post({ v: VERSION, k: 'crash', crash });
