// Conformance cases G: the four example programs of the metaskill specification, as they are written there.
import { describe, expect, it } from 'vitest';
import { exited, useMetaskills } from './testing/metaskill-run.ts';

const { run } = useMetaskills();

const REQUIRE_HEADING = `def run(input):
    task = input["task"]
    heading = input["heading"]
    for i in range(3):
        result = ask(task, {
            "purpose": "draft",
            "max_turns": 4,
        })
        if heading in result["answer"]:
            return {
                "status": "accepted",
                "answer": result["answer"],
                "attempts": i + 1,
            }
        trace("missing-heading", {
            "attempt": i + 1,
            "heading": heading,
        })
        task = (
            "Revise the draft so it includes this exact heading:\\n" +
            heading +
            "\\n\\nPrevious draft:\\n" +
            result["answer"]
        )
    return {
        "status": "exhausted",
        "answer": result["answer"],
        "warning": "The required heading was still missing.",
    }
`;

const TEST_FIX = `def run(input):
    test_command = input.get("test_command", ["pytest", "-q"])
    for i in range(3):
        result = command(test_command, {"timeout": 120})
        trace("test-run", {
            "attempt": i + 1,
            "ok": result["ok"],
        })
        if result["ok"]:
            return {
                "status": "accepted",
                "answer": "Tests passed.",
                "attempts": i + 1,
            }
        ask(
            "The tests failed. Fix the problem, then stop.\\n\\n" +
            result["result"],
            {
                "purpose": "fix-tests",
                "max_turns": 10,
            },
        )
    return {
        "status": "exhausted",
        "answer": result["result"],
        "warning": "Tests still failed after 3 attempts.",
    }
`;

const CHECKLIST = `def run(input):
    task = input["task"]
    required = input.get("required", ["install", "test", "rollback"])
    for i in range(3):
        result = ask(task, {
            "purpose": "draft-checklist",
            "max_turns": 4,
        })
        missing = []
        for word in required:
            if word not in result["answer"].lower():
                missing.append(word)
        if not missing:
            return {
                "status": "accepted",
                "answer": result["answer"],
                "attempts": i + 1,
            }
        trace("missing-words", {
            "attempt": i + 1,
            "missing": missing,
        })
        task = (
            "Revise the checklist. It must include these words: " +
            ", ".join(missing) +
            "\\n\\nPrevious checklist:\\n" +
            result["answer"]
        )
    return {
        "status": "exhausted",
        "answer": result["answer"],
        "missing": missing,
    }
`;

const REVIEW_DIFF = `def run(input):
    diff = command(["git", "diff"], {"timeout": 30})
    if not diff["ok"]:
        return {
            "status": "error",
            "answer": diff["result"],
        }
    review = ask(
        "Review this diff for bugs only. Ignore style nits.\\n\\n" +
        diff["result"],
        {
            "purpose": "bug-review",
            "max_turns": 6,
        },
    )
    return {
        "status": "ok",
        "answer": review["answer"],
    }
`;

describe('require-heading', () => {
  const input = { task: 'write', heading: '# H' };

  it('G01: accepts the second draft', async () => {
    const { envelope, asks, entries } = await run(REQUIRE_HEADING, { input, answers: ['no', 'has # H here'] });
    expect(envelope).toMatchObject({ status: 'accepted', answer: 'has # H here', attempts: 2 });
    expect(asks.map(({ maxTurns }) => maxTurns)).toEqual([4, 4]);
    expect(asks[0]?.prompt).toBe('write');
    expect(asks[1]?.prompt).toMatch(/^Revise the draft[^]*\nno$/);
    expect(entries.slice(1, -1)).toEqual([{ kind: 'missing-heading', data: { attempt: 1, heading: '# H' } }]);
  });

  it('G02: gives up after three drafts, with the last one', async () => {
    const { envelope, entries } = await run(REQUIRE_HEADING, { input, answers: ['no', 'no2', 'no3'] });
    expect(envelope).toMatchObject({
      status: 'exhausted',
      answer: 'no3',
      warning: 'The required heading was still missing.',
    });
    expect(entries.filter(({ kind }) => kind === 'missing-heading')).toHaveLength(3);
    expect(entries.at(-1)?.data).toMatchObject({ status: 'exhausted', ask_calls: 3 });
  });

  it('G03: without heading it fails before the first ask', async () => {
    const { result, asks } = await run(REQUIRE_HEADING, { input: { task: 'write' } });
    expect(result).toMatch(/^error: metaskill 't': runtime error: /);
    expect(result).toContain('key "heading" not in dict');
    expect(asks).toEqual([]);
  });
});

