import { fileURLToPath } from 'node:url';

/** The edition for browsers asks the page's document for characters such as `&amp;`, and a worker has no document. */
export const workerAlias = {
  'decode-named-character-reference': fileURLToPath(
    new URL('../node_modules/decode-named-character-reference/index.js', import.meta.url),
  ),
};
