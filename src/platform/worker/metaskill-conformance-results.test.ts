// Conformance cases N (normalization), E (size of the envelope) and X (time and cancellation), with the real engine.
import { describe, expect, it } from 'vitest';
import { codePointLength } from '../../base/text.ts';
import { useMetaskills } from './testing/metaskill-run.ts';
import { timePasses } from './testing/node-engine.ts';

const { engine, run, play, value } = useMetaskills();

const ANSWER = { answer: 'late', exhausted: false, turns: 1 };

describe('what run returns', () => {
  it.each([['return None'], ['pass'], ['return']])('N01: %j is ok with an empty answer', async (lines) => {
    const { result } = await play(lines);
    expect(result).toMatch(/^\[Metaskill: t completed\]\n\{"status":"ok","answer":"","trace":\[.*\]\}$/);
  });

  it.each(['hi', ''])('N02: the string %j is the answer', async (text) => {
    expect(await value(`return "${text}"`)).toMatchObject({ status: 'ok', answer: text });
  });

  it('N03: what a dict lacks is added', async () => {
    expect(await value('return {"custom": True}')).toMatchObject({ custom: true, status: 'ok', answer: '' });
  });

  it('N04: what a dict has stays', async () => {
    const { result } = await play('return {"status": "accepted", "answer": "done", "extra": 42}');
    expect(result).toContain('\n{"status":"accepted","answer":"done","extra":42,"trace":[');
  });

  it.each([
    ['42', 'int'],
    ['1.5', 'float'],
    ['True', 'bool'],
    ['[1]', 'list'],
    ['(1, 2)', 'tuple'],
    ['b"x"', 'bytes'],
    ['range(3)', 'range'],
  ])('N05: %s is not a result', async (expression, type) => {
    const { result } = await play(`return ${expression}`);
    expect(result).toBe(`error: metaskill 't': invalid metaskill return value: ${type}`);
  });

  it.each(['run', 'len', '{"f": len}', '{"l": [1, lambda x: x]}'])('N06: %s is not a result', async (expression) => {
    expect((await play(`return ${expression}`)).result).toMatch(/^error: metaskill 't': /);
  });

  it('N06: the error says where in the value the function is', async () => {
    expect((await play('return {"l": [1, {"f": len}]}')).result).toContain('$.l[1].f');
  });

  it('N07: an answer that is no string is kept as it is', async () => {
    expect((await play('return {"answer": None}')).result).toContain('{"answer":null,"status":"ok",');
    expect((await play('return {"answer": 5}')).result).toContain('{"answer":5,"status":"ok",');
  });

  it('N08, ENV3: the trace is the host’s', async () => {
    const { envelope } = await play('trace("a")\nreturn {"trace": "mine", "x": 1}');
    expect(envelope).toMatchObject({
      x: 1,
      trace: [{ kind: 'metaskill_start' }, { kind: 'a' }, { kind: 'metaskill_finish' }],
    });
  });

  it('N09: tuples and ranges inside a dict are arrays', async () => {
    expect(await value('return {"t": (1, (2,)), "r": range(3)}')).toMatchObject({ t: [1, [2]], r: [0, 1, 2] });
  });

  it.each(['float("nan")', 'float("inf")', '-float("inf")'])('N10: %s is not JSON', async (expression) => {
    const { result } = await play(`return {"x": [1, ${expression}]}`);
    expect(result).toMatch(/^error: metaskill 't': /);
    expect(result).toContain('not JSON');
    expect(result).toContain('$.x[1]');
  });

  it.each(['{1: "a"}', '{None: "a"}', '{True: "a"}', '{"x": {(1, 2): "a"}}'])(
    'N12: a key that is no string in %s is an error',
    async (expression) => {
      expect((await play(`return ${expression}`)).result).toMatch(/^error: metaskill 't': /);
    },
  );

  it('N13: deep nesting and a value that contains itself are errors, and the next run works', async () => {
    const deep = (levels: number): string =>
      `v = "x"\nfor i in range(${levels}):\n    v = [v]\nreturn {"answer": "deep", "v": v}`;
    expect((await play(deep(150))).ok).toBe(true);
    for (const levels of [250, 1000, 100_000])
      expect((await play(deep(levels))).result).toMatch(/^error: metaskill 't': /);
    expect((await play('l = []\nl.append(l)\nreturn {"l": l}')).result).toMatch(/^error: metaskill 't': /);
    expect((await play('return "works"')).ok).toBe(true);
  });

  it('N14, ENV4: numbers keep their digits and their type', async () => {
    expect((await play('return {"big": 1 << 100, "neg": -(1 << 100), "one": 1.0}')).result).toContain(
      '{"big":1267650600228229401496703205376,"neg":-1267650600228229401496703205376,"one":1.0,',
    );
  });

  it('N15, ENV1, ENV3: text is not escaped; keys are in the program’s order, then the defaults, then the trace', async () => {
    const { result } = await play('return {"z": "é😀<b>&/", "10": 1, "a": 2}');
    expect(result).toContain('\n{"z":"é😀<b>&/","10":1,"a":2,"status":"ok","answer":"","trace":[');
  });
});