describe('test-fix', () => {
  const input = { test_command: ['pytest', 'tests/test_parser.py', '-q'] };

  it('G04: passing tests need no ask', async () => {
    const { envelope, entries, commands } = await run(TEST_FIX, { input });
    expect(envelope).toMatchObject({ status: 'accepted', answer: 'Tests passed.', attempts: 1 });
    expect(commands).toMatchObject([{ argv: input.test_command, timeoutSeconds: 120 }]);
    expect(entries[1]).toEqual({ kind: 'test-run', data: { attempt: 1, ok: true } });
    expect(entries.at(-1)?.data).toMatchObject({ ask_calls: 0, command_calls: 1 });
  });

  it('G05: tests that always fail get three commands and three asks', async () => {
    let count = 0;
    const { envelope, asks, commands } = await run(TEST_FIX, {
      input,
      command: () => Promise.resolve(exited(1, `failure ${++count}`)),
    });
    expect(envelope).toMatchObject({ status: 'exhausted', answer: 'failure 3' });
    expect(commands).toHaveLength(3);
    expect(asks.map(({ maxTurns, purpose }) => [maxTurns, purpose])).toEqual([
      [10, 'fix-tests'],
      [10, 'fix-tests'],
      [10, 'fix-tests'],
    ]);
    expect(asks[0]?.prompt).toMatch(/\nfailure 1$/);
  });
});

describe('checklist', () => {
  it('G06: accepts the second list and traces what the first lacked', async () => {
    const { envelope, entries } = await run(CHECKLIST, {
      input: { task: 'write', required: ['a', 'zz'] },
      answers: ['a', 'a zz'],
    });
    expect(envelope).toMatchObject({ status: 'accepted', answer: 'a zz', attempts: 2 });
    expect(entries[1]).toEqual({ kind: 'missing-words', data: { attempt: 1, missing: ['zz'] } });
  });

  it('G07: gives up after three lists and names what is missing', async () => {
    const { envelope, asks } = await run(CHECKLIST, {
      input: { task: 'write', required: ['zz'] },
      answers: ['x', 'y', 'last'],
    });
    expect(envelope).toMatchObject({ status: 'exhausted', answer: 'last', missing: ['zz'] });
    expect(asks).toHaveLength(3);
  });
});

describe('review-diff', () => {
  it('G08: a failing git is a success of the run with status error', async () => {
    const { envelope, ok, asks } = await run(REVIEW_DIFF, {
      command: () => Promise.resolve(exited(128, 'fatal: not a git repository')),
    });
    expect(ok).toBe(true);
    expect(envelope).toMatchObject({ status: 'error', answer: 'fatal: not a git repository' });
    expect(asks).toEqual([]);
  });

  it('G08: a diff is reviewed with one ask', async () => {
    const { envelope, asks, commands } = await run(REVIEW_DIFF, {
      command: () => Promise.resolve(exited(0, '+a')),
      answers: ['no bugs'],
    });
    expect(envelope).toMatchObject({ status: 'ok', answer: 'no bugs' });
    expect(commands).toMatchObject([{ argv: ['git', 'diff'], timeoutSeconds: 30 }]);
    expect(asks).toMatchObject([{ maxTurns: 6, purpose: 'bug-review' }]);
    expect(asks[0]?.prompt).toMatch(/\n\+a$/);
  });

  it('G09: an empty input is refused although the program reads none', async () => {
    const { result, commands } = await run(REVIEW_DIFF, { input: {} });
    expect(result).toMatch(/^error: input is required/);
    expect(commands).toEqual([]);
  });
});
