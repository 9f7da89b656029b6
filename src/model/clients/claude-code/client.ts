/** Claude Code: where it looks, and what is known of what it does. */
import { documented, fromCode, measured, UNKNOWN, type Client } from '../types.ts';
import { VERSIONS } from './limits.ts';
import { listClaudeCode } from './listing.ts';

const NEW = measured('2.1.328');
const BOTH = measured('2.1.328 and 2.1.197');
const BUNDLE = fromCode('npm bundle 2.1.328');

export const claudeCode: Client = {
  id: 'claude-code',
  label: 'Claude Code',
  versions: VERSIONS,
  roots: [
    { scope: 'user', path: '.claude/skills', depth: 1, dotFolders: true, nodeModules: true, source: BOTH },
    {
      scope: 'project',
      path: '.claude/skills',
      levels: 'up',
      depth: 1,
      dotFolders: true,
      nodeModules: true,
      source: BOTH,
    },
    { scope: 'user', path: '.claude/commands', depth: Infinity, commands: true, source: BUNDLE },
    { scope: 'project', path: '.claude/commands', levels: 'up', depth: Infinity, commands: true, source: BUNDLE },
  ],
  facts: [
    {
      topic: 'roots',
      text: '`~/.claude/skills`, then `.claude/skills` of the working folder and of every folder above it up to the top of the repository, then `.claude/commands`, then plugins. One level deep.',
      source: BOTH,
    },
    { topic: 'roots', text: '`.agents/skills`, `.github/skills`, and `.codex/skills` are not read.', source: BOTH },
    {
      topic: 'precedence',
      text: 'The folder is the name. Of two skills with one name, the user’s comes first, then the nearest folder’s; the other is not listed.',
      source: NEW,
    },
    { topic: 'precedence', text: '2.1.197 lists every copy.', source: measured('2.1.197') },
    {
      topic: 'fields',
      text: '`description` and `when_to_use` are the text. Without a description, the first line of the body is.',
      source: BOTH,
    },
    {
      topic: 'fields',
      text: '`disable-model-invocation` hides a skill, and so does `paths` until a file matches. `user-invocable`, `allowed-tools`, `model`, `context`, and unknown fields change nothing in the listing.',
      source: BOTH,
    },
    {
      topic: 'text',
      text: 'The listing is a `<system-reminder>` in the first user message; for newer models, part of a system message after it.',
      source: BOTH,
    },
    {
      topic: 'text',
      text: '`<` and `>` arrive as `&lt;` and `&gt;`; line breaks and invisible characters as one space.',
      source: NEW,
    },
    {
      topic: 'budget',
      text: 'One percent of the context window, counted in columns of a terminal; each text at most 1,536 UTF-16 units. Its own entries use up about 6,200 columns.',
      source: NEW,
    },
    {
      topic: 'order',
      text: 'Over budget, the most used skills keep their texts; each text that no longer fits is left out, and the next one is tried. Names always stay.',
      source: BOTH,
    },
    {
      topic: 'body',
      text: 'The Skill tool’s result is one line; the body follows as a text block with the folder’s path before it. Frontmatter is removed.',
      source: BOTH,
    },
    {
      topic: 'compaction',
      text: 'After `/compact`, bodies of skills that were used come back, newest first, each cut to 20,000 UTF-16 units, about 100,000 in all.',
      source: BOTH,
    },
    {
      topic: 'compaction',
      text: 'Whether bodies come back when a conversation is continued in a new process and compacted: they do not.',
      source: BOTH,
    },
    {
      topic: 'roots',
      text: 'Managed folders and skills that an account synchronizes come first and second.',
      source: documented('https://code.claude.com/docs/en/skills'),
    },
    {
      topic: 'budget',
      text: 'A remote flag may raise the budget to at most 100,000; whether it does for an account.',
      source: UNKNOWN,
    },
  ],
  list: listClaudeCode,
};
