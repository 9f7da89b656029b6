/** Runs the tests of manifests in the sandbox: a result of the wrong form, or none, is a crash (L5). One start for all of them. */
import { sha256 } from '../../base/hash.ts';
import { type Json, isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { SmokeRunner } from '../importer/import-report.ts';
import { readManifest, type Manifest } from '../signing/manifest.ts';
import { answerLine } from './run-executor.ts';
import type { PythonRunner } from './types.ts';

const TIMEOUT_SECONDS = 120;
const DRIVER = 'smoke-driver.py';

/** Each executor in turn, in one interpreter; what one does to itself is not seen by the next. */
const DRIVER_TEXT = `import json
import os
import runpy
import sys

request = json.loads(sys.stdin.read())
here = os.path.dirname(os.path.abspath(__file__))
results = []
for executor in request["executors"]:
    for test in executor["tests"]:
        try:
            module = runpy.run_path(os.path.join(here, executor["entry"]), run_name="executor")
            result = module["invoke"](test["input"], {})
        except BaseException as problem:
            result = {"crash": type(problem).__name__ + ": " + str(problem)}
        results.append({"name": executor["name"], "test": test["name"], "result": result})
sys.stdout.write("\\n" + request["nonce"] + json.dumps(results) + "\\n")
`;

interface Smoked {
  readonly name: string;
  readonly test: string;
  readonly result: Json;
}

const isSmoked = (value: Json): value is Json & Smoked =>
  isObject(value) && typeof value['name'] === 'string' && typeof value['test'] === 'string';

/** Why a result is not what the test expects. */
const objection = (result: Json, expected: Json, kind: string): string | undefined => {
  if (!isObject(result)) return 'the result isn’t an object';
  if (typeof result['crash'] === 'string') return result['crash'];
  if (typeof result['ok'] !== 'boolean' || !Array.isArray(result[kind]))
    return `the result doesn’t have the declared form: ok and ${kind}`;
  const wrong = isObject(expected) ? Object.entries(expected).find(([key, value]) => result[key] !== value) : undefined;
  if (!wrong) return undefined;
  const error = typeof result['error'] === 'string' ? ` (${result['error']})` : '';
  return `${wrong[0]} should be ${JSON.stringify(wrong[1])} and is ${JSON.stringify(result[wrong[0]] ?? null)}${error}`;
};

export const createSmoke =
  (run: PythonRunner, signal: AbortSignal): SmokeRunner =>
  async (executors) => {
    const outcome = new Map<string, Result<number, string>>();
    const manifests = new Map<string, Manifest>();
    for (const { name, manifest: text } of executors) {
      const manifest = readManifest(text);
      if (manifest.ok) manifests.set(name, manifest.value);
      else outcome.set(name, manifest);
    }
    const nonce = `lathe-${sha256([...manifests.keys()].join('\0')).slice(0, 24)} `;
    const files = new Map(executors.flatMap((executor) => [...executor.files]));
    files.set(DRIVER, new TextEncoder().encode(DRIVER_TEXT));
    const request = {
      nonce,
      executors: [...manifests].map(([name, manifest]) => ({
        name,
        entry: manifest.execution.entry,
        tests: (manifest.tests ?? []).map((test) => ({ name: test.name, input: JSON.parse(test.input) as Json })),
      })),
    };
    const answer = await run({
      files,
      entry: DRIVER,
      stdin: JSON.stringify(request),
      timeoutSeconds: TIMEOUT_SECONDS,
      signal,
      setWaiting: () => undefined,
    });
    const results = answer.kind === 'exited' ? answerLine(answer.output, nonce) : undefined;
    const why = answer.kind === 'failed' ? answer.message : (answer.output.trim().split('\n').at(-1) ?? '');
    const rows = Array.isArray(results) ? (results as readonly Json[]).filter(isSmoked) : undefined;
    for (const [name, manifest] of manifests) {
      const tests = manifest.tests ?? [];
      const problem = tests
        .map((test) => {
          const row = rows?.find((item) => item.name === name && item.test === test.name);
          const found = row
            ? objection(row.result, JSON.parse(test.expect) as Json, manifest.output.kind)
            : `no result: ${why}`;
          return found === undefined ? undefined : `${test.name}: ${found}`;
        })
        .find((found) => found !== undefined);
      outcome.set(name, problem === undefined ? ok(tests.length) : err(problem));
    }
    return outcome;
  };
