/** What is said beforehand is what is billed (FC20): random folders, settings and edits, against the simulator. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../base/log.ts';
import { createUlid } from '../base/ulid.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import { createProvider } from '../platform/provider/create-provider.ts';
import { createSimulatedFetch } from '../platform/provider/simulated-fetch.ts';
import { createMemoryTokenizer } from '../platform/tokenizer/memory-tokenizer.ts';
import type { Forecast } from '../model/cache/forecast.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import { createJournal } from '../model/event/journal.ts';
import { editLibrary } from '../model/preview/edited.ts';
import { editCost } from '../model/preview/edit-cost.ts';
import { PADDING_POLICIES } from '../model/prompt/types.ts';
import { costOf } from '../model/provider/cost.ts';
import { BREAKPOINT_MODES, promptTokens, TTLS, type Tokenizer } from '../model/provider/types.ts';
import { paddingPlot } from '../model/instruments/padding-view.ts';
import { prefixReport } from '../model/instruments/prefix-report.ts';
import { createSimulator } from '../model/simulator/simulator.ts';
import type { SimFault } from '../model/simulator/types.ts';
import { OPTIONAL_TOOLS } from '../model/tool/definitions.ts';
import { createPendingTree } from '../model/tool/pending-tree.ts';
import { createPolicy } from '../model/tool/policy.ts';
import { openWorkspace } from '../model/workspace/open-workspace.ts';
import { folderChanges } from '../model/session/changes.ts';
import { snapshotMetaskills } from '../model/session/host-skills.ts';
import { forecastBetween, forecastOf, type ImagineDeps } from '../model/session/imagine.ts';
import { paddingBasis } from '../model/session/padding-basis.ts';
import { startSession, type Session } from '../model/session/session.ts';
import { firstRequest } from '../model/session/session-request.ts';
import { createShadow } from '../model/session/shadow.ts';
import { DEFAULT_SETTINGS, planSession, type SessionPlan } from '../model/session/start.ts';

type Files = Readonly<Record<string, string>>;

const START = Date.UTC(2026, 10, 18, 9);
const MESSAGE = 'Please tell me what you can do.';
const MODELS = ['claude-haiku-4-5', 'claude-opus-5', 'claude-sonnet-4-5', 'gpt-6-sol', 'gpt-5.1'] as const;

const skillText = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

const words = fc.stringMatching(/^[a-z]{2,9}( [a-z]{2,9}){2,14}$/);
const body = fc.tuple(words, fc.constantFrom(1, 4, 30, 120)).map(([text, times]) => `${text}. `.repeat(times));
const names = ['alpha', 'beta', 'gamma', 'delta'] as const;

const folder = fc
  .record({
    skills: fc.array(fc.record({ name: fc.constantFrom(...names), description: words, body }), { maxLength: 4 }),
    agents: fc.option(body),
    memory: fc.option(words),
  })
  .map(({ skills, agents, memory }): Files => {
    const files: Record<string, string> = {};
    for (const { name, description, body: text } of skills)
      files[`skills/${name}/SKILL.md`] = skillText(name, description, text);
    if (agents !== null) files['AGENTS.md'] = agents;
    if (memory !== null) files['MEMORY.md'] = memory;
    return files;
  });

interface Choices {
  readonly settings: SessionSettings;
  readonly padding: (typeof PADDING_POLICIES)[number];
  readonly persona: string;
  readonly withoutTools: readonly string[];
}

const choices = fc
  .record({
    model: fc.constantFrom(...MODELS),
    mode: fc.constantFrom(...BREAKPOINT_MODES),
    ttl: fc.constantFrom(...TTLS),
    padding: fc.constantFrom(...PADDING_POLICIES),
    persona: words,
    withoutTools: fc.subarray([...OPTIONAL_TOOLS]),
  })
  .map(({ model, mode, ttl, padding, persona, withoutTools }): Choices => ({
    padding,
    persona,
    withoutTools,
    settings: { ...DEFAULT_SETTINGS, model, cache: { mode, ttl: { tools: ttl, system: ttl, messages: ttl } } },
  }));

/** One edit: of the folder, or of what the next session starts with. */
type Edit = (files: Files, now: Choices) => readonly [Files, Choices];

