/** The built-in behavior at work in the demo workspace, with the real engine for its metaskills. */
import { describe, expect, it } from 'vitest';
import type { CommandAnswer } from '../../model/metaskill/host-types.ts';
import { DEMO_PROMPTS } from '../../model/simulator/behaviour/testing/demo-prompts.ts';
import { createSimulator } from '../../model/simulator/simulator.ts';
import { createMemoryTokenizer } from '../tokenizer/memory-tokenizer.ts';
import { useMetaskills } from '../worker/testing/metaskill-run.ts';
import { createSimulatedFetch } from './simulated-fetch.ts';
import { startDemoAgent, type AgentTurn, type DemoAgentOptions } from './testing/demo-agent.ts';

const { engine } = useMetaskills();

const start = (options: Partial<DemoAgentOptions> = {}) =>
  startDemoAgent({
    fetch: createSimulatedFetch(createSimulator({ tokenizer: createMemoryTokenizer(), clock: { now: () => 0 } }), {
      speed: 0,
    }),
    engine: engine(),
    ...options,
  });

const tools = ({ calls }: AgentTurn): readonly string[] => calls.map(([name]) => name);

const envelope = ({ results }: AgentTurn): Readonly<Record<string, unknown>> => {
  const result = results.at(-1) ?? '';
  return result.startsWith('[Metaskill:')
    ? (JSON.parse(result.slice(result.indexOf('\n') + 1)) as Record<string, unknown>)
    : { error: result };
};

const DIFF = [
  'diff --git a/harbour/fares.py b/harbour/fares.py',
  '--- a/harbour/fares.py',
  '+++ b/harbour/fares.py',
  '@@ -10,2 +10,3 @@ def price(legs):',
  ' def first(legs):',
  '-    return None',
  '+    return legs[0].price',
].join('\n');

const FAILURE = [
  'F',
  'FAIL: test_child_fare (tests.test_fares.FareTest)',
  'Traceback (most recent call last):',
  '  File "harbour/fares.py", line 12, in child',
  'AssertionError: 13 != 12',
  'Ran 1 test in 0.001s',
].join('\n');

const exited = (exitCode: number, output: string): CommandAnswer => ({ kind: 'exited', exitCode, output });

