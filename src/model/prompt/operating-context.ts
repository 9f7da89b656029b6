/**
 * Guidance for any agent that works in a folder with tools and skills. It is in the prompt only where a prefix would
 * otherwise be too short for the provider's cache (D15), so every paragraph has to be worth its tokens. Constants: the same
 * bytes in every session.
 */
import { FOLDER_AND_TOOLS } from './operating-context/folder-and-tools.ts';
import { MAKING_CHANGES } from './operating-context/making-changes.ts';
import { SKILLS_AND_MEMORY } from './operating-context/skills-and-memory.ts';
import { WORKING_WITH_PEOPLE } from './operating-context/working-with-people.ts';

export const OPERATING_CONTEXT_HEADING = '## Operating context';

/** In the order in which they are added; each is at most 2,000 characters. */
export const OPERATING_CONTEXT: readonly string[] = Object.freeze([
  ...FOLDER_AND_TOOLS,
  ...SKILLS_AND_MEMORY,
  ...MAKING_CHANGES,
  ...WORKING_WITH_PEOPLE,
]);
