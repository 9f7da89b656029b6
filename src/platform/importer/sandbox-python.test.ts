/** Executors in the real sandbox: Pyodide in a thread, with nothing but their own files. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { runExecutor } from '../../model/executor/run-executor.ts';
import { createSmoke } from '../../model/executor/smoke.ts';
import { loadSkillExecutors } from '../../model/executor/load-executors.ts';
import { importSkill } from '../../model/importer/import-skill.ts';
import { testSigner, testVerify } from '../../model/importer/testing/test-signer.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { createNodeSandbox } from '../sandbox/node-sandbox.ts';
import { WHEELS } from '../sandbox/testing/node-threads.ts';
import { threadsFolder } from '../worker/testing/threads-folder.ts';
import { createSandboxPython, type SandboxPython } from './sandbox-python.ts';

const DEMO = new URL('../../../public/demo-import/harbour-desk/', import.meta.url);
const files = new Map(
  ['SKILL.md', 'scripts/harbour.py', 'evals/eval_queries.json'].map((path) => [
    path,
    new Uint8Array(readFileSync(new URL(path, DEMO))),
  ]),
);
const { signal } = new AbortController();

describe('executors in the sandbox', () => {
  let python: SandboxPython;
  beforeAll(() => {
    const threads = threadsFolder();
    python = createSandboxPython((tree) => createNodeSandbox({ files: tree, threads, wheels: WHEELS }));
  });
  afterAll(() => {
    python[Symbol.dispose]();
  });

  it('EC5: the demo skill is imported, its tests pass, and it answers', { timeout: 300_000 }, async () => {
    const { run } = python;
    const report = await importSkill(
      { now: () => '2026-05-10T22:00:00Z', signer: testSigner(), smoke: createSmoke(run, signal) },
      { name: 'harbour-desk', from: 'demo', files },
    );
    expect(report.rejected).toEqual([]);
    expect(report.accepted).toHaveLength(6);
    const deps = {
      tree: createMemoryTree(report.files),
      trusted: [{ name: 'test', publicKey: testSigner().publicKey }],
      verify: testVerify,
    };
    const loaded = await loadSkillExecutors(deps, '', 'harbour-desk');
    const ask = async (name: string, args: Json, token?: string) => {
      const executor = loaded.find((item) => item.name === name);
      if (executor?.state !== 'ready') throw new Error(`${name} is not ready`);
      return runExecutor({
        executor,
        args,
        credentials: token === undefined ? {} : { harbour_desk: { HARBOUR_TOKEN: token } },
        run,
        signal,
        setWaiting: () => undefined,
        salt: name,
      });
    };
    expect(await ask('read_events', {})).toMatchObject({ decision: 'needs_inputs' });
    expect(await ask('read_events', { day: '2026-06-01' }, 'any')).toMatchObject({
      ok: true,
      count: 2,
      entries: [{ kind: 'calendar_event', start_time: '2026-06-01T07:30:00+02:00' }, {}],
    });
    expect(await ask('find_contacts', { query: 'pilot' }, 'any')).toMatchObject({ count: 2 });
    expect(await ask('delete_events', { event_id: 'nobody' }, 'any')).toMatchObject({
      ok: false,
      error_class: 'not_found',
    });
    expect(await ask('read_tasks', {}, 'expired')).toMatchObject({ ok: false, error_class: 'auth_required' });
  });
});
