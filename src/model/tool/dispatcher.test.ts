import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { collectLog } from '../../base/log.ts';
import { sha256 } from '../../base/hash.ts';
import { createDispatcher } from './dispatcher.ts';
import { createPolicy } from './policy.ts';
import { createBench, makeTool, PARENT, TURN, use } from './testing/bench-of-tools.ts';
import { settle } from './testing/fake-clock.ts';
import { ToolError, type Tool } from './types.ts';

const echo = makeTool('echo', async (input) => ({ text: JSON.stringify(input) }), {
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
});
const forever = (name: string, more: Partial<Tool> = {}): Tool => makeTool(name, () => new Promise(() => {}), more);

describe('a call', () => {
  it('TO1: that succeeds has tool.called and tool.completed after the call of the model', async () => {
    const bench = createBench([echo]);
    const result = await bench.call('echo', { text: 'é' });
    expect(result).toMatchObject({ type: 'tool_result', text: '{"text":"é"}', isError: false });
    expect(bench.types()).toEqual(['tool.called', 'tool.completed']);
    const [called] = bench.find('tool.called');
    const [completed] = bench.find('tool.completed');
    expect(called).toMatchObject({
      turn_id: TURN,
      parent_event_id: PARENT,
      actor: 'agent',
      sensitivity: 'private',
      payload: { tool_name: 'echo', input_hash: sha256('{"text":"é"}'), input_size_bytes: 13, side_effects: 'read' },
    });
    expect(completed).toMatchObject({
      turn_id: TURN,
      parent_event_id: called?.id,
      actor: 'tool',
      payload: {
        tool_use_id: result.toolUseId,
        success: true,
        output_size_bytes: 13,
        files_modified: null,
        command_executed: null,
        metadata: {},
      },
    });
  });

  it('TO1: the hash of an input does not depend on the order of its keys', async () => {
    const bench = createBench([makeTool('any', async () => ({ text: 'x' }))]);
    await bench.call('any', { b: [{ d: 1, c: 2 }], a: null });
    await bench.call('any', { a: null, b: [{ c: 2, d: 1 }] });
    expect(new Set(bench.find('tool.called').map(({ payload }) => payload.input_hash))).toEqual(
      new Set([sha256('{"a":null,"b":[{"c":2,"d":1}]}')]),
    );
  });

  it('TO2: to a tool that is not there', async () => {
    const bench = createBench([echo]);
    expect(await bench.call("it's", {})).toMatchObject({ text: `tool "it's" not registered`, isError: true });
    expect(await bench.call('x', {})).toMatchObject({ text: "tool 'x' not registered" });
    expect(bench.types()).toEqual(['tool.failed', 'tool.failed']);
    expect(bench.find('tool.failed')[0]).toMatchObject({
      parent_event_id: PARENT,
      payload: { error_class: 'not_found', latency_ms: 0 },
    });
  });

  it('TO3: with a wrong input is tool.input_invalid and not tool.failed, every fault on a line', async () => {
    const bench = createBench([echo]);
    const result = await bench.call('echo', { txt: 1 });
    expect(result).toMatchObject({
      isError: true,
      text: 'text: is required and must be a string\n$: unknown key "txt"; did you mean "text"? allowed: text',
    });
    expect(bench.types()).toEqual(['tool.input_invalid']);
    expect(bench.find('tool.input_invalid')[0]).toMatchObject({
      parent_event_id: PARENT,
      payload: {
        tool_name: 'echo',
        validation_errors: ['text: is required and must be a string', '$: unknown key; allowed: text'],
      },
    });
  });

  it('TO4: whose JSON is broken is answered with words', async () => {
    const bench = createBench([echo]);
    const [result] = await bench.dispatch([use('echo', '{"text": "a', 'Unterminated string')]);
    expect(result).toMatchObject({
      isError: true,
      text: '$: the input is not valid JSON (Unterminated string); send the call again with one JSON object',
    });
    expect(bench.find('tool.input_invalid')[0]?.payload.validation_errors).toEqual(['$: the input is not valid JSON']);
    expect(bench.types()).toEqual(['tool.input_invalid']);
  });

  it('TO5: with a path outside the folder is refused before anything runs', async () => {
    let runs = 0;
    const bench = createBench([
      makeTool('read', async () => ({ text: `${++runs}` }), { requiresWorkspace: true }),
      makeTool('free', async () => ({ text: 'ran' })),
    ]);
    for (const input of [
      { path: '/etc/passwd' },
      { path: '../x' },
      { path: 'a/../../x' },
      { path: '~/x' },
      { path: 'C:\\x' },
      { path: 'a\0b' },
      { paths: ['a', '../b'] },
    ] satisfies Json[]) {
      expect(await bench.call('read', input)).toMatchObject({ isError: true });
    }
    expect(runs).toBe(0);
    expect(new Set(bench.types())).toEqual(new Set(['tool.failed']));
    expect(new Set(bench.find('tool.failed').map(({ payload }) => payload.error_class))).toEqual(
      new Set(['permission_denied']),
    );
    expect(bench.find('tool.failed')[1]?.payload.error_message).toBe(
      '"../x" is outside the workspace folder: ".." can’t lead above it',
    );
    expect(await bench.call('read', { path: './a//b/../c/' })).toMatchObject({ isError: false });
    expect(await bench.call('free', { path: '/etc/passwd' })).toMatchObject({ text: 'ran' });
  });

  it('TO6: an expected failure reaches the model as it is', async () => {
    const bench = createBench([
      makeTool('fails', async () => {
        throw new ToolError('no skill registered with name', 'not_found');
      }),
    ]);
    expect(await bench.call('fails', {})).toMatchObject({ text: 'no skill registered with name', isError: true });
    expect(bench.types()).toEqual(['tool.called', 'tool.failed']);
    expect(bench.find('tool.failed')[0]).toMatchObject({
      parent_event_id: bench.find('tool.called')[0]?.id,
      payload: { error_class: 'not_found', error_message: 'no skill registered with name' },
    });
  });

  it('TO7: a defect of a tool is a failure too, and is logged', async () => {
    const { log, lines } = collectLog();
    const broken = [
      makeTool('sync', () => {
        throw new Error('oops');
      }),
      makeTool('async', async () => {
        throw new TypeError('oops');
      }),
    ];
    const bench = createBench(broken, { log });
    expect(await bench.call('sync', {})).toMatchObject({ text: 'sync failed: oops', isError: true });
    expect(await bench.call('async', {})).toMatchObject({ text: 'async failed: oops', isError: true });
    expect(lines.map(({ code }) => code)).toEqual(['tool.defect', 'tool.defect']);
  });

  it('TO8: a result that is a failure is completed without success', async () => {
    const bench = createBench([
      makeTool('exits', async () => ({
        text: 'exit_code=1',
        isError: true,
        metadata: { exit_code: 1 },
        filesModified: ['a'],
        commandExecuted: 'false',
      })),
    ]);
    expect(await bench.call('exits', {})).toMatchObject({ isError: true });
    expect(bench.find('tool.completed')[0]?.payload).toMatchObject({
      success: false,
      metadata: { exit_code: 1 },
      files_modified: ['a'],
      command_executed: 'false',
    });
  });
});