describe('the size of the envelope', () => {
  it('E01: 10,000 characters and a small trace are not cut', async () => {
    const envelope = await value('trace("a", {"x": 1})\nreturn "x" * 10000');
    expect(envelope['answer']).toBe('x'.repeat(10_000));
    expect(envelope['trace']).toHaveLength(3);
    expect(Object.keys(envelope)).toEqual(['status', 'answer', 'trace']);
  });

  it('E04: 12,000 characters of answer and 10,000 of trace: only the trace is cut', async () => {
    const { result, envelope } = await play(
      'for i in range(10):\n    trace("t", {"x": "y" * 1000})\nreturn "x" * 12000',
    );
    expect(codePointLength(result)).toBeLessThanOrEqual(20_000);
    expect(envelope['answer']).toBe('x'.repeat(12_000));
    expect(Object.keys(envelope)).toEqual(['status', 'answer', 'trace']);
    expect(envelope['trace']).toContainEqual(expect.objectContaining({ kind: 'truncated' }));
  });

  it('E07: quotes that grow when they are escaped still fit, and the cut is named', async () => {
    const { result, envelope } = await play("return '\"' * 15000");
    expect(codePointLength(result)).toBeLessThanOrEqual(20_000);
    expect(envelope['answer_truncated']).toBe(true);
    expect(envelope['answer']).toMatch(/^"+$/);
  });
});

const LOOP = 'n = 0\nfor i in range(1 << 40):\n    for j in range(1 << 40):\n        n += 1\nreturn "done"';

describe('time and cancellation', () => {
  it('X01: a loop that only computes ends at the wall clock and really stops', async () => {
    const { result } = await play(LOOP, { timeoutSeconds: 1 });
    expect(result).toBe("error: metaskill 't': metaskill timeout (1s) exceeded");
    // Only the spare is left.
    await engine().warm();
    expect(engine().workers).toBe(1);
  });

  it('X02: an ask that outlasts the wall clock is a timeout, and is told to stop', async () => {
    let wasAborted = false;
    const { result, steps } = await play('ask("slow")\nreturn "done"', {
      timeoutSeconds: 1,
      ask: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            wasAborted = true;
            reject(new Error('aborted'));
          });
        }),
    });
    expect(result).toBe("error: metaskill 't': metaskill timeout (1s) exceeded");
    expect(wasAborted).toBe(true);
    expect(steps.every(({ ok }) => !ok)).toBe(true);
  });

  it('X03: cancelled before the first host call', async () => {
    const { result, asks } = await play('ask("x")', { onStart: (cancel) => cancel() });
    expect(result).toBe("error: metaskill 't': cancelled");
    expect(asks).toEqual([]);
  });

  it('X04: cancelled while it only computes', async () => {
    const { result } = await play(LOOP, { onStart: (cancel) => void timePasses(300).then(cancel) });
    expect(result).toBe("error: metaskill 't': cancelled");
  });

  it('X05: cancelled during an ask is cancelled, also if the ask still answers and the program returns', async () => {
    let stop = (): void => {};
    const { result } = await play('ask("x")\nreturn "done"', {
      onStart: (cancel) => {
        stop = cancel;
      },
      ask: async () => {
        stop();
        return ANSWER;
      },
    });
    expect(result).toBe("error: metaskill 't': cancelled");
  });

  it('X07: time in host calls counts', async () => {
    const { result, asks } = await play('ask("a")\nask("b")\nask("c")\nreturn "done"', {
      timeoutSeconds: 1,
      ask: () => timePasses(600).then(() => ANSWER),
    });
    expect(result).toBe("error: metaskill 't': metaskill timeout (1s) exceeded");
    expect(asks).toHaveLength(2);
  });

  it('D30, FUN7: time that waits for a person does not count, and waits nest', async () => {
    const envelope = await value('ask("a")\nreturn command(["make"])["result"]', {
      timeoutSeconds: 1,
      ask: async ({ setWaiting }) => {
        setWaiting(true);
        setWaiting(true);
        setWaiting(false);
        await timePasses(1200);
        setWaiting(false);
        return ANSWER;
      },
      command: async ({ setWaiting }) => {
        setWaiting(true);
        await timePasses(1200);
        setWaiting(false);
        return { kind: 'exited', exitCode: 0, output: 'approved' };
      },
    });
    expect(envelope).toMatchObject({ answer: 'approved' });
  });

  it('a program that uses up memory ends as an error, and the next run works', async () => {
    const { result } = await run(
      'def run(input):\n  l = []\n  for i in range(1 << 30):\n    l.append("x" * 100000 + str(i))\n',
    );
    expect(result).toMatch(/^error: metaskill 't': /);
    expect((await play('return "works"')).ok).toBe(true);
  });
});
