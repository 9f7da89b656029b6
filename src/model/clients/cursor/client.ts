/** Cursor, as its documentation has it. */
import { documentedClient } from '../documented.ts';
import { documented } from '../types.ts';

const source = documented('https://cursor.com/docs/skills');
const ONE = { depth: 1, source } as const;

export const cursor = documentedClient({
  id: 'cursor',
  label: 'Cursor',
  hides: true,
  roots: [
    { scope: 'project', path: '.agents/skills', ...ONE },
    { scope: 'project', path: '.cursor/skills', ...ONE },
    { scope: 'user', path: '.agents/skills', ...ONE },
    { scope: 'user', path: '.cursor/skills', ...ONE },
    { scope: 'project', path: '.claude/skills', ...ONE },
    { scope: 'project', path: '.codex/skills', ...ONE },
    { scope: 'user', path: '.claude/skills', ...ONE },
    { scope: 'user', path: '.codex/skills', ...ONE },
  ],
  facts: [
    {
      topic: 'roots',
      text: '`.agents/skills` and `.cursor/skills` of the project and the home folder; `.claude/skills` and `.codex/skills` for compatibility.',
      source,
    },
    { topic: 'fields', text: '`disable-model-invocation` leaves only the slash command.', source },
  ],
});
