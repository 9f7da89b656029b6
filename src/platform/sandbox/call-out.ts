/**
 * Questions from a program in a worker to its host, inside one call of `rpc-client.ts`.
 *
 *   worker → host   event {question: id, what, params}
 *   host → worker   push 'answer' {id, value} or {id, fault: {code?, message}}
 */
import { errorMessage } from '../../base/errors.ts';
import type { ServedCall } from '../worker/rpc-server.ts';

export interface Question {
  readonly question: number;
  readonly what: string;
  readonly params: readonly unknown[];
}

export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly fault?: { readonly code?: string; readonly message: string };
}

export type CallOut = (what: string, ...params: readonly unknown[]) => Promise<unknown>;

/** An error as it was on the other side. */
class RemoteFault extends Error {
  readonly code: string | undefined;

  constructor({ code, message }: NonNullable<Answer['fault']>) {
    super(message);
    this.name = 'RemoteFault';
    this.code = code;
  }
}

export const createCallOut = (call: ServedCall): CallOut => {
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let next = 1;
  call.onPush((name, data) => {
    if (name !== 'answer') return;
    const { id, value, fault } = data as Answer;
    const question = open.get(id);
    open.delete(id);
    if (fault) question?.reject(new RemoteFault(fault));
    else question?.resolve(value);
  });
  return (what, ...params) =>
    new Promise((resolve, reject) => {
      const id = next++;
      open.set(id, { resolve, reject });
      call.emit({ question: id, what, params } satisfies Question);
    });
};

const codeOf = (thrown: unknown): string | undefined => {
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

/** What the host sends back. A question that fails is an answer. */
export const answerTo = async (
  { question: id, what, params }: Question,
  act: (what: string, params: readonly unknown[]) => Promise<unknown>,
): Promise<Answer> => {
  try {
    return { id, value: await act(what, params) };
  } catch (thrown) {
    const code = codeOf(thrown);
    const message = errorMessage(thrown);
    return { id, fault: { message, ...(code !== undefined && { code }) } };
  }
};
