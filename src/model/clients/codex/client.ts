/** Codex: where it looks, and what is known of what it does. */
import { fromCode, measured, UNKNOWN, type Client } from '../types.ts';
import { listCodex, VERSIONS } from './listing.ts';

const NOW = measured('0.169.0');
const CODE = fromCode('openai/codex 343074d4');
const ROOT = {
  depth: 6,
  ownSkill: true,
  belowSkills: true,
  noLinkedFile: true,
  nodeModules: true,
  source: NOW,
} as const;

export const codex: Client = {
  id: 'codex',
  label: 'Codex',
  versions: VERSIONS,
  roots: [
    { scope: 'project', path: '.codex/skills', levels: 'up', ...ROOT },
    { scope: 'user', path: '.codex/skills', ...ROOT },
    { scope: 'user', path: '.agents/skills', ...ROOT },
    { scope: 'user', path: '.codex/skills/.system', ...ROOT },
    { scope: 'project', path: '.agents/skills', levels: 'down', ...ROOT },
  ],
  facts: [
    {
      topic: 'roots',
      text: '`.codex/skills` of the working folder and of every folder above it in the repository, `~/.codex/skills`, `~/.agents/skills`, and every `.agents/skills` from the top down. Six levels deep, also below skills.',
      source: NOW,
    },
    { topic: 'roots', text: '`/etc/codex/skills` and plugins.', source: CODE },
    {
      topic: 'precedence',
      text: 'Codex lists all skills with the same name. `$name` then injects none of them.',
      source: NOW,
    },
    {
      topic: 'fields',
      text: 'A description is required, and the name has at most 64 characters. Codex ignores `disable-model-invocation` and `when_to_use`; `policy.allow_implicit_invocation: false` in `agents/openai.yaml` hides a skill.',
      source: NOW,
    },
    {
      topic: 'text',
      text: 'The first part of the developer message: a table of roots and one line per skill. Line breaks become spaces, and nothing is escaped.',
      source: NOW,
    },
    {
      topic: 'budget',
      text: 'Two percent of the context window: 5,440 tokens of four bytes. A description is cut to 1,024 characters.',
      source: NOW,
    },
    {
      topic: 'order',
      text: 'Over budget, Codex cuts all descriptions to the same length. Shorter ones stay whole. Without room for the names, it drops the last skills.',
      source: NOW,
    },
    {
      topic: 'body',
      text: 'The model opens the file itself. `$name` adds the whole file, frontmatter included, as a user message.',
      source: NOW,
    },
    { topic: 'compaction', text: 'What remains of a skill after compaction.', source: UNKNOWN },
  ],
  list: listCodex,
};
