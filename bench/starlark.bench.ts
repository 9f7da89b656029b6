/**
 * The Starlark engine as WebAssembly in Node: against the same source as a native program and against Python, its start, its
 * debugger and its host calls.
 *
 * The limits are generous: they stand for an order of magnitude that holds on a busy machine with two cores. Measured there in two
 * runs, both under load: native 17–18 (loops) and 5–11 (strings, dicts), Python 39–51, debugger 2.1–2.4. Loops are the worst case:
 * without an address space to reserve, starlark-go allocates every int.
 */
import { nativeEngine, type Other, python, type Timed } from './starlark-others.ts';
import { makeEngine } from './starlark-thread.ts';
import { bestOfAsync, report } from './measure.ts';
import type { RunRequest } from '../src/model/starlark/engine.ts';
import type { EngineHost } from '../src/platform/worker/engine-host.ts';

const ROUNDS = 3;
const LIMITS = { native: 30, python: 150, cold: 1.5, debugger: 3, call: 1 };

/** Valid Python as well, and with the same result there. */
const PROGRAMS = {
  loops: `
def run(input):
    total = 0
    for i in range(300000):
        if i % 3 == 0:
            total = (total + i * 7) % 1000003
        else:
            total = total + 1
    return str(total)
`,
  strings: `
def run(input):
    parts = []
    for i in range(20000):
        word = "item-%d" % i
        parts.append(word.upper().replace("-", "_"))
        if word.startswith("item-9") and word.endswith("9"):
            parts.append(word[2:5] + "," + word)
    text = ",".join(parts)
    return str(len(text)) + " " + str(len(text.split(","))) + " " + text[100:140]
`,
  dicts: `
def run(input):
    counts = {}
    for i in range(60000):
        key = i * 31 % 5003
        counts[key] = counts.get(key, 0) + i
    names = {}
    for i in range(30000):
        name = "k" + str(i % 997)
        names[name] = names.get(name, 0) + 1
    total = 0
    for key in counts:
        total += counts[key] % 1000
    return str(len(counts)) + " " + str(len(names)) + " " + str(total)
`,
};
const TRIVIAL = 'def run(input):\n    return "done"\n';
const CALLS = 1000;
const ASKS = `def run(input):\n    n = 0\n    for i in range(${CALLS}):\n        n += len(ask("q")["answer"])\n    return str(n)\n`;

const ANSWER = '{"answer":"yes","exhausted":false,"turns":1,"truncated":false}';

const runWasm = async (
  engine: EngineHost,
  text: string,
  debug?: RunRequest['debug'],
): Promise<Timed & { readonly wall: number }> => {
  // The spare is there: start-up is measured apart.
  await engine.warm();
  const start = performance.now();
  const result = await engine.run(
    { program: { file: 'SKILL.star', text }, inputJson: '{"k":1}', ...(debug ? { debug } : {}) },
    { call: () => Promise.resolve({ ok: true, valueJson: ANSWER }) },
  ).result;
  if (!result.ok) throw new Error(result.error.message);
  return { ms: result.stats.ms, valueJson: result.valueJson, wall: performance.now() - start };
};

/** The best of some rounds; in each of them all take their turn, so that a busy moment meets all. */
const race = async (runners: readonly (() => Promise<Timed> | Timed)[]): Promise<number[]> => {
  const best = runners.map(() => Infinity);
  let agreed: string | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, runner] of runners.entries()) {
      const { ms, valueJson } = await runner();
      agreed ??= valueJson;
      if (agreed !== valueJson) throw new Error(`they differ: ${agreed} and ${valueJson}`);
      best[index] = Math.min(best[index] ?? Infinity, ms);
    }
  }
  return best;
};

const available = (what: string, other: Other | string): Other[] => {
  if (typeof other !== 'string') return [other];
  process.stdout.write(`  ${what}: skipped, because ${other}\n`);
  return [];
};

// Threads of the engine do not keep a process alive.
const alive = setInterval(() => {}, 1000);
const engine = makeEngine();
const natives = available('wasm against native', nativeEngine());
const pythons = available('wasm against Python', python());
const others = [...natives, ...pythons];

for (const [name, text] of Object.entries(PROGRAMS)) {
  const [wasm = 0, ...rest] = await race([
    () => runWasm(engine, text),
    ...others.map((other) => () => other.run(text)),
  ]);
  for (const [index, other] of others.entries()) {
    const atMost = natives.includes(other) ? LIMITS.native : LIMITS.python;
    report(`${name} (${wasm.toFixed(0)} ms), against ${other.name}`, wasm / (rest[index] ?? 0), { atMost });
  }
}

const loops = PROGRAMS.loops;
const [plain = 0, debugged = 0] = await race([
  () => runWasm(engine, loops),
  () => runWasm(engine, loops, { breakpoints: [], stopOnEntry: false }),
]);
report('loops with a debugger and no breakpoints, against plain', debugged / plain, { atMost: LIMITS.debugger });

let warm = Infinity;
for (let round = 0; round < 10; round++) warm = Math.min(warm, (await runWasm(engine, TRIVIAL)).wall);
const cold = await bestOfAsync(5, async () => {
  using fresh = makeEngine();
  const { result } = fresh.run(
    { program: { file: 'SKILL.star', text: TRIVIAL }, inputJson: '{"k":1}' },
    { call: () => Promise.reject(new Error('nothing is asked')) },
  );
  if (!(await result).ok) throw new Error('a trivial program failed');
});
report(`cold start (${cold.toFixed(0)} ms), against a warm spare (${warm.toFixed(1)} ms)`, cold / warm, {
  atLeast: LIMITS.cold,
});

let asking = Infinity;
for (let round = 0; round < ROUNDS; round++) {
  const { wall, valueJson } = await runWasm(engine, ASKS);
  if (valueJson !== `"${CALLS * 3}"`) throw new Error(`asked wrongly: ${valueJson}`);
  asking = Math.min(asking, wall);
}
const perCall = (asking - warm) / CALLS;
report(`one of ${CALLS} host calls (${perCall.toFixed(3)} ms), against a trivial run`, perCall / warm, {
  atMost: LIMITS.call,
});
engine.dispose();
for (const other of others) other[Symbol.dispose]();
clearInterval(alive);
