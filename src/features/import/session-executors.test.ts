import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { AUDIT_FOLDER, EXECUTORS_FOLDER } from '../../model/executor/folders.ts';
import { readAudit } from '../../model/executor/audit.ts';
import { memoryCredentials } from '../../model/executor/testing/memory-credentials.ts';
import type { PythonRequest } from '../../model/executor/types.ts';
import { importOffice } from '../../model/importer/testing/office-desk.ts';
import { testSigner, testVerify } from '../../model/importer/testing/test-signer.ts';
import type { Tool, ToolContext } from '../../model/tool/types.ts';
import { createMemoryTree, type MemoryTree } from '../../platform/fs/memory-tree.ts';
import { sessionExecutors, type SessionExecutorsDeps } from './session-executors.ts';

const DAY = 86_400_000;
const office = await importOffice();
const importedAt = Date.parse(office.audit.ts);

const officeTree = (): MemoryTree =>
  createMemoryTree(
    new Map(
      [...office.files].map(([path, bytes]) => [`${EXECUTORS_FOLDER}/${office.skill}/${path}`, new Uint8Array(bytes)]),
    ),
  );

const context: ToolContext = {
  toolUseId: 't1',
  turnId: 'turn',
  signal: new AbortController().signal,
  depth: 0,
  eventId: 'e',
  emit: () => 'e',
  setWaiting: () => undefined,
};

/** Answers as a program would: after the nonce that it was given. */
const answering = ({ stdin }: PythonRequest) => {
  const { nonce } = JSON.parse(stdin) as { nonce: string };
  return Promise.resolve({
    kind: 'exited' as const,
    exitCode: 0,
    output: `\n${nonce}${JSON.stringify({ ok: true, entries: [], count: 0 })}\n`,
  });
};

const open = async (tree: MemoryTree, more: Partial<SessionExecutorsDeps> = {}) => {
  const { log, lines } = collectLog();
  const told: string[] = [];
  const tools = await sessionExecutors(tree, {
    run: answering,
    credentials: memoryCredentials(),
    now: () => importedAt,
    trusted: () => Promise.resolve([{ name: 'test', publicKey: testSigner().publicKey }]),
    verify: testVerify,
    log,
    onAudit: () => told.push('audit'),
    onProblem: (message) => told.push(message),
    ...more,
  });
  const tool = (name: string): Tool => {
    const found = tools.find((item) => item.name === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  return { tools, tool, lines, told };
};

describe('executors of a session', () => {
  it('IP1: all that are ready, and the three for credentials behind them', async () => {
    const { tools } = await open(officeTree());
    expect(tools).toHaveLength(21 + 3);
    expect(tools.slice(-3).map(({ name }) => name)).toEqual([
      'find_credentials',
      'set_credentials',
      'delete_credentials',
    ]);
    expect((await open(createMemoryTree({ 'a.txt': 'x' }))).tools).toEqual([]);
  });

  it('IP1: a changed byte disables the executor, and the log says why', async () => {
    const tree = officeTree();
    await tree.write(`${EXECUTORS_FOLDER}/${office.skill}/read_events/read_events.py`, new Uint8Array([1]));
    const { tools, lines } = await open(tree);
    expect(tools).toHaveLength(20 + 3);
    expect(lines).toEqual([
      {
        level: 'warning',
        code: 'executor.disabled',
        text: `read_events of ${office.skill} is disabled: a file has changed since it was signed`,
      },
    ]);
  });

  it('IP1: nothing counts without a trusted key', async () => {
    expect((await open(officeTree(), { trusted: () => Promise.resolve([]) })).tools).toEqual([]);
  });

  it('IP2: what nobody used for 30 days is left out', async () => {
    const later = importedAt + 31 * DAY;
    const { tools, lines } = await open(officeTree(), { now: () => later });
    expect(tools).toEqual([]);
    expect(lines[0]?.text).toContain('not used for 31 days');
    const tree = officeTree();
    const revived = JSON.stringify({ read_events: Math.floor(later / 1000) - 60 });
    await tree.write('.lathe/executors/revived.json', new TextEncoder().encode(revived));
    const { tools: back } = await open(tree, { now: () => later });
    expect(back.map(({ name }) => name)).toContain('read_events');
    expect(back).toHaveLength(1 + 3);
  });

  it('IP3: every call is a line of the audit, in order, also of calls at the same time', async () => {
    const tree = officeTree();
    const { tool, told } = await open(tree);
    await Promise.all([1, 2, 3].map(() => tool('read_events').run({ secret_word: 'hush' }, context)));
    await tool('find_credentials').run({}, context);
    const day = new Date(importedAt).toISOString().slice(0, 10);
    const text = new TextDecoder().decode(tree.files.get(`${AUDIT_FOLDER}/${day}.jsonl`));
    const { entries, unreadable } = readAudit(text);
    expect([entries.length, unreadable]).toEqual([3, 0]);
    expect(entries.map(({ executor_name: name }) => name)).toEqual(Array.from({ length: 3 }, () => 'read_events'));
    expect(text).not.toContain('hush');
    expect(told).toContain('audit');
  });

  it('IP3: a line that cannot be written is reported, and comes with the next one', async () => {
    const tree = officeTree();
    let isLocked = true;
    const locked: MemoryTree = {
      ...tree,
      write: (path, content) =>
        isLocked ? Promise.reject(new Error('The folder is locked.')) : tree.write(path, content),
    };
    const { tool, told } = await open(locked);
    await tool('read_events').run({}, context);
    expect(told).toEqual([
      'Can’t write the audit: The folder is locked. Lathe will retry one line with the next call.',
    ]);
    isLocked = false;
    await tool('read_events').run({}, context);
    const day = new Date(importedAt).toISOString().slice(0, 10);
    const text = new TextDecoder().decode(tree.files.get(`${AUDIT_FOLDER}/${day}.jsonl`));
    expect(readAudit(text).entries).toHaveLength(2);
  });
});
