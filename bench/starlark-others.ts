/** The same programs elsewhere: the engine's Go source as a native program, and Python. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Timed {
  readonly ms: number;
  readonly valueJson: string;
}

export interface Other extends Disposable {
  readonly name: string;
  readonly run: (program: string) => Timed;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** A reason instead where it cannot be built. */
export const nativeEngine = (): Other | string => {
  if (spawnSync('go', ['version']).status !== 0) return 'there is no Go here';
  const folder = mkdtempSync(join(tmpdir(), 'lathe-native-'));
  const binary = join(folder, 'native');
  const file = join(folder, 'SKILL.star');
  const built = spawnSync('go', ['test', '-c', '-o', binary, './engine'], { cwd: 'starlark', encoding: 'utf8' });
  if (built.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    return `Go does not build it: ${lastLine(built.stderr)}`;
  }
  return {
    name: 'native Go',
    run: (program) => {
      writeFileSync(file, program);
      const { stdout } = spawnSync(binary, ['-test.run=^TestNative$'], {
        encoding: 'utf8',
        env: { ...process.env, LATHE_BENCH: file },
      });
      const found = /^native: (.*)$/m.exec(stdout)?.[1];
      if (found === undefined) throw new Error(`the native engine failed: ${stdout.slice(0, 300)}`);
      return JSON.parse(found) as Timed;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const DRIVER = `
import json, sys, time
scope = {}
exec(sys.stdin.read(), scope)
start = time.perf_counter()
value = scope["run"]({"k": 1})
ms = (time.perf_counter() - start) * 1000
print(json.dumps({"ms": ms, "valueJson": json.dumps(value)}))
`;

export const python = (): Other | string => {
  const version = spawnSync('python3', ['--version'], { encoding: 'utf8' });
  if (version.status !== 0) return 'there is no python3 here';
  return {
    name: version.stdout.trim(),
    run: (program) => {
      const { status, stdout, stderr } = spawnSync('python3', ['-c', DRIVER], { encoding: 'utf8', input: program });
      if (status !== 0) throw new Error(`Python failed: ${lastLine(stderr)}`);
      return JSON.parse(stdout) as Timed;
    },
    [Symbol.dispose]: () => {},
  };
};
