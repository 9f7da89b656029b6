import { describe, expect, it } from 'vitest';
import { ageOf } from './ageing.ts';
import { auditFile, auditLine, readAudit, type AuditEntry } from './audit.ts';
import { createGuard, scoreOf } from './guard.ts';
import { maskValues } from './secrets.ts';

const guard = createGuard();
const ask = (name: string, args: Record<string, string>, intent = '') =>
  guard({ name, args, intent, knownArgs: ['path', 'id', 'body', 'text'] });

describe('the guard', () => {
  it.each([
    ['~/.ssh/id_rsa'],
    ['/etc/shadow'],
    ['/root/x'],
    ['/boot/x'],
    ['/dev/sda'],
    ['x/.aws/credentials'],
    ['/home/a/.gnupg/x'],
    ['.lathe/executors/skills/a/b.py'],
    ['/etc//shadow'],
    ['/etc/./shadow'],
    ['/usr/../etc/shadow'],
    ['file:///etc/shadow'],
    ['/%65tc/shadow'],
    [' "/root/x"'],
    ['a/../.lathe//executors/x'],
    ['~/.netrc'],
    ['~/.kube/config'],
  ])('GU1: %s is never touched', async (path) => {
    expect(await ask('read_files', { path })).toMatchObject({ approved: false, kind: 'guard', score: 0 });
  });

  it('GU1: system folders are for looking only', async () => {
    expect((await ask('read_files', { path: '/usr/share/x' })).approved).toBe(true);
    expect((await ask('write_files', { path: '/usr/share/x' })).approved).toBe(false);
    expect((await ask('write_files', { path: '/tmp/../usr/x' })).approved).toBe(false);
    expect((await ask('write_files', { path: 'notes/100% done.txt' })).approved).toBe(true);
  });

  it('GU1: prose is prose', async () => {
    expect((await ask('send_messages', { body: 'Delete ~/.ssh and run rm -rf / `now`' })).approved).toBe(true);
    expect((await ask('send_messages', { path: 'x; rm -rf /' })).approved).toBe(false);
  });

  it('GU2: verbs that only look pass', async () => {
    expect(await ask('find_files', { path: '../../x' })).toMatchObject({ approved: true, kind: 'safe-verb', score: 1 });
  });

  it('GU3: the score', () => {
    const score = (name: string, args: Record<string, string>, intent = ''): number =>
      scoreOf({ name, args, intent, knownArgs: ['path'] });
    expect(score('set_events', { path: 'a' })).toBe(0.75);
    expect(score('set_events', { path: 'a' }, 'set an event')).toBe(0.85);
    expect(score('delete_files', { path: 'a' })).toBe(0.7);
    expect(score('delete_files', { path: '../a' })).toBe(0.5);
    expect(score('delete_files', { path: '../a', odd: 'b' })).toBe(0.4);
  });

  it('GU3: a model decides where there is one, and sees only keys', async () => {
    let seen: unknown;
    const judged = createGuard((input) => {
      seen = input;
      return Promise.resolve(0.1);
    });
    expect(await judged({ name: 'delete_files', args: { path: 'secret' }, knownArgs: [] })).toMatchObject({
      approved: false,
      kind: 'model',
    });
    expect(JSON.stringify(seen)).not.toContain('secret');
    const silent = createGuard(() => Promise.resolve(undefined));
    expect(await silent({ name: 'delete_files', args: {}, knownArgs: [] })).toMatchObject({
      approved: true,
      kind: 'score',
    });
  });
});

const DAY = 86_400;
const entry = (ts: number, outcome: AuditEntry['outcome'] = 'ok'): AuditEntry => ({
  ts,
  skill_id: 's',
  skill_version: '1',
  skill_sha: 'x',
  executor_name: 'a',
  args_sha: 'y',
  outcome,
  elapsed_ms: 1,
  n_bytes_in: 1,
  n_bytes_out: 1,
});
const age = (entries: readonly AuditEntry[], days: number, revivedAt?: number) =>
  ageOf({ name: 'a', importedAt: 0, entries, now: days * DAY, ...(revivedAt !== undefined && { revivedAt }) });

describe('age', () => {
  it('AG1: 30 days, then 14 more', () => {
    expect(age([], 29).state).toBe('active');
    expect(age([], 30).state).toBe('deprecated');
    expect(age([], 43).state).toBe('deprecated');
    expect(age([], 44).state).toBe('archived');
    expect(age([entry(20 * DAY)], 49).state).toBe('active');
    expect(age([entry(20 * DAY)], 50)).toMatchObject({
      state: 'deprecated',
      reason: 'not used for 30 days',
      lastUsed: 20 * DAY,
    });
  });

  it('AG2: what fails nearly always steps back', () => {
    const rows = (count: number, good: number, from = 0): AuditEntry[] =>
      Array.from({ length: count }, (_, index) => entry(from + index, index < good ? 'ok' : 'error'));
    expect(age(rows(99, 0), 1).state).toBe('active');
    expect(age(rows(100, 20), 1).state).toBe('active');
    expect(age(rows(100, 19), 1).state).toBe('deprecated');
    expect(age([...rows(100, 19), ...rows(30, 1, 1000)], 1).state).toBe('archived');
    expect(age([...rows(100, 19), ...rows(30, 2, 1000)], 1).state).toBe('deprecated');
    expect(
      age(
        Array.from({ length: 200 }, (_, index) => entry(index, 'refused')),
        1,
      ).state,
    ).toBe('active');
  });

  it('AG3: restored, it starts again', () => {
    expect(age([entry(0)], 60, 59 * DAY)).toMatchObject({ state: 'active', calls: 0 });
  });
});

describe('the audit', () => {
  it('AU1: a file for each day, lines that come back', () => {
    expect(auditFile(1_778_450_400)).toBe('.lathe/executors/audit/2026-05-10.jsonl');
    const text = auditLine(entry(5)) + auditLine(entry(6, 'error'));
    expect(readAudit(`${text}broken\n{"ts":1}\n`)).toEqual({ entries: [entry(5), entry(6, 'error')], unreadable: 2 });
  });
});

describe('masking', () => {
  it('CR4: all forms, longest first, short values are left', () => {
    expect(maskValues('key=s3cr3t; url=s3cr3t%20x', ['s3cr3t', 's3cr3t x'])).toBe('key=•••; url=•••');
    expect(maskValues('abc', ['abc'])).toBe('abc');
  });

  it('CR4: inside a longer text in base64, wherever it stands, and in hex', () => {
    const secret = 'harbour-token-4711';
    for (const before of ['', 'a', 'ab', 'token: ']) {
      const masked = maskValues(btoa(`${before}${secret} and more`), [secret]);
      expect(masked).toContain('•••');
      const rest = masked.split('•••').map((piece) => atob(piece.slice(0, piece.length - (piece.length % 4))));
      expect(rest.join(' ')).not.toContain('token-47');
    }
    expect(maskValues('686172626f75722d746f6b656e2d34373131', [secret])).toBe('•••');
  });
});