const skillEdit = (change: (text: string) => string | undefined): fc.Arbitrary<Edit> =>
  fc.nat().map((at) => (files, now) => {
    const paths = Object.keys(files).filter((path) => path.endsWith('SKILL.md'));
    const path = paths[at % Math.max(1, paths.length)];
    if (path === undefined) return [files, now];
    const { [path]: text = '', ...rest } = files;
    const next = change(text);
    return [next === undefined ? rest : { ...rest, [path]: next }, now];
  });

const setting = <T>(arbitrary: fc.Arbitrary<T>, change: (now: Choices, value: T) => Choices): fc.Arbitrary<Edit> =>
  arbitrary.map((value) => (files, now) => [files, change(now, value)]);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(words, body).map(([description, text]): Edit => (files, now) => [
    { ...files, 'skills/added/SKILL.md': skillText('added', description, text) },
    now,
  ]),
  skillEdit(() => undefined),
  fc.constant<Edit>((files, now) => {
    const path = Object.keys(files).find((one) => one.endsWith('SKILL.md'));
    if (path === undefined) return [files, now];
    const { [path]: text = '', ...rest } = files;
    return [{ ...rest, 'skills/renamed/SKILL.md': text.replace(/^name: .*$/m, 'name: renamed') }, now];
  }),
  words.chain((description) => skillEdit((text) => text.replace(/^description: .*$/m, `description: ${description}`))),
  body.chain((text) => skillEdit((old) => `${old}\n${text}`)),
  body.map((text): Edit => (files, now) => [{ ...files, 'AGENTS.md': text }, now]),
  words.map((text): Edit => (files, now) => [{ ...files, 'MEMORY.md': text }, now]),
  setting(words, (now, persona) => ({ ...now, persona })),
  setting(fc.subarray([...OPTIONAL_TOOLS]), (now, withoutTools) => ({ ...now, withoutTools })),
  setting(fc.constantFrom(...MODELS), (now, model) => ({ ...now, settings: { ...now.settings, model } })),
  setting(fc.constantFrom(...TTLS), (now, ttl) => ({
    ...now,
    settings: { ...now.settings, cache: { ...now.settings.cache, ttl: { tools: ttl, system: ttl, messages: ttl } } },
  })),
  setting(fc.constantFrom(...PADDING_POLICIES), (now, padding) => ({ ...now, padding })),
  setting(fc.constantFrom(...BREAKPOINT_MODES), (now, mode) => ({
    ...now,
    settings: { ...now.settings, cache: { ...now.settings.cache, mode } },
  })),
);

/** What is typed into a SKILL.md: its description, its name, more of a body (which may be preloaded), another one, or what cannot be loaded. */
const edited: fc.Arbitrary<(saved: string) => string> = fc.oneof(
  words.map((description) => (saved: string) => saved.replace(/^description: .*$/m, `description: ${description}`)),
  fc.constantFrom(...names, 'renamed').map((name) => (saved: string) => saved.replace(/^name: .*$/m, `name: ${name}`)),
  body.map((text) => (saved: string) => `${saved}\n${text}`),
  fc.tuple(words, body).map(
    ([description, text]) =>
      () =>
        skillText('alpha', description, text),
  ),
  fc.constant((saved: string) => saved.replace('---\n', '')),
);

/** A page with the simulator: sessions share its cache and one shadow. */
const openPage = (faults: readonly SimFault[] = []) => {
  const tokenizer = createMemoryTokenizer();
  const simulator = createSimulator({
    tokenizer,
    clock: { now: () => START },
    faults,
    behaviour: () => ({ text: 'I can do many things.', toolCalls: [] }),
  });
  const client = createProvider({
    provider: 'simulator',
    apiKey: '',
    fetch: createSimulatedFetch(simulator, { speed: 0 }),
    now: simulator.now,
    isBrowser: false,
    sleep: () => Promise.resolve(),
  });
  const shadow = createShadow({ tokenizer, log: silentLog });
  const imagine: ImagineDeps & { readonly tokenizer: Tokenizer } = {
    client: () => client,
    scope: () => 'key',
    now: simulator.now,
    shadow,
    tokenizer,
  };
  let sessions = 0;

  const planOf = async (files: Files, { settings, padding, persona, withoutTools }: Choices): Promise<SessionPlan> => ({
    workspaceName: 'desk',
    workspace: await openWorkspace(
      { project: { tree: createMemoryTree(files, 'desk') } },
      { profile: 'standard', dialect: 'metis', log: silentLog },
    ),
    settings,
    padding,
    persona,
    withoutTools,
  });
  const start = async (files: Files, plan: SessionPlan, tree = createMemoryTree(files, 'desk')): Promise<Session> => {
    const ulid = createUlid({ now: simulator.now, random: () => 0.5 });
    const sessionId = `sess_${++sessions}`;
    const { store } = plan.workspace.library;
    return startSession(
      plan,
      {
        journal: createJournal({ sessionId, now: simulator.now, ulid, validation: 'lenient', log: silentLog }),
        client: () => client,
        scope: () => 'key',
        now: simulator.now,
        newId: ulid,
        after: () => () => {},
        shadow,
        log: silentLog,
      },
      {
        files: createPendingTree(tree),
        policy: createPolicy({}),
        hostSkills: await snapshotMetaskills(store, {
          policy: 'off',
          isForeign: () => false,
          book: { isTrusted: () => Promise.resolve(false) },
        }),
        engine: () => Promise.resolve(undefined),
        platform: 'test',
      },
    );
  };
  return { simulator, imagine, planOf, start };
};