describe('calls at the same time', () => {
  it('TO10: at most four run, and the results have the order of the calls', async () => {
    let running = 0;
    let most = 0;
    const release: (() => void)[] = [];
    const bench = createBench([
      makeTool('slow', async (input) => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => release.push(resolve));
        running--;
        return { text: String((input as { n: number }).n) };
      }),
    ]);
    const all = bench.dispatch([0, 1, 2, 3, 4, 5, 6].map((n) => use('slow', { n })));
    await settle();
    expect([running, bench.find('tool.called').length]).toEqual([4, 7]);
    while (release.length > 0) {
      release.pop()?.();
      await settle();
    }
    expect((await all).map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect(most).toBe(4);
  });

  it('TO11: the turns of a metaskill have places of their own', async () => {
    const bench = createBench([forever('outer'), echo]);
    void bench.dispatch(Array.from({ length: 5 }, () => use('outer', {})));
    await settle();
    expect(await bench.call('echo', { text: 'x' }, { depth: 1 })).toMatchObject({ isError: false });
  });
});

describe('time', () => {
  it.each([
    ['read', undefined, 60],
    ['write', undefined, 60],
    ['execute', undefined, 600],
    ['network', undefined, 600],
    ['read', 5, 5],
  ] as const)('TO12: %s with limit %s ends after %s s', async (sideEffects, timeoutSeconds, seconds) => {
    let aborted = false;
    const tool = makeTool(
      'stuck',
      (_input, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (aborted = true));
        }),
      { sideEffects, ...(timeoutSeconds !== undefined && { timeoutSeconds }) },
    );
    const bench = createBench([tool], {
      policy: { ...createPolicy(), decide: () => ({ decision: 'allow', why: '' }) },
    });
    const result = bench.call('stuck', {});
    await bench.clock.advance(seconds * 1000 - 1);
    expect(bench.types()).toEqual(['tool.called']);
    await bench.clock.advance(1);
    expect(await result).toMatchObject({ text: `timed out after ${seconds} s`, isError: true });
    expect(aborted).toBe(true);
    expect(bench.find('tool.failed')[0]?.payload).toMatchObject({ error_class: 'timeout', latency_ms: seconds * 1000 });
  });

  it('TO12: waiting for a place does not count', async () => {
    let finish = (): void => {};
    const bench = createBench(
      [
        makeTool('first', () => new Promise((resolve) => (finish = () => resolve({ text: 'done' }))), {
          timeoutSeconds: 100,
        }),
        makeTool('second', () => new Promise(() => {}), { timeoutSeconds: 10 }),
      ],
      { maxParallel: 1 },
    );
    const all = bench.dispatch([use('first', {}), use('second', {})]);
    await bench.clock.advance(50_000);
    finish();
    await bench.clock.advance(9000);
    expect(bench.find('tool.failed')).toEqual([]);
    await bench.clock.advance(1000);
    expect((await all).map(({ text }) => text)).toEqual(['done', 'timed out after 10 s']);
  });

  it('TO13: pauses while a person decides, and the caller is notified', async () => {
    let setWaiting: (waiting: boolean) => void = () => {};
    const bench = createBench([
      makeTool('asks', (_input, context) => {
        ({ setWaiting } = context);
        return new Promise(() => {});
      }),
    ]);
    const result = bench.call('asks', {});
    await bench.clock.advance(50_000);
    setWaiting(true);
    setWaiting(true);
    await bench.clock.advance(500_000);
    setWaiting(false);
    await bench.clock.advance(500_000);
    setWaiting(false);
    await bench.clock.advance(9999);
    expect(bench.find('tool.failed')).toEqual([]);
    await bench.clock.advance(1);
    expect(await result).toMatchObject({ text: 'timed out after 60 s' });
    expect(bench.waits).toEqual([true, true, false, false]);
  });

  it('TO14: no timer is left behind', async () => {
    const bench = createBench([echo]);
    await bench.call('echo', { text: 'x' });
    await settle();
    expect(bench.clock.running()).toBe(0);
  });

  it('TO14: a tool that keeps its own clock has none here', async () => {
    const bench = createBench([forever('own', { timeoutSeconds: Infinity })]);
    void bench.call('own', {});
    await bench.clock.advance(10_000_000);
    expect(bench.types()).toEqual(['tool.called']);
  });
});

