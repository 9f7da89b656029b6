import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importJsonl } from '../model/event/jsonl.ts';
import { replay } from '../model/session/state.ts';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

interface Report {
  readonly turns: readonly {
    readonly text: string;
    readonly ok: boolean;
    readonly usage: { readonly uncached: number; readonly read: number; readonly written: number };
    readonly predicted: unknown;
    readonly cost: number;
    readonly skills: readonly string[];
    readonly tools: readonly string[];
    readonly calls: readonly { readonly cause: string; readonly nested: boolean; readonly position: string | null }[];
  }[];
  readonly analytics: { readonly hit_rate: number; readonly cache_write_share: number };
  readonly log: readonly unknown[];
}

const DEMO = join(PROJECT, 'public', 'demo');
const SMOKE = join(PROJECT, 'src', 'cli', 'fixtures', 'smoke-cache.yaml');

const play = (script: string, ...args: string[]): { readonly report: Report; readonly code: number | null } => {
  using folder = createFolder({ 'script.yaml': script });
  const { stdout, stderr, code } = runLathe(['session', 'script.yaml', '--json', ...args], folder.path);
  if (stdout === '') throw new Error(stderr);
  return { report: JSON.parse(stdout) as Report, code };
};

describe('lathe session', () => {
  it('SE60: shows the cache at work: a start, a hit, expired, another model', () => {
    const { report, code } = play(`folder: ${JSON.stringify(DEMO)}
clock: "2026-11-16T09:00:00Z"
turns:
  - say: Hello there.
  - say: And again.
  - advance: 6m
  - say: Later.
  - change: {model: claude-opus-5-5}
  - say: Another model.
`);
    expect(code).toBe(0);
    expect(report.turns.map(({ calls }) => calls[0]?.cause)).toEqual([
      'chain-start',
      'hit',
      'ttl-expired',
      'model-or-key-switch',
    ]);
    expect(report.turns.map(({ usage }) => usage.read > 0)).toEqual([false, true, false, false]);
    // The simulator is the model, so the shadow knows everything beforehand.
    for (const { usage, predicted } of report.turns) expect(usage).toMatchObject(predicted as object);
  });

  it('with no skills, haiku-4-5 and padding spec, turn 2 reads and the write share is at most 1/N', () => {
    const { stdout } = runLathe(['session', SMOKE, '--json'], PROJECT);
    const { turns, analytics } = JSON.parse(stdout) as Report;
    expect(turns[0]?.usage).toMatchObject({ read: 0 });
    expect(turns[0]?.usage.written).toBeGreaterThan(4096);
    expect(turns[1]?.usage.read).toBe(turns[0]?.usage.written);
    expect(analytics.cache_write_share).toBeLessThanOrEqual(1 / 2);
  });

  // Costs money and needs a key: only when somebody asks for it.
  it.runIf(process.env['LATHE_LIVE'] === '1' && process.env['ANTHROPIC_API_KEY'] !== undefined)(
    'the same script reads on turn 2 against the live API',
    () => {
      const { stdout } = runLathe(['session', SMOKE, '--json', '--provider', 'anthropic'], PROJECT);
      const { turns } = JSON.parse(stdout) as Report;
      expect(turns[0]?.usage.written).toBeGreaterThan(0);
      expect(turns[1]?.usage.read).toBeGreaterThan(0);
    },
  );

  it('runs a demo metaskill end to end: picked, loaded, run with nested asks, answered', () => {
    const { report } = play(`folder: ${JSON.stringify(DEMO)}
turns:
  - say: 'Write a short note about the new timetable. It must have the heading "## Risks".'
`);
    const [turn] = report.turns;
    expect(turn?.ok).toBe(true);
    expect(turn?.skills).toEqual(['must-have-heading']);
    expect(turn?.tools).toEqual(['skill_load', 'run_metaskill']);
    expect(turn?.calls.filter(({ nested }) => nested).length).toBeGreaterThanOrEqual(2);
    expect(turn?.text).toContain('## Risks');
  });

  it('SE50, SE54: the journal replays and holds no key', () => {
    using folder = createFolder({
      'script.yaml': `folder: ${JSON.stringify(DEMO)}\nturns:\n  - say: Hello.\n  - say: Again.\n`,
    });
    const key = 'sk-ant-secret-0123456789abcdef';
    const { code } = runLathe(['session', 'script.yaml', '--json', '--events', 'events.jsonl'], folder.path, {
      ANTHROPIC_API_KEY: key,
    });
    expect(code).toBe(0);
    const text = readFileSync(join(folder.path, 'events.jsonl'), 'utf8');
    expect(text).not.toContain(key);
    const imported = importJsonl(text);
    if (!imported.ok || imported.value.content !== 'all') throw new Error('not a whole journal');
    expect(imported.value.faults).toEqual([]);
    const state = replay(imported.value.sessionId, imported.value.events);
    expect(state.turns.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('changes of memory cost only what is after the breakpoints', () => {
    const { report } = play(`folder: ${JSON.stringify(DEMO)}
turns:
  - say: Hello.
  - write: {path: MEMORY.md, text: Something new.}
  - say: Again.
`);
    expect(report.turns[1]?.calls[0]?.cause).toBe('hit');
    expect(report.turns[1]?.usage.read).toBe(report.turns[0]?.usage.written);
  });

  it('SE3, SE60: a new session over the same folder reads what the last one wrote', () => {
    const { report } = play(`folder: ${JSON.stringify(DEMO)}
turns:
  - say: Hello.
  - new_session: true
  - say: Good morning.
`);
    expect(report.turns[1]?.calls[0]?.cause).toBe('chain-start');
    expect(report.turns[1]?.usage.read).toBe(report.turns[0]?.usage.written);
  });

  it('SE70: whatever is wrong in a script is said with its line', () => {
    using folder = createFolder({
      'a.yaml': 'folder: .\nturns:\n  - say: Hi\n  - advance: soon\n',
      'b.yaml': 'folder: .\nmodle: x\nturns:\n  - say: Hi\n',
      'c.yaml': 'folder: nowhere\nturns:\n  - say: Hi\n',
      'd.yaml': 'folder: [\n',
    });
    const said = (file: string): string => {
      const { code, stderr } = runLathe(['session', file], folder.path);
      expect(code).toBe(2);
      return stderr;
    };
    expect(said('a.yaml')).toMatch(/a\.yaml: line 4: turns\.1/);
    expect(said('b.yaml')).toMatch(/b\.yaml: line 2: .*modle/);
    expect(said('c.yaml')).toContain('folder not found: nowhere');
    expect(said('d.yaml')).toMatch(/d\.yaml: line \d+: not YAML/);
    expect(said('missing.yaml')).toContain('file not found: missing.yaml');
  });

  it('SE70: a file that cannot be written is a mistake of the script', () => {
    using folder = createFolder({
      'script.yaml': 'folder: .\nturns:\n  - say: Hi\n  - write: {path: sub, text: a}\n',
      'sub/x': 'x',
    });
    const { code, stderr } = runLathe(['session', 'script.yaml'], folder.path);
    expect(code).toBe(2);
    expect(stderr).toMatch(/script\.yaml: turns\.1\.write: .*sub/);
    expect(stderr).not.toContain('    at ');
  });

  it('EV10: each session of a script has a journal of its own', () => {
    using folder = createFolder({
      'script.yaml': 'folder: .\nturns:\n  - say: Hi\n  - new_session: true\n  - say: Ho\n',
    });
    const nowhere = runLathe(['session', 'script.yaml', '--events', 'no/e.jsonl'], folder.path);
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    expect(nowhere.stderr).toMatch(/^lathe session: can't write --events 'no\/e\.jsonl'; /);
    expect(runLathe(['session', 'script.yaml', '--events', 'e.jsonl'], folder.path).code).toBe(0);
    for (const file of ['e.jsonl', 'e-2.jsonl']) {
      const imported = importJsonl(readFileSync(join(folder.path, file), 'utf8'));
      expect(imported.ok && imported.value.faults).toEqual([]);
    }
  });

  it('a real provider without its key says so, and the exit code is 1', () => {
    using folder = createFolder({ 'script.yaml': 'folder: .\nprovider: anthropic\nturns:\n  - say: Hi\n' });
    const { stdout, code } = runLathe(['session', 'script.yaml', '--json'], folder.path, { ANTHROPIC_API_KEY: '' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ turns: [{ ok: false, usage: null, cost: null }] });
    expect(stdout).toContain('ANTHROPIC_API_KEY');
    const told = runLathe(['session', 'script.yaml'], folder.path, { ANTHROPIC_API_KEY: '' }).stdout;
    expect(told).toContain('usage not reported · cost unknown');
    expect(told).toMatch(/no input · cost unknown\n$/);
    expect(stdout).not.toMatch(/OPENAI_API_KEY|OPENROUTER_API_KEY/);
  });

  it('a base URL and a wire go with a provider that has them', () => {
    using folder = createFolder({ 'script.yaml': 'folder: .\nturns:\n  - say: Hi\n' });
    const said = (...args: string[]): string => runLathe(['session', 'script.yaml', ...args], folder.path).stderr;
    expect(said('--base-url', 'http://127.0.0.1:9')).toContain('--base-url needs --provider');
    expect(said('--provider', 'compatible', '--base-url', 'file:///etc')).toContain("invalid --base-url 'file:///etc'");
    expect(said('--provider', 'openai', '--wire', 'openai-chat')).toContain('--wire needs --provider compatible');
    expect(said('--provider', 'compatible', '--wire', 'morse')).toContain(
      "invalid --wire 'morse'; expected anthropic-messages",
    );
  });
});
