// The journeys of a session against `lathe sim` over HTTP, as each kind of provider: nothing of the page knows that it is no
// real one. The server can be told to refuse a key, to be overloaded, to fall silent in mid-stream, and to be later.
import type { Page } from '@playwright/test';
import { createSimulator } from '../src/model/simulator/simulator.ts';
import type { SimRequest, SimResponse, Simulator } from '../src/model/simulator/types.ts';
import { startSimServer, type SimServer } from '../src/platform/provider/node-sim-server.ts';
import { createNodeTokenizer } from '../src/platform/tokenizer/node-tokenizer.ts';
import { openSession, type SessionPage } from './fixtures/session-page.ts';
import { expect, test } from './fixtures/test.ts';
import type { Workbench } from './fixtures/workbench.ts';

const QUESTION = 'Have a look at the new endpoint POST /refunds before we publish it to partners.';
const WRONG = 'wrong-key-0123456789';
const MINUTE = 60_000;

/** What the next answers are. */
interface Mood {
  fault: string | undefined;
  times: number;
  later: number;
}

const refused = (path: string): SimResponse => ({
  status: 401,
  headers: { 'content-type': 'application/json' },
  chunks: [
    {
      text: JSON.stringify(
        path.startsWith('/v1/messages')
          ? { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }
          : {
              error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' },
            },
      ),
      afterMs: 0,
    },
  ],
  end: 'close',
  begun: () => {},
});

/** Half of an answer, and then nothing more: long enough to press Stop. */
const HALF = 'half';
const half = async (simulator: Simulator, request: SimRequest): Promise<SimResponse> => {
  const { chunks, ...response } = await simulator.handle(request);
  return { ...response, chunks: chunks.slice(0, Math.ceil(chunks.length / 2)), end: 'hang' };
};

const moody = (simulator: Simulator, mood: Mood): Simulator => ({
  ...simulator,
  handle: (request: SimRequest) => {
    const { headers } = request;
    if (`${headers['x-api-key'] ?? ''} ${headers['authorization'] ?? ''}`.includes(WRONG))
      return Promise.resolve(refused(request.path));
    if (mood.times === 0 || mood.fault === undefined || request.method !== 'POST') return simulator.handle(request);
    mood.times--;
    if (mood.fault === HALF) return half(simulator, request);
    return simulator.handle({ ...request, headers: { ...headers, 'x-lathe-fault': mood.fault } });
  },
});

const PROVIDERS = [
  { name: 'Anthropic', path: '', model: 'claude-haiku-4-5', other: 'claude-sonnet-4-5' },
  { name: 'OpenAI', path: '/v1', model: 'gpt-6-sol', other: 'gpt-6-luna' },
  { name: 'Compatible', path: '/v1', model: 'gpt-6-sol', other: 'gpt-6-luna' },
] as const;

type Provider = (typeof PROVIDERS)[number];

