import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder, runLathe } from './testing/run-lathe.ts';

it('SP4: --listing shows the listing of an agent and version, and wins over the script', () => {
  using folder = createFolder({
    '.claude/skills/csv/SKILL.md': '---\nname: csv\ndescription: Reads <csv>.\n---\nBody.\n',
    'script.yaml': 'folder: .\nlisting: codex\nturns:\n  - say: Hello.\n',
  });
  const wrong = runLathe(['session', 'script.yaml', '--listing', 'claud'], folder.path);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain("invalid --listing 'claud'; expected claude-code, codex");
  const asked = ['session', 'script.yaml', '--listing', 'claude-code@2.1.197', '--events', 'events.jsonl'];
  expect(runLathe(asked, folder.path).code).toBe(0);
  const journal = readFileSync(join(folder.path, 'events.jsonl'), 'utf8');
  expect(journal).toContain('"listing":"claude-code","listing_version":"2.1.197"');
  expect(journal).toContain('- csv: Reads <csv>.');
});
