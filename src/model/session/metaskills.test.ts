import { describe, expect, it, vi } from 'vitest';
import { RUN_METASKILL_LINE } from '../activation/texts.ts';
import { memoryBook } from '../metaskill/testing/memory-book.ts';
import type { ScriptApi } from '../metaskill/testing/scripted-engine.ts';
import type { Block, CanonicalRequest, ToolUseBlock } from '../provider/types.ts';
import { replay } from './state.ts';
import { toolUse } from './testing/blocks.ts';
import { setup, skillFile } from './testing/setup.ts';

const files = {
  'skills/loop/SKILL.md': skillFile('loop', '## Input keys\n\n- `task`: what to do'),
  'skills/loop/SKILL.star': 'def run(input):\n    return "ok"\n',
  'skills/plain/SKILL.md': skillFile('plain', 'Plain body.'),
};

const runLoop = (input: ToolUseBlock['input'] = { task: 'x' }) => ({
  content: [toolUse('run1', 'run_metaskill', { name: 'loop', input })],
});
const resultOf = (request: CanonicalRequest | undefined): Extract<Block, { type: 'tool_result' }> | undefined =>
  request?.messages.at(-1)?.content.find((block) => block.type === 'tool_result');

describe('clock', () => {
  it('SE39: the time of a run is that of the session’s start', async () => {
    const limits: (number | undefined)[] = [];
    for (const plan of [{}, { limits: { run_seconds: 7 } }]) {
      const { session } = await setup({
        files,
        program: ({ timeoutMs }) => {
          limits.push(timeoutMs);
          return 'ok';
        },
        script: [runLoop(), 'Done.'],
        plan,
      });
      await session.send('Run it');
    }
    expect(limits).toEqual([300_000, 7000]);
  });
});

describe('activation', () => {
  it('A03: activating runs nothing and spends no budget', async () => {
    let runs = 0;
    const { session, eventsOf } = await setup({
      files,
      program: () => runs++,
      script: [{ content: [toolUse('t1', 'skill_load', { name: 'loop' })] }, 'Done.'],
    });
    await session.send('Load it');
    expect(runs).toBe(0);
    expect(eventsOf('metaskill.started')).toHaveLength(0);
  });

  it('A04, POL4: an executable one names run_metaskill, one that may not run does not', async () => {
    const load = async (policy: 'local' | 'off') => {
      const { session, provider } = await setup({
        files,
        plan: { policy },
        script: [{ content: [toolUse('t1', 'skill_load', { name: 'loop' })] }, 'Done.'],
      });
      await session.send('Load it');
      return { text: resultOf(provider.requests[1])?.text ?? '', tools: provider.requests[0]?.tools ?? [] };
    };
    const local = await load('local');
    const off = await load('off');
    expect(local.text).toContain(RUN_METASKILL_LINE);
    expect(local.tools.at(-1)?.name).toBe('run_metaskill');
    expect(off.text).not.toContain('run_metaskill');
    expect(off.tools.some(({ name }) => name === 'run_metaskill')).toBe(false);
  });

  it('POL4: the tool names the programs that can run, and no other skill', async () => {
    const { session, provider } = await setup({
      files: {
        ...files,
        'skills/broken/SKILL.md': skillFile('broken', 'Its program has frontmatter.'),
        'skills/broken/SKILL.star': '---\nname: broken\n---\ndef run(input):\n    return "ok"\n',
        'skills/also/SKILL.md': skillFile('also', 'Input keys: none'),
        'skills/also/SKILL.star': 'def run(input):\n    return "ok"\n',
      },
      script: ['Done.'],
    });
    await session.send('Hi');
    expect(provider.requests[0]?.tools.at(-1)).toMatchObject({
      name: 'run_metaskill',
      inputSchema: { properties: { name: { enum: ['also', 'loop'] } } },
    });
  });

  it('A05: an unknown skill is an error in the words of the dialect', async () => {
    const load = async (dialect: 'metis' | 'agents', tool: string) => {
      const { session, provider } = await setup({
        files,
        plan: { dialect },
        script: [{ content: [toolUse('t1', tool, { name: 'x' })] }, 'Done.'],
      });
      await session.send('Load it');
      return resultOf(provider.requests[1]);
    };
    expect(await load('metis', 'skill_load')).toMatchObject({
      text: "no skill registered with name 'x'",
      isError: true,
    });
    expect(await load('agents', 'skill')).toMatchObject({ text: "error: unknown skill: 'x'", isError: true });
  });

  it('A06: (D31) a body of any length is given whole; the cut is for instructions inside an error', async () => {
    const { session, provider } = await setup({
      files: { 'skills/long/SKILL.md': skillFile('long', 'word '.repeat(6000)) },
      script: [{ content: [toolUse('t1', 'skill_load', { name: 'long' })] }, 'Done.'],
    });
    await session.send('Load it');
    expect(resultOf(provider.requests[1])?.text.length).toBeGreaterThan(30_000);
  });

  it('A08: a mention activates and does not run', async () => {
    let runs = 0;
    const { session, eventsOf } = await setup({ files, program: () => runs++, script: ['Done.'] });
    await session.send('please $loop now');
    expect(eventsOf('skill.loaded')).toHaveLength(1);
    expect(runs).toBe(0);
  });
});

