/** Everything that a session takes from folders when it starts. Instructions come first, then skills (D10). */
import { discoverInstructions, type Instructions } from '../instructions/instructions.ts';
import { loadLibrary, type Library, type LibraryInput, type LibraryOptions } from './load-library.ts';

export interface Workspace {
  readonly instructions: Instructions;
  readonly library: Library;
}

export const openWorkspace = async (input: LibraryInput, options: LibraryOptions): Promise<Workspace> => {
  const instructions = await discoverInstructions(
    { ...(input.project && { project: input.project }), ...(input.user && { user: input.user }) },
    options.log,
  );
  return { instructions, library: await loadLibrary(input, options) };
};
