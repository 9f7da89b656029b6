/** Everything that a session takes from folders when it starts. Instructions come first, then skills (D10). */
import { discoverInstructions } from '../instructions/instructions.ts';
import { loadLibrary, type LibraryInput, type LibraryOptions } from '../library/load-library.ts';
import type { SessionSources } from '../session/start.ts';

export const openWorkspace = async (input: LibraryInput, options: LibraryOptions): Promise<SessionSources> => {
  const instructions = await discoverInstructions(
    { ...(input.project && { project: input.project }), ...(input.user && { user: input.user }) },
    options.log,
  );
  return { instructions, library: await loadLibrary(input, options) };
};
