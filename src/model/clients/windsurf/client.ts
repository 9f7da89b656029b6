/** Windsurf, as its documentation has it. */
import { documentedClient } from '../documented.ts';
import { documented } from '../types.ts';

const source = documented('https://docs.windsurf.com/windsurf/cascade/skills');
const ONE = { depth: 1, source } as const;
const optional = 'Only if reading Claude Code configuration is on.';

export const windsurf = documentedClient({
  id: 'windsurf',
  label: 'Windsurf',
  hides: false,
  roots: [
    { scope: 'project', path: '.windsurf/skills', ...ONE },
    { scope: 'project', path: '.agents/skills', ...ONE },
    { scope: 'user', path: '.codeium/windsurf/skills', ...ONE },
    { scope: 'user', path: '.agents/skills', ...ONE },
    { scope: 'project', path: '.claude/skills', ...ONE, optional },
    { scope: 'user', path: '.claude/skills', ...ONE, optional },
  ],
  facts: [
    {
      topic: 'roots',
      text: '`.windsurf/skills`, `.agents/skills`, `~/.codeium/windsurf/skills`, `~/.agents/skills`; `.claude/skills` only with a setting.',
      source,
    },
    { topic: 'fields', text: 'It shows the model only the name and description.', source },
    { topic: 'body', text: 'When the model decides, or with `@name`.', source },
  ],
});