describe('without an engine', () => {
  it('SE37, T08: the catalog shows a static skill, and no tool to run it', async () => {
    const { session, provider } = await setup({ files, plan: { hasEngine: false }, script: ['Done.'] });
    await session.send('Hi');
    expect(provider.requests[0]?.system.stable).toContain('- loop: Does loop.');
    expect(provider.requests[0]?.system.stable).not.toContain('(metaskill: starlark)');
    expect(provider.requests[0]?.tools.some(({ name }) => name === 'run_metaskill')).toBe(false);
  });
});

describe('runs', () => {
  it('SE60: every ask is a start, whatever it reads', async () => {
    const written = { writes: { '5m': 5000 }, uncached: 50 };
    const { session, eventsOf } = await setup({
      files,
      plan: { padding: 'spec' },
      program: async ({ ask }: ScriptApi) => {
        await ask('Write one.');
        await ask('Write two.');
        return { status: 'success' };
      },
      script: [
        { ...runLoop(), usage: written },
        { content: 'One.', usage: written },
        { content: 'Two.', usage: { read: 5000, uncached: 50 } },
        { content: 'Done.', usage: { read: 5000, uncached: 90 } },
      ],
    });
    await session.send('Run it');
    const [, first, second, last] = eventsOf('cache.explained').map(({ payload }) => payload);
    for (const ask of [first, second]) expect(ask).toMatchObject({ kind: 'start', cause: 'chain-start' });
    expect(second?.evidence.join(' ')).toContain('It read 5,000');
    // Held against the request that ran the metaskill, not against its asks.
    expect(last).toMatchObject({ kind: 'hit', previous_request_id: session.state.calls[0]?.requestId });
  });

  it('K13, K14, SE30, SE31, SE32: a run with an ask is a turn inside a turn', async () => {
    const { session, provider, journal, eventsOf } = await setup({
      files: { ...files, 'a.txt': 'AAA' },
      plan: { padding: 'spec' },
      program: async ({ ask, trace }: ScriptApi) => {
        trace('note', { step: 1 });
        const { answer, turns, exhausted } = await ask('Write about $plain.');
        return { status: 'success', summary: `${String(answer)} ${String(turns)} ${String(exhausted)}` };
      },
      script: [
        runLoop(),
        { content: [toolUse('n1', 'skill_load', { name: 'plain' }), toolUse('n2', 'read_file', { path: 'a.txt' })] },
        'Nested answer.',
        'All done.',
      ],
    });
    const outcome = await session.send('Run it');
    expect(outcome).toMatchObject({ kind: 'completed', text: 'All done.' });
    expect(provider.requests).toHaveLength(4);
    const [outer, nested] = provider.requests;
    expect(nested?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Write about $plain.' }] }]);
    expect(nested?.system).toEqual(outer?.system);
    expect(nested?.model).toBe(outer?.model);
    expect(nested?.tools.map(({ name }) => name)).toEqual(
      outer?.tools.map(({ name }) => name).filter((name) => name !== 'run_metaskill'),
    );
    expect(resultOf(provider.requests[3])?.text).toContain('Nested answer. 2 false');
    expect(provider.requests[3]?.messages).toHaveLength(3);

    const turns = eventsOf('turn.started');
    expect(turns.map(({ payload }) => payload.nested_in)).toEqual([null, 'run1']);
    expect(journal.byId(turns[1]?.parent_event_id ?? '')?.type).toBe('tool.called');
    expect(eventsOf('llm.call_started').map(({ payload }) => payload.is_worker)).toEqual([false, true, true, false]);
    expect(eventsOf('metaskill.step')[0]?.payload).toMatchObject({ kind: 'ask', ok: true, tool_use_id: 'run1' });
    expect(eventsOf('metaskill.trace')).toHaveLength(1);
    expect(eventsOf('metaskill.finished')[0]?.payload).toMatchObject({ status: 'success', ask_calls: 1 });
    // Both bodies are preloaded here, so the nested load is a pointer and nothing is counted anywhere.
    expect(session.state.threads.get('main')?.activation.activated).toEqual([]);
    expect(replay('sess_test', journal.events)).toEqual(session.state);
  });

  it('SE31: the provider is asked to compare a request with the one before it in its own conversation', async () => {
    const { session, provider } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => String((await ask('Go'))['answer']),
      script: [runLoop(), { content: [toolUse('n1', 'skill_load', { name: 'plain' })] }, 'Nested.', 'Done.'],
    });
    await session.send('Run it');
    const ids = session.state.calls.map(({ completed }) => completed?.response_id ?? null);
    expect(new Set(ids).size).toBe(4);
    expect(provider.requests.map(({ previousResponseId }) => previousResponseId)).toEqual([null, null, ids[1], ids[0]]);
  });

  it('SE31: what an ask loads counts in its own budget', async () => {
    const { session } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => String((await ask('Go'))['answer']),
      script: [runLoop(), { content: [toolUse('n1', 'skill_load', { name: 'plain' })] }, 'Nested.', 'Done.'],
    });
    await session.send('Run it');
    const nested = [...session.state.threads.values()].find(({ id }) => id !== 'main');
    expect(nested?.activation.activated.map(({ name }) => name)).toEqual(['plain']);
    expect(session.state.threads.get('main')?.activation.activated).toEqual([]);
  });

  it('SE31: a forged run_metaskill inside an ask is refused', async () => {
    const { session, provider, eventsOf } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => String((await ask('Go'))['answer']),
      script: [runLoop(), runLoop(), 'Nested.', 'Done.'],
    });
    await session.send('Run it');
    expect(resultOf(provider.requests[2])).toMatchObject({ isError: true });
    expect(resultOf(provider.requests[2])?.text).toMatch(/^error: /);
    expect(eventsOf('metaskill.started')).toHaveLength(1);
    expect(eventsOf('tool.failed')).toHaveLength(1);
  });

  it('SE12: a call inside an ask is not taken for the one that asks, even if the server gives it the same id', async () => {
    const { session, eventsOf } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => String((await ask('Go'))['answer']),
      script: [runLoop(), { content: [toolUse('run1', 'list_dir', {})] }, 'Nested.', 'Done.'],
    });
    await session.send('Run it');
    expect([...session.state.tools.values()].map(({ name, status }) => [name, status])).toEqual([
      ['run_metaskill', 'completed'],
      ['list_dir', 'completed'],
    ]);
    expect(new Set(eventsOf('tool.called').map(({ payload }) => payload.tool_use_id)).size).toBe(2);
  });

  it('SE32: an ask that reaches its limit is exhausted and keeps its text', async () => {
    const { session, provider } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => {
        const { answer, exhausted, turns } = await ask('Go', { max_turns: 2 });
        return `${String(answer)}|${String(exhausted)}|${String(turns)}`;
      },
      script: (request, index) => {
        if (index === 0) return runLoop();
        if (request.tools.some(({ name }) => name === 'run_metaskill')) return 'Done.';
        return { content: [{ type: 'text', text: `try ${index}` }, toolUse(`n${index}`, 'list_dir', {})] };
      },
    });
    await session.send('Run it');
    expect(resultOf(provider.requests.at(-1))?.text).toContain('try 2|true|2');
  });

  it('SE33: stopping stops the program and its ask', async () => {
    const { session, provider, eventsOf } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => String((await ask('Go'))['answer']),
      script: [runLoop(), { content: 'Half', hang: true }, 'After.'],
    });
    const turn = session.send('Run it');
    while (provider.requests.length < 2) await new Promise((resolve) => setTimeout(resolve));
    // Its answer hangs after the first words.
    await new Promise((resolve) => setTimeout(resolve));
    session.stop();
    expect(await turn).toMatchObject({ kind: 'cancelled', reason: 'user_cancel' });
    await vi.waitFor(() => expect(eventsOf('turn.cancelled')).toHaveLength(2));
    expect(session.state.turns.every(({ status }) => status === 'cancelled')).toBe(true);
    expect(await session.send('Next')).toMatchObject({ kind: 'completed', text: 'After.' });
  });

  it('SE33: an error of the provider in an ask is the error of the program', async () => {
    const { session, provider, eventsOf } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => String((await ask('Go'))['answer']),
      script: [runLoop(), { error: { message: 'Overloaded.', nextStep: 'Wait.' } }, 'I could not.'],
    });
    expect(await session.send('Run it')).toMatchObject({ kind: 'completed', text: 'I could not.' });
    expect(resultOf(provider.requests[2])).toMatchObject({ isError: true });
    expect(resultOf(provider.requests[2])?.text).toMatch(/^error: metaskill 'loop': .*Overloaded\. Wait\./s);
    expect(eventsOf('tool.failed')).toHaveLength(1);
  });

  it('S05, SE34: command takes the path of run_command', async () => {
    const run = async (approve: boolean) => {
      const commands: string[][] = [];
      const { session, provider, eventsOf } = await setup({
        files,
        program: async ({ command }: ScriptApi) => JSON.stringify(await command(['make', 'test'])),
        script: [runLoop(), 'Done.'],
        approve: () =>
          Promise.resolve(approve ? { decision: 'allow', scope: 'once' } : { decision: 'deny', reason: 'not now' }),
        runCommand: ({ argv }) => {
          commands.push([...argv]);
          return Promise.resolve({ kind: 'exited', exitCode: 2, output: 'red' });
        },
      });
      await session.send('Run it');
      return {
        commands,
        text: resultOf(provider.requests[1])?.text ?? '',
        asked: eventsOf('tool.confirmation_requested').length,
      };
    };
    const allowed = await run(true);
    expect(allowed).toMatchObject({ commands: [['make', 'test']], asked: 1 });
    expect(allowed.text).toContain('red');
    const denied = await run(false);
    expect(denied).toMatchObject({ commands: [], asked: 1 });
    expect(denied.text).toContain('not now');
  });

  it('C10, S01, SE34: nobody to ask is a refusal, and a session without commands says so', async () => {
    const run = async (withCommands: boolean) => {
      const { session, provider } = await setup({
        files,
        program: async ({ command }: ScriptApi) => JSON.stringify(await command(['make'])),
        script: [runLoop(), 'Done.'],
        policy: { headless: true },
        ...(withCommands && {
          runCommand: () => Promise.resolve({ kind: 'exited' as const, exitCode: 0, output: '' }),
        }),
      });
      await session.send('Run it');
      return resultOf(provider.requests[1])?.text ?? '';
    };
    expect(await run(true)).toContain(
      "error: command 'make' is not allowed: it needs approval, and no one can approve it here",
    );
    expect(await run(false)).toContain('no commands available');
  });

  it('SE35: a foreign program is refused where nobody can be asked', async () => {
    let runs = 0;
    const { session, provider } = await setup({
      files,
      isForeign: (name) => name === 'loop',
      program: () => {
        runs++;
        return 'ran';
      },
      script: [runLoop(), 'Done.'],
    });
    await session.send('Run it');
    expect(runs).toBe(0);
    expect(resultOf(provider.requests[1])?.text).toMatch(/^error: external metaskill 'loop' is not allowed/);
  });

  it('SE35: consent is asked for at the call, and a revocation holds from the next call on', async () => {
    const book = memoryBook();
    let runs = 0;
    const { session, provider } = await setup({
      files,
      isForeign: (name) => name === 'loop',
      book,
      program: () => {
        runs++;
        return 'ran';
      },
      script: [runLoop(), 'Done.', runLoop(), 'Done.', runLoop(), 'Done.'],
    });
    book.answers.push(true, false);
    await session.send('Run it');
    expect(book.asked.map(({ skill, files: listed }) => [skill, listed.map(({ path }) => path)])).toEqual([
      ['loop', ['SKILL.md', 'SKILL.star']],
    ]);
    await session.send('Run it again');
    expect([runs, book.asked.length]).toEqual([2, 1]);
    book.trusted.clear();
    await session.send('And again');
    expect([runs, book.asked.length]).toEqual([2, 2]);
    expect(resultOf(provider.requests[5])?.text).toMatch(/^error: external metaskill 'loop' is not allowed/);
  });

  it('SE40: the limit of a run covers its asks', async () => {
    const { session, provider } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => {
        await ask('One');
        return String((await ask('Two'))['answer']);
      },
      script: [runLoop(), { content: 'First.', usage: { uncached: 4000, output: 100 } }, 'Never.', 'Done.'],
      settings: { run_token_limit: 5500 },
    });
    await session.send('Run it');
    expect(provider.requests).toHaveLength(3);
    expect(resultOf(provider.requests[2])?.text).toContain('The token limit of this run is 5500');
  });

  it('SE36: a person runs a program, and the conversation stays as it was', async () => {
    const { session, provider, eventsOf, journal } = await setup({
      files,
      program: async ({ ask }: ScriptApi) => ({ status: 'success', summary: String((await ask('Go'))['answer']) }),
      script: ['Nested.', 'Hello.'],
    });
    const outcome = await session.runMetaskill({ name: 'loop', input: { task: 'x' } });
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.steps.map(({ kind }) => kind)).toEqual(['ask']);
    expect(session.state.threads.get('main')?.messages).toEqual([]);
    expect(eventsOf('turn.started').map(({ payload }) => payload.nested_in === null)).toEqual([true, false]);
    expect(eventsOf('turn.completed')).toHaveLength(2);
    await session.send('Hi');
    expect(provider.requests[1]?.messages).toHaveLength(1);
    expect(replay('sess_test', journal.events)).toEqual(session.state);
  });

  it('SE36: a program that is being edited takes the place of the saved one', async () => {
    const { session } = await setup({ files, program: () => 'ran', script: [] });
    const edited = {
      name: 'loop',
      metaskill: { program: 'SKILL.star', language: 'starlark' as const, fault: undefined },
      body: '',
      refusal: "error: metaskill 'loop' is not allowed (policy: off)",
      readProgram: () => Promise.resolve({ ok: true as const, text: 'def run(input): return "x"' }),
    };
    const outcome = await session.runMetaskill({ name: 'loop', input: {} }, (name) =>
      name === 'loop' ? edited : undefined,
    );
    expect(outcome).toMatchObject({ ok: false, result: edited.refusal });
  });
});
