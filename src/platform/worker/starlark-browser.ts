import starlarkWorker from './starlark.worker.ts?worker&url';
import { openBrowserWorker } from './browser-worker.ts';
import { EngineHost } from './engine-host.ts';

/** The engine of the page. Nothing is loaded before its first use. */
export const createBrowserEngine = (wasmUrl: string): EngineHost =>
  new EngineHost({
    compile: async () => {
      const response = await fetch(wasmUrl);
      if (!response.ok) throw new Error(`${wasmUrl}: ${response.status}`);
      // Some static servers do not know the type of .wasm, and compileStreaming insists on it.
      const typed = new Response(response.body, { headers: { 'content-type': 'application/wasm' } });
      return WebAssembly.compileStreaming(typed);
    },
    open: (name) => openBrowserWorker(starlarkWorker, name),
    now: () => performance.now(),
  });