describe('a metaskill of the demo', () => {
  it('SI30: must-have-heading is loaded, run, retried once and accepted', async () => {
    const agent = await start();
    const turn = await agent.say(
      'Draft the release notes for Harbour 2.4: seat maps, faster search. They must have the heading "## Rollback".',
    );
    expect(tools(turn)).toEqual(['skill_load', 'run_metaskill']);
    expect(turn.calls[1]?.[1]).toMatchObject({ name: 'must-have-heading', input: { heading: '## Rollback' } });
    expect(envelope(turn)).toMatchObject({ status: 'accepted', attempts: 2 });
    expect(turn.text).toMatch(/must-have-heading[^]*accepted[^]*2 attempts[^]*\n## Rollback\n/);
  });

  it('SI30: checklist-gate is accepted at the second list, with the words of the message', async () => {
    const agent = await start();
    const turn = await agent.say(
      'I need a checklist for moving bookings to a new table: owner, backup, dry run, rollback',
    );
    expect(turn.calls[1]?.[1]).toMatchObject({ input: { required: ['owner', 'backup', 'dry run', 'rollback'] } });
    expect(envelope(turn)).toMatchObject({ status: 'accepted', attempts: 2 });
  });

  it('SI30: checklist-gate takes words that no step is prepared for', async () => {
    const agent = await start();
    const turn = await agent.say(
      'Write a launch checklist that must cover fixed points: crew briefing, harbour dues, insurance',
    );
    expect(envelope(turn)).toMatchObject({ status: 'accepted', attempts: 2 });
  });

  it('SI30: diff-review finds a bug in a file of the diff', async () => {
    const agent = await start({ command: () => Promise.resolve(exited(0, DIFF)) });
    const turn = await agent.say('Is there a bug in my uncommitted changes? I want to open a pull request.');
    expect(envelope(turn)).toMatchObject({
      status: 'reviewed',
      findings: ['harbour/fares.py:11: fails on an empty list; shown by a request without entries'],
      outside_diff: [],
      warnings: [],
    });
  });

  it('SI30: repo-pulse sums up what git says in five lines', async () => {
    const agent = await start({
      command: ({ argv }) =>
        Promise.resolve(
          exited(
            0,
            argv[1] === 'status' ? ' M harbour/fares.py\n?? notes.txt' : 'a1b2c3d Round fares\nb2c3d4e Seat map M2',
          ),
        ),
    });
    const turn = await agent.say('Back from two weeks of holiday: what is the state of the repository?');
    expect(turn.calls[1]?.[1]).toEqual({ name: 'repo-pulse', input: {} });
    const { answer, status } = envelope(turn);
    expect(status).toBe('ok');
    expect(String(answer).split('\n')).toHaveLength(5);
    expect(answer).toContain('a1b2c3d');
  });

  it('SI30: fix-until-green reads the file, reports a fix and is accepted when the tests pass', async () => {
    let runs = 0;
    const agent = await start({
      command: () => Promise.resolve(runs++ === 0 ? exited(1, FAILURE) : exited(0, 'Ran 1 test in 0.001s\n\nOK')),
    });
    const turn = await agent.say('tests.test_fares fails, please fix it');
    expect(turn.calls[1]?.[1]).toMatchObject({ input: { command: ['python3', '-m', 'unittest', 'tests.test_fares'] } });
    expect(envelope(turn)).toMatchObject({ status: 'accepted', fixes: 1 });
    expect(turn.text).toContain('AssertionError: 13 != 12');
  });

  it('SI30: endless-polish runs into its budget, and the model says so', async () => {
    const agent = await start();
    const turn = await agent.say(
      'Show me what happens when a metaskill runs out of asks: "The ferry leaves at nine, weather permitting."',
    );
    expect(turn.results.at(-1)).toMatch(/^error: .*ask/);
    expect(turn.text).toMatch(/endless-polish[^]*budget/);
  });
});

describe.each(['metis', 'agents'] as const)('in dialect %s', (dialect) => {
  it.each(DEMO_PROMPTS)('SI20: %s → %s', async (prompt, skill) => {
    const agent = await start({ dialect });
    const { calls, text } = await agent.say(prompt);
    expect(calls[0]).toEqual([dialect === 'metis' ? 'skill_load' : 'skill', { name: skill }]);
    expect(text).toContain(skill);
  });
});

describe('an ordinary skill of the demo', () => {
  it('SI31: is loaded, and the answer follows its headings', async () => {
    const agent = await start();
    const turn = await agent.say(
      'Bookings were down for forty minutes this morning. Write the postmortem from my notes.',
    );
    expect(turn.calls).toEqual([['skill_load', { name: 'incident-report' }]]);
    expect(turn.text).toMatch(/^Working by \*\*incident-report\*\*[^]*### What you need\n\n- alerts with their times/);
  });

  it('SI31: in dialect agents the tool is `skill`', async () => {
    const agent = await start({ dialect: 'agents' });
    const turn = await agent.say('I am about to commit my staged work. What should the message say?');
    expect(turn.calls).toEqual([['skill', { name: 'commit-message' }]]);
    expect(turn.text).toContain('**commit-message**');
  });

  it('SI31: what is loaded is not loaded again', async () => {
    const agent = await start();
    await agent.say('I am about to commit my staged work. What should the message say?');
    expect(tools(await agent.say('And the message for the commit after that?'))).toEqual([]);
  });

  it('SI32: a file that the message names is read, and written if that is asked', async () => {
    const agent = await start();
    const turn = await agent.say('Update CHANGELOG.md for 2.4: seat maps, faster search');
    expect(tools(turn)).toEqual(['skill_load', 'read_file', 'write_file']);
    expect(turn.calls[2]?.[1]).toMatchObject({
      path: 'CHANGELOG.md',
      content: expect.stringContaining('- Seat maps\n- Faster search'),
    });
    expect(turn.text).toMatch(/I wrote `CHANGELOG.md`[^]*no such file before/);
  });

  it('SI33: refused by the budget once, it says so and answers', async () => {
    const agent = await start();
    const prompts = [
      'We had an outage on Friday. Write the incident report.',
      'I am about to commit my staged work. What should the message say?',
      'These unit tests are called test_1 and test_2. Give them better names.',
      'Have a look at the new endpoint POST /refunds before we publish it to partners',
    ];
    const turns: AgentTurn[] = [];
    for (const prompt of prompts) turns.push(await agent.say(prompt));
    expect(turns.map(tools)).toEqual([['skill_load'], ['skill_load'], ['skill_load'], ['skill_load']]);
    expect(turns[3]?.results[0]).toContain('activation budget exhausted');
    expect(turns[3]?.text).toMatch(
      /budget[^]*without the body of \*\*api-review\*\*[^]*incident-report, commit-message, test-naming/,
    );
  });

  it('SI33: several skills that are named are loaded in one go', async () => {
    const agent = await start();
    const turn = await agent.say('Load incident-report, commit-message, test-naming and api-review.');
    expect(tools(turn)).toEqual(['skill_load', 'skill_load', 'skill_load', 'skill_load']);
    expect(turn.results.filter((result) => result.startsWith('activation budget exhausted'))).toHaveLength(1);
    expect(turn.text).toContain('budget');
  });
});

describe('without a skill', () => {
  it('SI34: remembers what it is told to', async () => {
    const agent = await start();
    const turn = await agent.say('Please remember that Mira prefers short answers.');
    expect(turn.calls).toEqual([['memory_add', { text: 'Mira prefers short answers.' }]]);
    expect(turn.text).toContain('noted');
  });

  it('SI34: reads a file, lists a folder, and answers plainly', async () => {
    const agent = await start();
    expect((await agent.say('Read AGENTS.md and tell me the layout')).calls).toEqual([
      ['read_file', { path: 'AGENTS.md' }],
    ]);
    expect(tools(await agent.say('Which files are here?'))).toEqual(['list_dir']);
    expect(tools(await agent.say('What is the capital of Norway?'))).toEqual([]);
  });
});
