// Page and terminal are one (D42): both are asked the same questions of the same folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { index } from './cli/commands/index.ts';
import { prefix } from './cli/commands/prefix.ts';
import { openFacts, skillText } from './stores/testing/workspace.ts';

const FILES = {
  'AGENTS.md': 'Be kind.',
  'apps/web/AGENTS.md': 'Of the web.',
  'apps/web/skills/lint/SKILL.md': skillText('lint', 'Of the web.'),
  'apps/api/skills/lint/SKILL.md': skillText('lint', 'Of the api.'),
  'skills/lint/SKILL.md': skillText('lint', 'Of all.'),
  'skills/wrong/SKILL.md': 'no frontmatter',
};

const folder = mkdtempSync(join(tmpdir(), 'lathe-both-'));
const top = join(folder, 'work');
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const json = async (run: (args: readonly string[]) => Promise<number>): Promise<unknown> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    expect(await run([top, '--cwd', 'apps/web', '--json'])).toBe(0);
    return JSON.parse(write.mock.calls.map(([text]) => String(text)).join(''));
  } finally {
    write.mockRestore();
  }
};

it('the same skills load and the same prefix is sent from a working folder', async () => {
  const { facts, shown } = await openFacts(FILES);
  await shown.open();
  await facts.chooseWorkingFolder('apps/web');
  await shown.reload();
  const { view, prompt } = facts.getState();

  const found = await json(index);
  expect(found).toMatchObject({
    report: view?.library.report.map(({ path, outcome }) => ({ path, outcome })),
    instructions: view?.instructions.files.map(({ path, outcome }) => ({ path, outcome })),
  });
  const sent = await json(prefix);
  expect(sent).toMatchObject({
    natural: prompt?.natural,
    estimate: prompt?.estimate,
    preloaded: prompt?.preloaded,
    segments: [...(prompt?.toolSegments ?? []), ...(prompt?.segments ?? [])].map(({ kind, text }) => ({ kind, text })),
  });
});
