/**
 * Node runs no TypeScript in a thread. The bundle of the terminal holds every thread and is built once for each state of the
 * sources, so tests run the threads that the terminal runs and share one build.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cliBundle } from '../../../../scripts/cli-bundle.mjs';

export const PROJECT = new URL('../../../../', import.meta.url);

/** `root` is the project's folder; a benchmark is bundled elsewhere and has to say. */
export const threadsFolder = (root: URL = PROJECT): URL => {
  const bundle = cliBundle(fileURLToPath(root));
  if (bundle === undefined) throw new Error('the terminal, whose threads the tests use, does not build; see above');
  return new URL('./', pathToFileURL(bundle));
};