/** To the token, and to the hundredth of a cent. */
const expectBilled = (said: Forecast | undefined, session: Session, at = -1): void => {
  const call = session.state.calls.at(at);
  if (!call?.usage || !said) throw new Error('nothing was billed, or nothing was said');
  const { usage: prompt } = call;
  // A bill of OpenAI names lifetimes only where one differs from the usual 30 minutes. The price below is the same or it is not.
  const writes = (list: Readonly<Record<string, number>>) =>
    Object.entries(list)
      .filter(([, tokens]) => tokens > 0)
      .map(([ttl, tokens]) => [ttl === 'unknown' ? '30m' : ttl, tokens]);
  expect({ read: said.usage.read, uncached: said.usage.uncached, writes: writes(said.usage.writes) }).toEqual({
    read: prompt.read,
    uncached: prompt.uncached,
    writes: writes(prompt.writes),
  });
  const billed = costOf({ ...call.usage, output: 0 }, call.model).usd;
  expect(said.usd?.toFixed(4)).toBe(billed?.toFixed(4));
};

const RUNS = { numRuns: 25 };

describe('what is said beforehand is what is billed', () => {
  it('FC20: the banner, and a changed setting, for the first request of a new session', async () => {
    await fc.assert(
      fc.asyncProperty(folder, choices, edit, async (files, now, change) => {
        const page = openPage();
        const first = await page.start(files, await page.planOf(files, now));
        await first.send(MESSAGE);
        const [nextFiles, next] = change(files, now);
        const plan = await page.planOf(nextFiles, next);
        const planned = planSession(plan);
        const second = await page.start(nextFiles, plan);
        const volatile = await second.volatileText();
        const said = await forecastBetween(
          page.imagine,
          {
            settings: now.settings,
            request: firstRequest(planSession(await page.planOf(files, now)), now.settings, volatile, MESSAGE),
          },
          { settings: next.settings, request: firstRequest(planned, next.settings, volatile, MESSAGE) },
        );
        const banner = await folderChanges(page.imagine, first, planned, MESSAGE);
        await second.send(MESSAGE);
        expectBilled(said?.after, second, 0);
        if (next === now && nextFiles['MEMORY.md'] === files['MEMORY.md'])
          expectBilled(banner?.forecast?.after, second, 0);
      }),
      RUNS,
    );
  });

  it('FC20: the editor says what the banner says, and what is billed', async () => {
    await fc.assert(
      fc.asyncProperty(folder, choices, edited, async (files, now, change) => {
        const page = openPage();
        const saved = skillText('alpha', 'Does alpha. Use when alpha is asked for', 'Body.');
        const text = change(saved);
        const before = { ...files, 'skills/alpha/SKILL.md': saved };
        const after = { ...files, 'skills/alpha/SKILL.md': text };
        const plan = await page.planOf(before, now);
        const first = await page.start(before, plan);
        await first.send(MESSAGE);
        const volatile = await first.volatileText();
        const context = {
          plan,
          profile: 'standard' as const,
          place: {
            layer: 'project' as const,
            root: 'skills',
            path: plan.workspace.library.store.get('alpha')?.path ?? '',
            folder: 'alpha',
            files: new Map(),
          },
        };
        const cost = await editCost(editLibrary(context, saved), editLibrary(context, text), (one, other, settings) =>
          forecastBetween(
            page.imagine,
            { settings, request: firstRequest(one, settings, volatile, MESSAGE) },
            { settings, request: firstRequest(other, settings, volatile, MESSAGE) },
            true,
          ),
        );
        const nextPlan = await page.planOf(after, now);
        const banner = await folderChanges(page.imagine, first, planSession(nextPlan), MESSAGE);
        const second = await page.start(after, nextPlan);
        await second.send(MESSAGE);
        expectBilled(cost?.change.after, second, 0);
        expectBilled(banner?.forecast?.after, second, 0);
        expect(cost?.change.lost).toBe(banner?.forecast?.lost);
        expect(cost?.change.extraUsd).toBe(banner?.forecast?.extraUsd);
      }),
      RUNS,
    );
  });

  it('FC20: the padding calculator and `lathe prefix`, for every new session over the folder', async () => {
    await fc.assert(
      fc.asyncProperty(folder, choices, edit, async (old, before, change) => {
        const [files, now] = change(old, before);
        for (const padding of new Set([now.padding, 'off' as const])) {
          const page = openPage();
          const chosen = { ...now, padding };
          const plan = await page.planOf(files, chosen);
          const session = await page.start(files, plan);
          const volatile = await session.volatileText();
          const { counted } = await prefixReport(page.imagine, plan, volatile, MESSAGE);
          const basis = await paddingBasis(page.imagine, await page.planOf(files, now), volatile, MESSAGE);
          if (!counted || !basis) throw new Error('nothing was said');
          const plot = paddingPlot({ basis, turns: 2 });
          await session.send(MESSAGE);
          const again = await page.start(files, plan);
          await again.send(MESSAGE);
          expectBilled(counted.first, session, 0);
          expectBilled(counted.later, again, 0);
          // What the calculator draws are sums of the same bills; where a price is not known it draws nothing.
          const bills = [session, again].map(({ state: { calls } }) => {
            const call = calls[0];
            return call?.usage && costOf({ ...call.usage, output: 0 }, call.model).usd;
          });
          const line = padding === 'off' ? plot.withoutPadding : plot.withPadding;
          // One price that is not known, of either line, leaves nothing to compare.
          if (plot.cost.kind === 'unknown') expect(line).toEqual([]);
          else if (bills.includes(undefined)) throw new Error('a line was drawn without a price');
          else expect(line[1]?.toFixed(4)).toBe(((bills[0] ?? 0) + (bills[1] ?? 0)).toFixed(4));
          // The strip ends at the same tokens.
          expect(counted.view.total).toBe(session.state.calls[0]?.usage && promptTokens(session.state.calls[0].usage));
          const prefix = padding === 'off' ? plot.natural : plot.padded;
          if (counted.view.marks.some(({ kind }) => kind === 'breakpoint')) expect(counted.view.before).toBe(prefix);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('FC20: a setting or a memory that changes in mid-session, for the next request', async () => {
    await fc.assert(
      fc.asyncProperty(folder, choices, choices, fc.option(words), async (files, now, later, memory) => {
        const page = openPage();
        const tree = createMemoryTree(files, 'desk');
        const session = await page.start(files, await page.planOf(files, now), tree);
        await session.send(MESSAGE);
        await session.send('And now?');
        if (memory !== null) await tree.write('MEMORY.md', new TextEncoder().encode(memory));
        const [before, after] = [
          await session.nextRequest({ message: 'Go on.', oldMemory: true }),
          await session.nextRequest({ message: 'Go on.', settings: later.settings }),
        ];
        const change = await forecastBetween(
          page.imagine,
          { settings: now.settings, request: before },
          { settings: later.settings, request: after },
        );
        session.replaceSettings(later.settings);
        await session.send('Go on.');
        expectBilled(change?.after, session);
      }),
      RUNS,
    );
  });

  it('FC4: requests that failed leave no entry', async () => {
    const fault: SimFault = { kind: 'server_error' };
    const page = openPage(Array.from({ length: 3 }, () => fault));
    const now: Choices = { settings: DEFAULT_SETTINGS, padding: 'spec', persona: 'You help.', withoutTools: [] };
    const session = await page.start({}, await page.planOf({}, now));
    expect(await session.send(MESSAGE)).toMatchObject({ kind: 'cancelled' });
    const request = await session.nextRequest({ message: 'Again.' });
    const said = await forecastOf(page.imagine, { settings: now.settings, request });
    expect(said?.usage.read).toBe(0);
    await session.send('Again.');
    expectBilled(said, session);
  });
});
