import { describe, expect, it } from 'vitest';
import { codePointLength } from '../base/text.ts';
import { createFolder, runLathe } from './testing/run-lathe.ts';

const skill = (name: string, body = `# ${name}\n`): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when needed.\n---\n${body}`;

interface Flow {
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
  readonly cost_usd: number;
}

interface Report {
  readonly segments: readonly {
    kind: string;
    id: string;
    tokens: number;
    counted: number;
    bytes: number;
    text: string;
  }[];
  readonly estimate: number;
  readonly natural: number;
  readonly preloaded: readonly string[];
  readonly padded: boolean;
  readonly target: { policy: string; min: number | null; max: number | null; floor: number | null };
  readonly passedOver: readonly { name: string }[];
  readonly note: string;
  readonly forecast: { prefix: number; hidden: number; prompt: number; first: Flow; later: Flow };
  readonly log: readonly { level: string; text: string }[];
}

const FILES = {
  'AGENTS.md': 'Use tabs.',
  'skills/pdf/SKILL.md': skill('pdf', 'Read the PDF.\n'),
  'skills/big/SKILL.md': skill('big', 'x'.repeat(30_000)),
};

const report = (folder: string, ...args: string[]): Report =>
  JSON.parse(runLathe(['prefix', '.', '--json', ...args], folder).stdout) as Report;

describe('lathe prefix', () => {
  it('PR50: tells the prompt in segments as JSON', () => {
    using folder = createFolder(FILES);
    const { segments, estimate, natural, preloaded, padded, passedOver, note, log } = report(folder.path);
    const kinds = [...new Set(segments.map(({ kind }) => kind))];
    expect(kinds).toEqual(['tool', 'persona', 'instructions', 'skill-index', 'preloaded', 'operating-context']);
    const text = segments.map((segment) => segment.text).join('');
    expect(estimate).toBe(Math.floor(codePointLength(text) / 4));
    for (const segment of segments) expect(segment.bytes).toBe(Buffer.byteLength(segment.text));
    expect(estimate).toBeGreaterThanOrEqual(4500);
    expect(estimate).toBeLessThanOrEqual(5500);
    expect({ preloaded, padded, passed: passedOver.map(({ name }) => name) }).toEqual({
      preloaded: ['pdf'],
      padded: true,
      passed: ['big'],
    });
    expect(natural).toBeLessThan(4500);
    expect(note).toMatch(
      /^padded because the natural prefix is [\d,]+ tokens by the estimate and this model caches from 4,096$/,
    );
    expect(log).toMatchObject([{ level: 'warning', text: expect.stringContaining("skill 'big' body is ~") as string }]);
  });

  it('PXR1, PR52, FC20: says what the simulator then bills', () => {
    const message = 'Hello there.';
    const turns = `[{say: ${message}}, {new_session: true}, {say: ${message}}]`;
    using folder = createFolder({ ...FILES, 'script.yaml': `folder: .\nturns: ${turns}\n` });
    const { forecast, segments } = report(folder.path, '--message', message);
    const played = JSON.parse(runLathe(['session', 'script.yaml', '--json'], folder.path).stdout) as {
      readonly turns: readonly { calls: readonly { usage: Flow & { output: number }; cost: number }[] }[];
    };
    const bills = played.turns.map(({ calls }) => calls[0]);
    for (const [index, flow] of [forecast.first, forecast.later].entries()) {
      const { usage, cost } = bills[index] ?? {};
      expect(flow).toMatchObject({ read: usage?.read, written: usage?.written, uncached: usage?.uncached });
      // Five dollars per million tokens of the answer.
      expect(flow.cost_usd.toFixed(4)).toBe(((cost ?? 0) - (usage?.output ?? 0) * 5e-6).toFixed(4));
    }
    expect(forecast.prefix).toBe(forecast.first.written);
    const counted = segments.reduce((sum, segment) => sum + segment.counted, forecast.hidden);
    expect(counted).toBe(forecast.prefix);
  });

  it('PR8: is the same in every run', () => {
    using folder = createFolder(FILES);
    expect(runLathe(['prefix', '.', '--json'], folder.path).stdout).toBe(
      runLathe(['prefix', '.', '--json'], folder.path).stdout,
    );
  });

  it('PR51: has words for model, padding, dialect, policy and persona', () => {
    using folder = createFolder({ ...FILES, 'persona.txt': 'Be brief.\n' });
    expect(report(folder.path)).toMatchObject({ target: { policy: 'spec', min: 4500, max: 5500, floor: 4096 } });
    expect(report(folder.path, '--padding', 'off')).toMatchObject({ padded: false, target: { min: null } });
    const model = report(folder.path, '--padding', 'model', '--model', 'claude-opus-5');
    expect(model).toMatchObject({ padded: false, target: { min: 437, floor: 512 } });
    const agents = report(folder.path, '--dialect', 'agents', '--persona', 'persona.txt');
    expect(agents.preloaded).toEqual([]);
    expect(agents.segments.find(({ kind }) => kind === 'persona')?.text).toBe('Be brief.');
    expect(agents.segments.map(({ id }) => id)).toContain('tool:skill');
  });

  it('PR51: shows the listing of an agent, and leaves out tools, as a session can', () => {
    using folder = createFolder({ ...FILES, '.claude/skills/pdf/SKILL.md': skill('pdf') });
    const plain = report(folder.path);
    const shown = report(folder.path, '--listing', 'claude-code', '--without-tool', 'run_command', '--padding', 'off');
    const ids = (of: Report): readonly string[] => of.segments.map(({ id }) => id);
    expect(ids(plain)).toContain('tool:run_command');
    expect(ids(shown)).not.toContain('tool:run_command');
    const index = (of: Report): string | undefined => of.segments.find(({ kind }) => kind === 'skill-index')?.text;
    expect(index(shown)).toContain('pdf');
    expect(index(shown)).not.toBe(index(plain));
  });

  it('prints a table for people', () => {
    using folder = createFolder(FILES);
    const { stdout, stderr, code } = runLathe(['prefix', '.'], folder.path);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hidden tool prompt +496 +– +0 {2}█/m);
    expect(stdout).toMatch(/^tool:read_file +\d+ +\d+ +\d+ {2}█/m);
    expect(stdout).toMatch(/^operating-context \(\d+ paragraphs\) +\d+ +\d+ +\d+ {2}▒/m);
    expect(stdout).toMatch(/^first request: read 0 · written \d+ · uncached \d+ · \$0\.\d{4}$/m);
    expect(stdout).toMatch(/^a later one: +read \d+ · written 0 · uncached \d+ · \$0\.\d{4}$/m);
    expect(stdout).toMatch(/^padded because /m);
    expect(stdout).toContain('\npreloaded: pdf\nnot preloaded: big: with its body the prefix would have');
    expect(stderr).toContain('warning: ');
  });

  it.each([
    [[], 'expected one folder'],
    [['nowhere'], 'folder not found: nowhere'],
    [['.', '--padding', 'much'], "invalid --padding 'much'; expected spec, model, off"],
    [['.', '--dialect', 'x'], "invalid --dialect 'x'"],
    [['.', '--listing', 'nobody'], "invalid --listing 'nobody'; expected claude-code"],
    [['.', '--without-tool', 'skill_load'], "invalid --without-tool 'skill_load'; expected read_file"],
    [['.', '--persona', 'nowhere'], 'file not found: nowhere'],
    [['.', '--model', ' '], 'invalid --model; expected the name of a model'],
  ])('PR51: %j is a usage error', (args, message) => {
    using folder = createFolder({});
    const { code, stderr, stdout } = runLathe(['prefix', ...args], folder.path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
