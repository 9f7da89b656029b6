/** Kiro, as its documentation has it. */
import { documentedClient } from '../documented.ts';
import { documented } from '../types.ts';

const source = documented('https://kiro.dev/docs/skills');
const ONE = { depth: 1, source } as const;

export const kiro = documentedClient({
  id: 'kiro',
  label: 'Kiro',
  hides: false,
  roots: [
    { scope: 'project', path: '.kiro/skills', ...ONE },
    { scope: 'user', path: '.kiro/skills', ...ONE },
  ],
  facts: [
    { topic: 'roots', text: '`.kiro/skills` of the workspace and of the home folder.', source },
    { topic: 'precedence', text: 'The workspace wins.', source },
    { topic: 'fields', text: 'It loads the name and description at startup.', source },
    { topic: 'body', text: 'On demand, or with `/name`.', source },
  ],
});
