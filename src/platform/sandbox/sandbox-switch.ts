/** One sandbox for whatever folder is open. It is made at the first program and thrown away with the folder. */
import { createEmitter } from '../../base/emitter.ts';
import { errorMessage } from '../../base/errors.ts';
import type { CommandRunner } from '../../model/tool/dispatcher.ts';
import type { PendingTree } from '../../model/tool/pending-tree.ts';
import type { Sandbox, SandboxState } from './sandbox.ts';

export interface SwitchDeps {
  /** Of the folder that is open now. */
  readonly files: () => PendingTree | undefined;
  readonly make: (files: PendingTree) => Sandbox | Promise<Sandbox>;
}

export interface SandboxSwitch extends Omit<Sandbox, 'run'> {
  /** For a session over these files: its commands never run in another folder. */
  readonly runOver: (files: PendingTree) => CommandRunner;
}

const IDLE: SandboxState = { running: 0, progress: undefined };

export const createSandboxSwitch = ({ files, make }: SwitchDeps): SandboxSwitch => {
  const listeners = createEmitter<undefined>();
  let current: { readonly files: PendingTree; readonly sandbox: Promise<Sandbox> } | undefined;
  let ready: Sandbox | undefined;

  const drop = (): void => {
    const old = current;
    current = undefined;
    ready = undefined;
    void old?.sandbox.then(
      (sandbox) => sandbox[Symbol.dispose](),
      // Anyone who asked for it was reported.
      () => {},
    );
    listeners.emit(undefined);
  };
  const sandboxOver = async (open: PendingTree): Promise<Sandbox> => {
    if (current?.files === open) return current.sandbox;
    drop();
    const made = (async () => make(open))();
    const own = { files: open, sandbox: made };
    current = own;
    try {
      const sandbox = await made;
      if (current === own) {
        ready = sandbox;
        sandbox.subscribe(() => {
          if (ready === sandbox) listeners.emit(undefined);
        });
      }
      return sandbox;
    } catch (thrown) {
      // The next program tries again: its files may have been out of reach.
      if (current === own) current = undefined;
      throw thrown;
    }
  };
  const execute: Sandbox['execute'] = async (request) => {
    const open = files();
    if (!open) return { kind: 'failed', message: 'no folder is open' };
    let sandbox: Sandbox;
    try {
      sandbox = await sandboxOver(open);
    } catch (thrown) {
      const why = errorMessage(thrown);
      return { kind: 'failed', message: `the sandbox could not be loaded: ${why}` };
    }
    return sandbox.execute(request);
  };
  return {
    execute,
    runOver: (own) => async (request) =>
      files() === own
        ? execute(request)
        : { kind: 'failed', message: 'this session’s folder is no longer open; open it again' },
    state: () => ready?.state() ?? IDLE,
    subscribe: listeners.subscribe,
    [Symbol.dispose]: drop,
  };
};
