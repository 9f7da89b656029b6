/** Files that come with the terminal: beside the sources in a checkout, in the page that the package has built otherwise. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The package has `cli/` and `page/` side by side; a checkout builds the terminal two folders below its top.
const packaged = new URL('../page/', import.meta.url);
const isPackaged = existsSync(packaged);
const files = isPackaged ? packaged : new URL('../../public/', import.meta.url);

export const SHIPPED = {
  /** Worker threads, beside the bundle. */
  threads: new URL('./', import.meta.url),
  engine: new URL('starlark.wasm', files),
  wheels: new URL('sandbox/wheels/', files),
  /** Undefined in a checkout, where npm has them. */
  pyodide: isPackaged ? fileURLToPath(new URL('pyodide/', packaged)) : undefined,
  /** The built page; in a checkout it may not be built yet. */
  page: fileURLToPath(isPackaged ? packaged : new URL('../../dist/', import.meta.url)),
} as const;
