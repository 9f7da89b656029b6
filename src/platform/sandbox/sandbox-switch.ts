/** One sandbox for whatever folder is open. It is made at the first program and thrown away with the folder. */
import { createEmitter } from '../../base/emitter.ts';
import type { PendingTree } from '../../model/tool/pending-tree.ts';
import type { Sandbox, SandboxState } from './sandbox.ts';

export interface SwitchDeps {
  /** Of the folder that is open now. */
  readonly files: () => PendingTree | undefined;
  readonly make: (files: PendingTree) => Sandbox | Promise<Sandbox>;
}

const IDLE: SandboxState = { running: 0, progress: undefined };

export const createSandboxSwitch = ({ files, make }: SwitchDeps): Sandbox => {
  const listeners = createEmitter<undefined>();
  let current: { readonly files: PendingTree; readonly sandbox: Promise<Sandbox> } | undefined;
  let ready: Sandbox | undefined;

  const drop = (): void => {
    const old = current;
    current = undefined;
    ready = undefined;
    void old?.sandbox.then(
      (sandbox) => sandbox[Symbol.dispose](),
      () => {},
    );
  };
  const sandboxNow = async (): Promise<Sandbox | undefined> => {
    const open = files();
    if (!open) return undefined;
    if (current?.files !== open) {
      drop();
      const made = Promise.resolve(make(open));
      current = { files: open, sandbox: made };
      const sandbox = await made;
      if (current.sandbox !== made) return sandbox;
      ready = sandbox;
      sandbox.subscribe(() => listeners.emit(undefined));
      return sandbox;
    }
    return current.sandbox;
  };
  const execute: Sandbox['execute'] = async (request) => {
    const sandbox = await sandboxNow();
    return sandbox ? sandbox.execute(request) : { kind: 'failed', message: 'no folder is open' };
  };
  return {
    execute,
    run: (request) => execute(request),
    state: () => ready?.state() ?? IDLE,
    subscribe: listeners.subscribe,
    [Symbol.dispose]: drop,
  };
};
