import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

const GUIDE = Array.from({ length: 80 }, (_, index) => `Rule ${index}: read the whole file before you edit it.`).join(
  '\n',
);
const line = (minute: number, clock: string, written: number, read: number): string =>
  JSON.stringify({
    provider: 'anthropic',
    model: 'claude-sonnet-5-5',
    body: JSON.stringify({
      model: 'claude-sonnet-5-5',
      max_tokens: 10,
      system: [{ type: 'text', text: `${clock} ${GUIDE}`, cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: 'Hi' }],
    }),
    started_at: new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString(),
    usage: { input_tokens: 9, cache_creation_input_tokens: written, cache_read_input_tokens: read, output_tokens: 3 },
  });

describe('lathe explain', () => {
  const lines = [line(0, '10:00', 1300, 0), line(1, '10:01', 1300, 0), line(2, '10:01', 0, 1300)];

  it('CLI1: --json prints one document with a verdict per request; 1 if something was missed', () => {
    using folder = createFolder({ 'calls.jsonl': lines.join('\n') });
    const ran = runLathe(['explain', 'calls.jsonl', '--json'], folder.path);
    const document = JSON.parse(ran.stdout) as {
      verdicts: Record<string, unknown>[];
      faults: unknown[];
      log: unknown[];
    };
    expect(ran.code).toBe(1);
    expect(document.verdicts.map(({ cause }) => cause)).toEqual(['chain-start', 'volatile-value-in-system', 'hit']);
    expect(document.verdicts.map(({ kind }) => kind)).toEqual(['start', 'miss', 'hit']);
    expect(document.verdicts[1]).toMatchObject({
      line: 2,
      previous_line: 1,
      position: { label: 'system[0]', path: 'text', offset: 4 },
      tokens: 1300,
      certainty: 'sure',
    });
    expect(document.verdicts[1]?.['cost']).toBeCloseTo((1300 * 2.4) / 1e6, 9);
    expect([document.faults, document.log]).toEqual([[], []]);
  });

  it('CLI1, LED1: --ledger gives what was paid, what was avoidable, and the best change first', () => {
    using folder = createFolder({ 'calls.jsonl': lines.join('\n') });
    const ran = runLathe(['explain', 'calls.jsonl', '--ledger', '--json'], folder.path);
    const { ledger } = JSON.parse(ran.stdout) as {
      ledger: Record<'paid' | 'necessary' | 'avoidable', { usd: number }> & { changes: Record<string, unknown>[] };
    };
    expect(ran.code).toBe(0);
    // 9 in, 1,300 written or read, and 3 out of each, at 2, 2.50, 0.10 and 10 dollars for a million.
    expect(ledger.paid.usd).toBeCloseTo((27 * 2 + 2_600 * 2.5 + 1_300 * 0.1 + 9 * 10) / 1e6, 9);
    // What the change saves by the forecast; the request alone lost 1,300 tokens at 2.50 instead of 0.10.
    const { recorded, forecast } = JSON.parse(
      runLathe(['whatif', 'calls.jsonl', '--move', 'system[0]', '--json'], folder.path).stdout,
    ) as Record<'recorded' | 'forecast', { usd: number }>;
    expect(ledger.avoidable.usd).toBeCloseTo(recorded.usd - forecast.usd, 9);
    expect(ledger.avoidable.usd).toBeGreaterThan((1_000 * 2.4) / 1e6);
    expect(ledger.avoidable.usd).toBeLessThan((1_300 * 2.4) / 1e6);
    expect(ledger.necessary.usd + ledger.avoidable.usd).toBeCloseTo(ledger.paid.usd, 9);
    expect(ledger.changes).toMatchObject([
      { cause: 'volatile-value-in-system', place: 'system[0]', requests: 1, worst_request: 2 },
    ]);
    expect(runLathe(['explain', 'calls.jsonl', '--ledger'], folder.path).stdout).toMatch(
      /^\$0\.00\d\d avoidable \(\d\d%\) of \$0\.0068 paid\n/,
    );
  });

  it('CLI2: for people, a paragraph per request; 0 if all is well', () => {
    using folder = createFolder({ 'calls.jsonl': `${lines[0]}\n` });
    const ran = runLathe(['explain', 'calls.jsonl'], folder.path);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('claude-sonnet-5-5  First request');
    expect(ran.stdout).toContain('1 request: 0 hits, 1 start, 0 misses; 0 tokens lost');
  });

  it('CLI1: several files and folders at the same time; what holds no requests is reported, and a fault with its file', () => {
    using folder = createFolder({
      'a/calls.jsonl': `${lines[0]}\n{"cut\n${lines[2]}`,
      'a/notes.md': 'Nothing here.',
      'more.jsonl': `${lines[0]}`,
    });
    const ran = runLathe(['explain', 'a', 'more.jsonl', '--json'], folder.path);
    const document = JSON.parse(ran.stdout) as {
      verdicts: { file: string; line: number }[];
      faults: unknown[];
      log: { text: string }[];
    };
    expect(document.verdicts.map(({ file, line: at }) => [file, at])).toEqual([
      ['a/calls.jsonl', 1],
      ['a/calls.jsonl', 3],
      ['more.jsonl', 1],
    ]);
    expect(document.faults).toEqual([{ file: 'a/calls.jsonl', line: 2, message: 'the line is not JSON.' }]);
    expect(document.log.map(({ text }) => text)).toContain('no recorded requests in a/notes.md');
    expect(runLathe(['explain', 'nothing'], folder.path).code).toBe(2);
  });

  it('CLI4: --help behind a command tells of that command', () => {
    for (const [command, option] of [
      ['explain', 'HAR files'],
      ['prefix', '--padding P'],
    ] as const) {
      const { stdout, code } = runLathe([command, '--help'], PROJECT);
      expect(code).toBe(0);
      expect(stdout).toContain(option);
      expect(stdout).not.toContain('lathe: a workbench');
    }
  });

  it('REC12, TF12: the journal of a session gives the verdicts that the session gave', () => {
    using folder = createFolder({
      'script.yaml': `folder: ${JSON.stringify(join(PROJECT, 'public', 'demo'))}
clock: "2026-11-16T09:00:00Z"
turns:
  - say: Hello there.
  - say: And again.
  - advance: 6m
  - say: Later.
`,
    });
    runLathe(['session', 'script.yaml', '--json', '--events', 'events.jsonl'], folder.path);
    const { stdout, code } = runLathe(['explain', 'events.jsonl', '--json'], folder.path);
    const document = JSON.parse(stdout) as { verdicts: { cause: string; line: number }[]; faults: unknown[] };
    expect(document.faults).toEqual([]);
    expect(document.verdicts.map(({ cause }) => cause)).toEqual(['chain-start', 'hit', 'ttl-expired']);
    const journal = readFileSync(join(folder.path, 'events.jsonl'), 'utf8').split('\n');
    for (const { line: number } of document.verdicts) expect(journal[number - 1]).toContain('"request.sent"');
    expect(code).toBe(1);
  });

  it('CLI3: bad lines are reported and the others explained; a usage error is 2', () => {
    using folder = createFolder({ 'calls.jsonl': `nonsense\n${lines[0]}\n` });
    const ran = runLathe(['explain', 'calls.jsonl'], folder.path);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('calls.jsonl:1: the line is not JSON.');
    expect(ran.stdout).toContain('First request');
    expect(runLathe(['explain'], folder.path).code).toBe(2);
    expect(runLathe(['explain', 'nowhere.jsonl'], folder.path).code).toBe(2);
  });
});
