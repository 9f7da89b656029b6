import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'decode-named-character-reference';

/** The edition for browsers asks the page's document for characters such as `&amp;`, and a worker has no document. */
export const workerAlias = {
  [PACKAGE]: join(fileURLToPath(new URL('../node_modules', import.meta.url)), PACKAGE, 'index.js'),
};
