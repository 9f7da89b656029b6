// The real Claude Code works against the simulator, and the page watches its folder through the browser's real picker. It needs the
// installed CLI, which is a big download: LATHE_CLAUDE names its program (scripts/clients.mjs installs it). docs/clients.md has the result.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { missingScreenTools } from '../scripts/screen.mjs';
import { startScreen } from './fixtures/screen.ts';
import { expect, test } from './fixtures/test.ts';
import { Workbench } from './fixtures/workbench.ts';

const CLAUDE = process.env['LATHE_CLAUDE'];

test('the rows of a real Claude Code appear while it works: two sub-agents, a skill, and a conversation that continues', async ({
  address,
}) => {
  const why = CLAUDE === undefined ? 'LATHE_CLAUDE names no program' : missingScreenTools().join(', ');
  if (CLAUDE === undefined || why !== '') {
    process.stderr.write(`watch-real.spec.ts is skipped: ${why}.\n`);
    test.skip(true, why);
    return;
  }
  test.setTimeout(400_000);
  using screen = await startScreen();
  const top = await mkdtemp(join(tmpdir(), 'lathe-watch-'));
  const [home, project, bodies] = [join(top, 'home'), join(top, 'project'), join(top, 'claude-bodies')];
  for (const folder of [home, join(project, '.claude/skills/tides'), bodies]) await mkdir(folder, { recursive: true });
  await writeFile(
    join(project, '.claude/skills/tides/SKILL.md'),
    '---\nname: tides\ndescription: Explains tides.\n---\nTides come twice a day.\n',
  );
  const simulator = spawn(process.execPath, [
    'bin/lathe',
    'sim',
    '--port',
    '0',
    '--scenario',
    'scripts/clients/agents.yaml',
  ]);
  const url = await new Promise<string>((resolve) => {
    simulator.stdout.on('data', (data: Uint8Array) => {
      const [found] = /http:\S+/.exec(new TextDecoder().decode(data)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const ask = (prompt: string, ...more: readonly string[]) =>
    spawn(
      CLAUDE,
      [
        '-p',
        prompt,
        '--model',
        'claude-haiku-4-5',
        '--output-format',
        'json',
        '--dangerously-skip-permissions',
        ...more,
      ],
      {
        cwd: project,
        stdio: 'ignore',
        env: {
          PATH: process.env['PATH'],
          HOME: home,
          IS_SANDBOX: '1',
          DISABLE_TELEMETRY: '1',
          DISABLE_AUTOUPDATER: '1',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_API_KEY: 'sk-fake',
          OTEL_LOG_RAW_API_BODIES: `file:${bodies}`,
        },
      },
    );
  const ended = (child: ReturnType<typeof ask>): Promise<number | null> =>
    new Promise((resolve) => child.on('close', resolve));
  const executablePath = findChromium();
  const context = await chromium.launchPersistentContext(join(top, 'profile'), {
    headless: false,
    viewport: null,
    colorScheme: 'light',
    baseURL: address,
    serviceWorkers: 'block',
    env: screen.env,
    args: ['--window-position=0,0', '--window-size=1200,800'],
    ...(executablePath && { executablePath }),
  });
  try {
    const bench = new Workbench(context.pages()[0] ?? (await context.newPage()));
    const { page } = bench;
    await bench.open();
    await page.goto('#view=sessions');
    const sources = bench.region('Sources');
    await sources.getByRole('button', { name: 'Watch an agent' }).click();
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await screen.chooseFolder(bodies);
    await screen.allow();
    const list = sources.getByRole('list', { name: 'Watched folders' });
    await expect(list).toContainText('watching, no requests yet');
    const count = async (): Promise<number> =>
      Number(/watching, (\d+) request/.exec((await list.textContent()) ?? '')?.[1] ?? 0);

    const first = ask('Please start two helpers');
    let isWorking = true;
    const firstEnd = ended(first).then((code) => {
      isWorking = false;
      return code;
    });
    // While it works, not only at its end.
    await expect.poll(async () => (await count()) > 0 && isWorking, { timeout: 120_000 }).toBe(true);
    expect(await firstEnd).toBe(0);
    // One that starts two, one for each of them, and one that hears of them.
    await expect.poll(count, { timeout: 60_000 }).toBeGreaterThanOrEqual(4);
    const before = await count();
    expect(await ended(ask('Thanks. And now use the skill', '--continue'))).toBe(0);
    await expect.poll(count, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + 2);
    const png = process.env['LATHE_SHOT'];
    if (png !== undefined) await page.screenshot({ path: png });
  } finally {
    await context.close();
    simulator.kill();
    await rm(top, { recursive: true, force: true });
  }
});
