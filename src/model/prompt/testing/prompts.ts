import { loadProject, type Files } from '../../library/testing/libraries.ts';
import type { ToolSpec } from '../../provider/types.ts';
import { assembleStable, type StableInput, type StablePrompt } from '../assemble.ts';

export const skillFile = (name: string, body: string, description = `Does ${name}. Use when needed.`): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`;

/** Bodies by name. */
export const skillFiles = (bodies: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(bodies).map(([name, body]) => [`skills/${name}/SKILL.md`, skillFile(name, body)]));

export const tool = (name: string, description = `Does ${name}.`): ToolSpec => ({
  name,
  description,
  inputSchema: { type: 'object', properties: {} },
});

/** A prompt over a folder with these files. */
export const assemble = async (files: Files, options: Partial<StableInput> = {}): Promise<StablePrompt> => {
  const { store } = await loadProject(files, options.dialect && { dialect: options.dialect });
  return assembleStable({
    persona: 'You help.',
    instructions: '',
    store,
    dialect: 'metis',
    policy: 'local',
    tools: [],
    padding: 'spec',
    model: 'claude-haiku-4-5',
    ...options,
  });
};
