// Each rule, as `.oxlintrc.json` applies it: wrong lines are planted at a place where the rule holds, and oxlint is asked.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What each planted line says is found there: the name of a rule, or nothing. */
const planted: readonly [file: string, line: string, rule?: string][] = [
  ['src/features/a/panel.tsx', 'const all = useStore(store);', 'select-from-store'],
  ['src/features/a/panel.tsx', 'const { part } = useStore(store);', 'select-from-store'],
  ['src/features/a/panel.tsx', 'const same = useStore(store, (state) => state);', 'select-from-store'],
  ['src/features/a/panel.tsx', 'const own = useStore(store, (state) => { return state; });', 'select-from-store'],
  ['src/features/a/panel.tsx', 'const b = useSyncExternalStore(s.subscribe, s.getState);', 'select-from-store'],
  ['src/features/a/panel.tsx', 'const c = useSyncExternalStore(s.subscribe, () => s.getState());', 'select-from-store'],
  ['src/features/a/panel.tsx', 'const d = useStore(store, (state) => state.part);'],
  ['src/features/a/panel.tsx', 'const e = useSyncExternalStore(s.subscribe, () => s.getState().part);'],
  ['src/features/a/panel.tsx', 'const f = useSyncExternalStore(theme.subscribe, theme.get);'],
  ['src/app/page/a.tsx', 'const all = useStore(store);', 'select-from-store'],
  ['src/main.tsx', 'const all = useStore(store);', 'select-from-store'],
  ['src/model/a/b.test.ts', 'setTimeout(resolve, 5);', 'no-fixed-sleep'],
  ['src/model/a/b.test.ts', 'globalThis.setTimeout(resolve, ms);', 'no-fixed-sleep'],
  ['src/model/a/b.test.ts', 'setTimeout(resolve);'],
  ['src/model/a/b.test.ts', 'setTimeout(resolve, 0);'],
  ['src/model/a/b.test.ts', 'test.setTimeout(300_000);'],
  ['src/ui/a.browser.test.tsx', 'setTimeout(resolve, 5);', 'no-fixed-sleep'],
  ['src/model/a/testing/b.ts', 'setTimeout(resolve, 5);', 'no-fixed-sleep'],
  ['e2e/a.spec.ts', 'await page.waitForTimeout(300);', 'no-fixed-sleep'],
  ['e2e/a.spec.ts', "import { setTimeout as wait } from 'node:timers/promises';"],
  ['e2e/a.spec.ts', 'await wait(200);', 'no-fixed-sleep'],
  ['e2e/a.spec.ts', 'test.describe.configure({ retries: 2 });', 'no-retry'],
  ['e2e/a.spec.ts', "test('a', () => { answer({ retries: 2 }); });"],
  ['src/model/a/b.test.ts', "it('a', { retry: 1 }, () => {});", 'no-retry'],
  ['src/model/a/b.test.ts', "it.each([{ retry: 1 }])('a', { retry: 1 }, () => {});", 'no-retry'],
  ['src/model/a/b.test.ts', "it('a', { retry: 0 }, () => {});"],
  ['vitest.config.ts', 'export default defineConfig({ test: { projects: [{ test: { retry: 1 } }] } });', 'no-retry'],
  ['playwright.config.ts', 'export default defineConfig({ retries: 1 });', 'no-retry'],
  ['src/base/a.ts', '// oxlint-disable-next-line no-eval', 'reason-to-disable'],
  ['src/base/a.ts', '/* oxlint-disable no-eval -- */', 'reason-to-disable'],
  ['src/base/a.ts', '// oxlint-disable-next-line no-eval -- the text is our own'],
];

interface Finding {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly [{ readonly span: { readonly line: number } }];
}

describe('a line that a rule of ours forbids', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-lint-'));
  const files = new Set(planted.map(([file]) => file));
  const linesOf = (file: string): string[] => planted.filter(([at]) => at === file).map(([, line]) => line);
  const found = new Map<string, string[]>();

  beforeAll(() => {
    const config = JSON.parse(readFileSync(join(project, '.oxlintrc.json'), 'utf8')) as Record<string, unknown>;
    // Types are of no use to these rules, and there is no project here that could be asked for them.
    const here = { ...config, options: {}, jsPlugins: [join(project, 'scripts/lint/plugin.mjs')] };
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(here));
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), linesOf(file).join('\n'));
    }
    const oxlint = join(project, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json'], { cwd: folder, encoding: 'utf8' });
    for (const { code, filename, labels } of (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics) {
      const rule = /^lathe\((.*)\)$/.exec(code)?.[1];
      if (rule === undefined) continue;
      const at = `${filename}: ${linesOf(filename)[labels[0].span.line - 1]}`;
      found.set(at, [...(found.get(at) ?? []), rule]);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(planted)('%s: %s', (file, line, rule) => {
    expect(found.get(`${file}: ${line}`) ?? []).toEqual(rule === undefined ? [] : [rule]);
  });
});