describe('stopping', () => {
  it('TO15: ends what runs, what waits and what has not begun', async () => {
    const bench = createBench([forever('stuck')], { maxParallel: 1 });
    const all = bench.dispatch([use('stuck', {}), use('stuck', {})]);
    await settle();
    bench.cancel();
    expect((await all).map(({ text, isError }) => [text, isError])).toEqual([
      ['cancelled', true],
      ['cancelled', true],
    ]);
    expect(await bench.call('stuck', {})).toMatchObject({ text: 'cancelled' });
    expect(bench.types()).toEqual(['tool.called', 'tool.called', 'tool.failed', 'tool.failed', 'tool.failed']);
    expect(bench.find('tool.failed').map(({ payload }) => payload.error_class)).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    expect(bench.clock.running()).toBe(0);
  });

  it('TO15: a tool whose turn is stopped by what was told of the previous one does not run', async () => {
    const ran: string[] = [];
    const noting = (name: string) =>
      makeTool(name, async () => {
        ran.push(name);
        return { text: name };
      });
    const bench = createBench([noting('first'), noting('second')], { maxParallel: 1 });
    bench.journal.subscribe(({ type }) => type === 'tool.completed' && bench.cancel());
    const results = await bench.dispatch([use('first', {}), use('second', {})]);
    expect(results.map(({ text }) => text)).toEqual(['first', 'cancelled']);
    expect(ran).toEqual(['first']);
    expect(bench.clock.running()).toBe(0);
  });

  it('TO15: whatever the tool throws then', async () => {
    const bench = createBench([
      makeTool(
        'polite',
        (_input, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      ),
    ]);
    const result = bench.call('polite', {});
    await settle();
    bench.cancel();
    expect(await result).toMatchObject({ text: 'cancelled' });
  });
});

describe('metaskills', () => {
  const host = makeTool('run_metaskill', async () => ({ text: 'ran' }), {
    sideEffects: 'execute',
    validatesItself: true,
    inputSchema: { type: 'object', required: ['name'] },
  });

  it('TO16: are refused inside a metaskill, registered or not', async () => {
    for (const tools of [[host], []]) {
      const bench = createBench(tools);
      expect(await bench.call('run_metaskill', { name: 'x' }, { depth: 1 })).toMatchObject({
        text: 'error: run_metaskill is not available inside a metaskill',
        isError: true,
      });
      expect(bench.types()).toEqual(['tool.failed']);
      expect(bench.find('tool.failed')[0]?.payload.error_class).toBe('permission_denied');
    }
  });

  it('TO17, HOST4: the host checks its arguments, and every refusal is an error: and a tool.failed', async () => {
    const bench = createBench([host]);
    expect(await bench.call('run_metaskill', {})).toMatchObject({ text: 'ran' });
    const [broken] = await bench.dispatch([use('run_metaskill', '{', 'Expected a key')]);
    expect(broken?.text).toMatch(/^error: the input is not valid JSON/);
    expect(bench.types()).toEqual(['tool.called', 'tool.completed', 'tool.failed']);
  });
});

describe('registration', () => {
  const deps = {
    emit: () => '',
    policy: createPolicy(),
    now: () => 0,
    after: () => () => {},
    newId: () => '',
  };
  it.each([
    '$ref',
    'oneOf',
    'anyOf',
    'allOf',
    'not',
    'if',
    'then',
    'else',
    'patternProperties',
    'dependencies',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
    'unevaluatedItems',
  ])('TO18: %s in a schema is refused', (keyword) => {
    const tool = { ...echo, inputSchema: { type: 'object', properties: { a: { [keyword]: {} } } } };
    expect(() => createDispatcher({ ...deps, tools: [tool] })).toThrow(
      `the input schema of echo cannot be used: $.a: the keyword "${keyword}" is not supported`,
    );
  });

  it('TO18: so are two tools with one name', () => {
    expect(() => createDispatcher({ ...deps, tools: [echo, echo] })).toThrow('there are two tools echo');
  });
});
