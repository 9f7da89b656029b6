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
    { topic: 'roots', text: 'It doesn’t read `.agents/skills`, `.github/skills`, or `.codex/skills`.', source: BOTH },
    {
      topic: 'precedence',
      text: 'The folder name is the skill name. If two skills share a name, the user’s wins, then the nearest folder’s. The other isn’t listed.',
      source: NEW,
    },
    { topic: 'precedence', text: '2.1.197 lists every copy.', source: measured('2.1.197') },
    {
      topic: 'fields',
      text: '`description` and `when_to_use` are the text. Without a description, Claude Code uses the first line of the body.',
      source: BOTH,
    },
    {
      topic: 'fields',
      text: '`disable-model-invocation` hides a skill, and so does `paths` until a file matches. `user-invocable`, `allowed-tools`, `model`, `context`, and unknown fields change nothing in the listing.',
      source: BOTH,
    },
    {
      topic: 'text',
      text: 'The listing is a `<system-reminder>` in the first user message; for newer models, in a system message after it.',
      source: BOTH,
    },
    {
      topic: 'text',
      text: '`<` and `>` arrive as `&lt;` and `&gt;`; line breaks and invisible characters as one space.',
      source: NEW,
    },
    {
      topic: 'budget',
      text: 'One percent of the context window, counted in terminal columns. Each entry’s text has at most 1,536 UTF-16 units. Claude Code’s own entries use about 6,200 columns.',
      source: NEW,
    },
    {
      topic: 'order',
      text: 'Over budget, the most-used skills keep their descriptions. Claude Code drops each description that no longer fits and tries the next one. Names always stay.',
      source: BOTH,
    },
    {
      topic: 'body',
      text: 'The Skill tool’s result is one line; the body follows as a text block with the folder’s path before it. Frontmatter is removed.',
      source: BOTH,
    },
    {
      topic: 'compaction',
      text: 'After `/compact`, it restores the bodies of used skills, newest first, each cut to 20,000 UTF-16 units and about 100,000 in total.',
      source: BOTH,
    },
    {
      topic: 'compaction',
      text: 'After a conversation continues in a new process and is compacted, bodies aren’t restored.',
      source: BOTH,
    },
    {
      topic: 'roots',
      text: 'Managed folders come first, then skills synced from an account.',
      source: documented('https://code.claude.com/docs/en/skills'),
    },
    {
      topic: 'budget',
      text: 'A remote flag can raise the budget to 100,000. Whether it applies to an account is unknown.',
      source: UNKNOWN,
    },
  ],
  list: listClaudeCode,
};