for (const provider of PROVIDERS)
  test.describe(`lathe sim as ${provider.name}`, () => {
    const mood: Mood = { fault: undefined, times: 0, later: 0 };
    let server: SimServer;
    test.beforeAll(async () => {
      const simulator = createSimulator({
        tokenizer: createNodeTokenizer(),
        clock: { now: () => Date.now() + mood.later },
      });
      server = await startSimServer({ simulator: moody(simulator, mood), port: 0, speed: 0 });
    });
    test.afterAll(() => server.close());
    test.beforeEach(() => {
      Object.assign(mood, { fault: undefined, times: 0, later: 0 });
    });
    // They were wanted: requests to the provider, and what the browser says of those that it refused.
    test.afterEach(({ watched }) => {
      watched.requests.length = 0;
      const wanted = /Failed to load resource|ERR_/;
      watched.faults.splice(0, watched.faults.length, ...watched.faults.filter((fault) => !wanted.test(fault)));
    });

    test('faults, the cache, a metaskill: three sessions of one page', async ({ bench, page }) => {
      test.slow();
      const session = await connect(bench, page, provider, server.url, WRONG);
      await test.step('a wrong key, an overloaded provider, a stop in mid-stream', async () => {
        await session.ask('Hello', 1);
        await expect(session.turn(1).getByRole('alert')).toContainText('doesn’t accept the key');
        await useKey(session, page, provider, 'any-key-will-do');

        Object.assign(mood, { fault: 'overloaded', times: 1 });
        await session.ask(QUESTION, 2);
        await expect(session.turn(2)).toContainText('Attempt 1 failed');
        await expect(session.turn(2).getByRole('alert')).toHaveCount(0);

        Object.assign(mood, { fault: HALF, times: 1 });
        await session.say('And GET /refunds?');
        await expect(page.getByRole('banner')).toContainText('streaming');
        const arrived = await session.turn(3).locator('p').last().innerText();
        expect(arrived).toMatch(/\w/);
        await session.button('Stop').click();
        await session.settled();
        await expect(session.turn(3)).toContainText('Stopped. Lathe kept the partial response.');
        await expect(session.turn(3)).toContainText(arrived);
        const exported = await session.export();
        expect(exported).toContain('"reason":"user_cancel"');
        // Anthropic counts the prompt when the stream begins, the others when it ends.
        if (provider.name === 'Anthropic') expect(Math.max(...(await session.reads(3)))).toBeGreaterThan(0);
        await session.turn(3).getByRole('button', { name: 'Try again' }).click();
        await expect(session.turn(4)).toBeVisible();
        await session.settled();
        await expect(session.turn(4).getByRole('alert')).toHaveCount(0);
      });
      await test.step('reads from the cache, names a expire and another model, and comes back from an export', async () => {
        await session.button('New session').click();
        await expect(session.turn(1)).toHaveCount(0);
        await session.ask(QUESTION, 1);
        await session.ask('And GET /refunds?', 2);
        await expect(session.region.getByRole('alert')).toHaveCount(0);
        expect(Math.max(...(await session.reads(2)))).toBeGreaterThan(0);

        // The provider’s clock and the page’s continue together.
        mood.later = provider.name === 'Anthropic' ? 6 * MINUTE : 25 * 60 * MINUTE;
        await page.clock.setSystemTime(Date.now() + mood.later);
        await session.ask('And DELETE /refunds?', 3);
        if (provider.name === 'Anthropic') await expect(session.turn(3).getByText('Expired').first()).toBeVisible();

        await (await session.models()).getByRole('combobox', { name: 'Model' }).fill(provider.other);
        await page.keyboard.press('Enter');
        await session.ask('And what is the error called?', 4);
        await expect(session.turn(4).getByText('Model changed').first()).toBeVisible();

        const text = await session.textOf(1);
        const exported = await session.export();
        expect(exported).not.toContain('any-key-will-do');
        await session.menu('Delete this session…');
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
        await session.menu('Import…');
        await page
          .getByRole('dialog', { name: 'Import session' })
          .getByLabel('Session file')
          .setInputFiles({ name: 'session.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(exported) });
        await expect(session.turn(4)).toBeVisible();
        await expect.poll(() => session.textOf(1)).toBe(text);
        const before = exported.trimEnd().split('\n');
        expect((await session.export()).split('\n').slice(0, before.length)).toEqual(before);
      });
      await test.step('runs a metaskill with its asks, and refuses a fourth skill', async () => {
        await session.button('New session').click();
        await expect(session.turn(1)).toHaveCount(0);
        await session.ask('Draft the release notes for Harbour 2.4. They must have the heading "## Rollback".', 1);
        await expect(session.turn(1).getByRole('group', { name: /^run_metaskill/ })).toContainText('accepted');
        await session.ask('Use $commit-message and $csv-tidy and $diff-review', 2);
        await bench.show('Activation budget');
        await expect(bench.region('Activation budget').getByRole('list', { name: 'Refused' })).toContainText(
          'activation budget exhausted',
        );
      });
    });
  });

const useKey = async (session: SessionPage, page: Page, { name }: Provider, key: string): Promise<void> => {
  await session.menu('Keys…');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  const forget = keys.getByRole('button', { name: new RegExp(`Remove the key for (a )?${name}`, 'i') });
  await expect(keys).toBeVisible();
  if (await forget.isVisible()) await forget.click();
  await keys.getByRole('textbox', { name: new RegExp(`Key for (a )?${name}`, 'i') }).fill(key);
  await keys.getByRole('button', { name: new RegExp(`Use the key for (a )?${name}`, 'i') }).click();
  await expect(forget).toBeVisible();
  await keys.getByRole('button', { name: 'Done' }).click();
};

const connect = async (
  bench: Workbench,
  page: Page,
  provider: Provider,
  url: string,
  key = 'any-key-will-do',
): Promise<SessionPage> => {
  const session = await openSession(bench);
  await session.chooseModel('Provider', new RegExp(`^${provider.name}`));
  const dialog = await session.settings();
  await dialog.getByRole('textbox', { name: 'Base URL' }).fill(url + provider.path);
  await useKey(session, page, provider, key);
  await (await session.models()).getByRole('combobox', { name: 'Model' }).fill(provider.model);
  await page.keyboard.press('Enter');
  return session;
};
