/** The sandbox of the page. Nothing is loaded before its first use. */
import { after } from '../delay.ts';
import type { Crash, Port } from '../worker/port.ts';
import type { ThreadKind } from './protocol.ts';
import { createSandbox, type Sandbox, type SandboxDeps, type Wheel } from './sandbox.ts';

export interface BrowserSandboxDeps extends Pick<SandboxDeps, 'files' | 'workingFolder' | 'history'> {
  /** Where the page lies: `sandbox.html`, `pyodide/` and `sandbox/wheels/` are beside it. */
  readonly base: URL;
  readonly document: Document;
}

interface Frame extends Disposable {
  readonly open: (kind: ThreadKind) => Port;
}

interface FrameAnswer {
  readonly ready?: true;
  readonly failed?: number;
  readonly message?: string;
}

/** The hidden frame; made at the first program. */
const createFrame = (document: Document, address: URL): Frame => {
  const { defaultView: view } = document;
  if (!view) throw new Error('the document is not shown');
  const crashes = new Map<number, (crash: Crash) => void>();
  const waiting: (() => void)[] = [];
  let element: HTMLIFrameElement | undefined;
  let isReady = false;
  let next = 1;

  const hear = ({ data, origin, source }: MessageEvent): void => {
    if (!element || origin !== address.origin || source !== element.contentWindow) return;
    const { ready, failed, message = '' } = data as FrameAnswer;
    if (ready) {
      isReady = true;
      for (const send of waiting.splice(0)) send();
    }
    if (failed !== undefined) crashes.get(failed)?.({ kind: 'lost', message });
  };
  const start = (): void => {
    if (element) return;
    element = document.createElement('iframe');
    element.hidden = true;
    element.title = 'Sandbox';
    element.setAttribute('aria-hidden', 'true');
    element.tabIndex = -1;
    element.src = address.href;
    view.addEventListener('message', hear);
    document.body.append(element);
  };
  const tell = (message: object, ports: readonly MessagePort[] = []): void => {
    const send = (): void => element?.contentWindow?.postMessage(message, address.origin, [...ports]);
    if (isReady) send();
    else waiting.push(send);
  };

  return {
    open: (kind) => {
      start();
      const id = next++;
      const { port1, port2 } = new MessageChannel();
      tell({ open: kind, id }, [port2]);
      return {
        post: (message) => port1.postMessage(message),
        onMessage: (handler) => {
          port1.onmessage = ({ data }) => handler(data);
        },
        onCrash: (handler) => void crashes.set(id, handler),
        close: () => {
          crashes.delete(id);
          port1.close();
          tell({ close: id });
        },
      };
    },
    [Symbol.dispose]: () => {
      view.removeEventListener('message', hear);
      element?.remove();
      element = undefined;
    },
  };
};

const get = async (address: URL): Promise<Uint8Array> => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

const fetchWheels = async (folder: URL): Promise<readonly Wheel[]> => {
  const names = JSON.parse(new TextDecoder().decode(await get(new URL('index.json', folder)))) as readonly string[];
  return Promise.all(names.map(async (name) => ({ name, bytes: await get(new URL(name, folder)) })));
};

export const createBrowserSandbox = ({ base, document, ...deps }: BrowserSandboxDeps): Sandbox => {
  const frame = createFrame(document, new URL('sandbox.html', base));
  let wheels: Promise<readonly Wheel[]> | undefined;
  const sandbox = createSandbox({
    ...deps,
    open: frame.open,
    python: {
      indexUrl: new URL('pyodide/', base).href,
      wheels: () => {
        wheels ??= fetchWheels(new URL('sandbox/wheels/', base)).catch((thrown: unknown) => {
          // The next program tries again.
          wheels = undefined;
          throw thrown;
        });
        return wheels;
      },
    },
    now: Date.now,
    after,
  });
  return {
    ...sandbox,
    [Symbol.dispose]: () => {
      sandbox[Symbol.dispose]();
      frame[Symbol.dispose]();
    },
  };
};
