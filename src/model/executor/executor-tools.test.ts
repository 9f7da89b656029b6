import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { ImportReport } from '../importer/import-report.ts';
import { importOffice, textFiles } from '../importer/testing/office-desk.ts';
import { testSigner, testVerify } from '../importer/testing/test-signer.ts';
import type { Tool, ToolOutput } from '../tool/types.ts';
import type { AuditEntry } from './audit.ts';
import { credentialTools, guarded } from './credential-tools.ts';
import { executorTools, type ExecutorToolsDeps } from './executor-tools.ts';
import { EXECUTORS_FOLDER } from './folders.ts';
import { loadExecutors, type LoadedExecutor } from './load-executors.ts';
import { createSmoke } from './smoke.ts';
import { memoryCredentials } from './testing/memory-credentials.ts';
import { hasPython, realPython } from './testing/real-python.ts';
import { toolContext } from './testing/tool-context.ts';
import type { CredentialStore, InputForm, PythonRunner } from './types.ts';

const trusted = [{ name: 'test', publicKey: testSigner().publicKey }];

const load = async (
  report: ImportReport,
  edit: (files: Map<string, Uint8Array>) => void = () => undefined,
): Promise<readonly LoadedExecutor[]> => {
  const files = new Map(
    [...report.files].map(([path, bytes]) => [`${EXECUTORS_FOLDER}/${report.skill}/${path}`, new Uint8Array(bytes)]),
  );
  edit(files);
  return loadExecutors({ tree: createMemoryTree(files), trusted, verify: testVerify });
};

const office = await importOffice();
const executors = await load(office);

interface Bench {
  readonly tool: (name: string) => Tool;
  readonly call: (
    name: string,
    input: Json,
  ) => Promise<ToolOutput & { readonly result: { readonly [key: string]: Json } }>;
  readonly audit: AuditEntry[];
}

const bench = (deps: Partial<ExecutorToolsDeps> = {}, loaded = executors): Bench => {
  const audit: AuditEntry[] = [];
  const tools = executorTools(loaded, {
    run: realPython,
    credentials: memoryCredentials(),
    audit: (entry) => {
      audit.push(entry);
      return Promise.resolve();
    },
    now: () => 1_778_450_400_000,
    ...deps,
  });
  const tool = (name: string): Tool => {
    const found = tools.find((item) => item.name === name);
    if (!found) throw new Error(`no tool ${name}`);
    return found;
  };
  return {
    tool,
    audit,
    call: async (name, input) => {
      const output = await tool(name).run(input, toolContext());
      return { ...output, result: JSON.parse(output.text) as { [key: string]: Json } };
    },
  };
};

const DAYS = { start: '2026-05-11', end: '2026-05-12' };
const TOKEN = 'desk-token-12345';
const withToken = (): CredentialStore => memoryCredentials({ office_desk: { DESK_TOKEN: TOKEN } });
/** A program that is never a real one: gives what it is told. */
const saying =
  (reply: (nonce: string) => string): PythonRunner =>
  ({ stdin }) =>
    Promise.resolve({ kind: 'exited', exitCode: 0, output: reply((JSON.parse(stdin) as { nonce: string }).nonce) });

describe('tools of executors', () => {
  it('EC1: one for each that is ready, with the schema of its manifest', () => {
    const { tool } = bench();
    expect(
      executorTools(executors, {
        run: realPython,
        credentials: memoryCredentials(),
        audit: () => Promise.resolve(),
        now: () => 0,
      }),
    ).toHaveLength(21);
    expect(tool('read_events').sideEffects).toBe('read');
    expect(tool('delete_events').sideEffects).toBe('execute');
    expect(tool('read_events').inputSchema).toMatchObject({ required: ['start', 'end'], additionalProperties: false });
    expect(tool('delete_events').description).toContain('One of these is needed: event_id, event_ids, entries.');
  });

  it('SN3: a changed file disables all that it belongs to, with the reason', async () => {
    const one = await load(office, (files) =>
      files.set(`${EXECUTORS_FOLDER}/office-desk/read_events/read_events.py`, new Uint8Array([1])),
    );
    expect(one.filter(({ state }) => state === 'disabled')).toEqual([
      {
        state: 'disabled',
        skill: 'office-desk',
        name: 'read_events',
        reason: 'a file has changed since it was signed',
      },
    ]);
    const all = await load(office, (files) =>
      files.set(`${EXECUTORS_FOLDER}/office-desk/source/scripts/desk.py`, new Uint8Array([1])),
    );
    expect(all.every(({ state }) => state === 'disabled')).toBe(true);
  });

  it('EC3: a declared network capability says that it is missing', async () => {
    const files = textFiles({
      'SKILL.md':
        '---\nname: net\ndescription: Uses api.tides.example.\n---\n\n## Usage\n\n```bash\npython3 scripts/s.py calendar list\n```\n',
      'scripts/s.py': 'import urllib.request\nprint(urllib.request.urlopen("https://api.tides.example").read())\n',
    });
    const loaded = await load(await importOffice({}, { name: 'net', files }));
    const { result } = await bench({}, loaded).call('read_events', {});
    expect(result).toMatchObject({ ok: false, error_class: 'capability_missing' });
    expect(result['error']).toContain('api.tides.example');
  });

  it('EC4: only the line with the nonce is an answer', async () => {
    const fake = '{"ok": true, "entries": [{"id": "forged"}]}';
    const none = await bench({ credentials: withToken(), run: saying(() => `lathe-0000 ${fake}\n`) }).call(
      'read_events',
      DAYS,
    );
    expect(none.result).toMatchObject({ ok: false, entries: [], error_class: 'unknown' });
    const last = await bench({
      credentials: withToken(),
      run: saying((nonce) => `${fake}\n${nonce}{"ok": true, "entries": []}\nnoise\n`),
    }).call('read_events', DAYS);
    expect(last.result).toEqual({ ok: true, entries: [] });
    const wrong = await bench({ credentials: withToken(), run: saying((nonce) => `${nonce}{"ok": "yes"}`) }).call(
      'read_events',
      DAYS,
    );
    expect(wrong.result['error']).toContain('declared form');
    expect(wrong.isError).toBe(true);
  });

  it('AU1: the audit has hashes and never a value', async () => {
    const { call, audit } = bench({
      credentials: withToken(),
      run: saying((nonce) => `${nonce}{"ok": true, "results": []}`),
    });
    await call('send_messages', { to: ['ada@example.org'], subject: 'Tides', body: 'A long secret sentence.' });
    expect(audit).toMatchObject([
      {
        executor_name: 'send_messages',
        outcome: 'ok',
        skill_id: 'fixtures/office-desk',
        skill_version: '1.1.0',
        guard: 'score 0.7',
      },
    ]);
    expect(audit[0]?.args_sha).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.stringify(audit)).not.toMatch(/ada@|Tides|secret|desk-token/);
  });

  it('GU1: a call that the guard stops never runs', async () => {
    let runs = 0;
    const run: PythonRunner = () => {
      runs++;
      return Promise.resolve({ kind: 'failed', message: 'no' });
    };
    const { call, audit } = bench({ credentials: withToken(), run });
    const { result, isError } = await call('write_files', { path: '/home/x/.ssh/id_rsa', name: 'a' });
    expect({ runs, isError, outcome: audit[0]?.outcome }).toEqual({ runs: 0, isError: true, outcome: 'refused' });
    expect(result['error']).toContain('a protected location');
  });
});

describe.runIf(hasPython)('with a real Python', () => {
  it('EC2: runs the script of the skill', async () => {
    const { call } = bench({ credentials: withToken() });
    const { result } = await call('read_events', DAYS);
    expect(result).toMatchObject({
      ok: true,
      count: 2,
      entries: [{ kind: 'calendar_event', id: 'e1', start_time: '2026-05-11T10:00:00+02:00' }, { id: 'e2' }],
    });
  });

  it('GE4: values stay values, on the command line too', async () => {
    const { call } = bench({ credentials: withToken() });
    const odd = await call('write_files', { path: '--permanent', name: '$(id); `id`' });
    expect(odd.result).toMatchObject({ ok: false });
    expect(odd.result['error']).toContain('looks like a command');
    const { result } = await call('write_files', { path: '--permanent', name: 'a b' });
    expect(result['results']).toMatchObject([{ argv: ['--name', 'a b', '--', '--permanent'] }]);
  });

  it('SA6: several values reach the script as its source takes them', async () => {
    const script = [
      'import argparse, json',
      'p = argparse.ArgumentParser()',
      'p.add_argument("action", choices=["create"])',
      'p.add_argument("title")',
      'p.add_argument("--label", action="append")',
      'p.add_argument("--tags", nargs="+")',
      'print(json.dumps([vars(p.parse_args())]))',
    ].join('\n');
    const page =
      '---\nname: small\ndescription: Makes issues.\n---\n\n```bash\npython3 scripts/issues.py create "A title"\n```\n';
    const report = await importOffice(
      {},
      { name: 'small', from: 'small', files: textFiles({ 'SKILL.md': page, 'scripts/issues.py': script }) },
    );
    expect(report.accepted.map(({ name }) => name)).toEqual(['create_tasks']);
    const { call } = bench({}, await load(report));
    const { result } = await call('create_tasks', { title: 'A', label: ['--x', 'y'], tags: ['one', 'two'] });
    expect(result['results']).toMatchObject([
      { action: 'create', title: 'A', label: ['--x', 'y'], tags: ['one', 'two'] },
    ]);
    // As words of a list, it would be an option of the script.
    expect((await call('create_tasks', { title: 'A', tags: ['one', '--label=z'] })).result).toMatchObject({
      error_class: 'invalid_args',
      error: expect.stringContaining('tags must have no value that begins with a dash') as string,
    });
  });

  it('GE3: arguments are checked before anything runs', async () => {
    const { call } = bench({ credentials: withToken() });
    expect((await call('read_events', { start: '2026-05-11' })).result).toMatchObject({
      error_class: 'invalid_args',
      error: 'missing argument: end',
    });
    expect((await call('read_events', { ...DAYS, top_k: 'many' })).result['error']).toBe(
      'top_k must be of type integer',
    );
    expect((await call('read_events', { start: 'tomorrow', end: '2026-05-12' })).result['error']).toContain(
      'must be a date',
    );
    expect((await call('delete_events', {})).result['error']).toBe(
      'one of these is needed: event_id, event_ids, entries',
    );
    expect((await call('share_files', { file_id: 'f', email: 'a@x.org', role: 'owner' })).result['error']).toBe(
      'role must be one of reader, writer',
    );
  });

  it('TR4: several ids are several runs; a limit is said', async () => {
    const { call } = bench({ credentials: withToken() });
    expect((await call('delete_events', { event_ids: ['a', 'b'] })).result).toMatchObject({ ok: true, count: 2 });
    expect((await call('delete_events', { entries: [{ id: 'a' }] })).result).toMatchObject({ count: 1 });
    expect((await call('read_events', { ...DAYS, top_k: 1 })).result).toMatchObject({
      count: 1,
      truncated: true,
      available_total: 2,
    });
  });

  it('CR1: missing credentials open a form once, and the call continues', async () => {
    const forms: InputForm[] = [];
    const askInputs: ExecutorToolsDeps['askInputs'] = (form) => {
      forms.push(form);
      return Promise.resolve({ DESK_TOKEN: TOKEN });
    };
    const { call, audit } = bench({ credentials: memoryCredentials(), askInputs });
    expect((await call('read_events', DAYS)).result).toMatchObject({ ok: true, count: 2 });
    expect((await call('read_events', DAYS)).result).toMatchObject({ ok: true });
    expect(forms).toMatchObject([
      { binding: 'office_desk', reason: 'missing', fields: [{ name: 'DESK_TOKEN', kind: 'token' }] },
    ]);
    expect(audit.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });

  it('CR1: without a person, or with a closed form, the request is the result', async () => {
    const { result } = await bench().call('read_events', DAYS);
    expect(result).toMatchObject({ ok: true, decision: 'needs_inputs', error_class: 'auth_required', entries: [] });
    const closed = bench({ askInputs: () => Promise.resolve(undefined) });
    expect((await closed.call('read_events', DAYS)).result['decision']).toBe('needs_inputs');
    expect(closed.audit[0]?.outcome).toBe('needs_inputs');
  });

  it('CR2: an expired token opens the form again', async () => {
    const credentials = memoryCredentials({ office_desk: { DESK_TOKEN: 'expired' } });
    const reasons: string[] = [];
    const { call } = bench({
      credentials,
      askInputs: ({ reason }) => {
        reasons.push(`${reason} ${credentials.list()[0]?.state ?? ''}`);
        return Promise.resolve({ DESK_TOKEN: TOKEN });
      },
    });
    expect((await call('read_events', DAYS)).result).toMatchObject({ ok: true, count: 2 });
    expect(reasons).toEqual(['expired expired']);
  });

  it('CR4: a value that a script prints is masked', async () => {
    const files = textFiles({
      'SKILL.md':
        '---\nname: leak\ndescription: Leaks.\nmetadata:\n  required_credentials: LEAK_TOKEN\n---\n\n## Usage\n\n```bash\npython3 scripts/s.py calendar list\n```\n',
      'scripts/s.py':
        'import base64, json, os\nt = os.environ["LEAK_TOKEN"]\nprint(json.dumps([{"a": t, "b": base64.b64encode(t.encode()).decode(), "c": t[::-1]}]))\n',
    });
    const loaded = await load(await importOffice({}, { name: 'leak', files }));
    const { text } = await bench(
      { credentials: memoryCredentials({ leak: { LEAK_TOKEN: 'abc"123456' } }) },
      loaded,
    ).call('read_events', {});
    expect(text).not.toMatch(/abc|123456|654321|YWJj/);
    expect(text).toContain('•••');
  });

  it('the tests of every manifest pass, and a crash is seen', async () => {
    const smoke = createSmoke(realPython, new AbortController().signal);
    const files = textFiles({
      'SKILL.md':
        '---\nname: small\ndescription: x\n---\n\n## Usage\n\n```bash\npython3 scripts/s.py calendar list --day 2026-01-01\n```\n',
      'scripts/s.py': 'print(1)\n',
    });
    const report = await importOffice({ smoke }, { name: 'small', files });
    expect(report.accepted).toHaveLength(1);
    const broken = await importOffice(
      {
        smoke: createSmoke(
          saying(() => 'Traceback'),
          new AbortController().signal,
        ),
      },
      { name: 'small', files },
    );
    expect(broken.rejected[0]?.reasons[0]).toContain('smoke: rejects_unknown_args');
  });
});

describe('credentials', () => {
  const needed = [
    {
      binding: 'office_desk',
      skill: 'office-desk',
      owner: 'ada',
      fields: [{ name: 'DESK_TOKEN', prompt: 'token', kind: 'token' as const }],
    },
  ];
  const tools = (credentials: CredentialStore) =>
    credentialTools({ credentials, needed, now: () => 0, askInputs: () => Promise.resolve({ DESK_TOKEN: TOKEN }) });
  const run = async (credentials: CredentialStore, name: string, input: Json): Promise<string> => {
    const tool = tools(credentials).find((item) => item.name === name);
    return (await tool?.run(input, toolContext()))?.text ?? '';
  };

  it('CR3: states, and never a value', async () => {
    const credentials = memoryCredentials();
    const texts = [await run(credentials, 'find_credentials', {})];
    texts.push(
      await run(credentials, 'set_credentials', { binding: 'office_desk' }),
      await run(credentials, 'find_credentials', {}),
    );
    await credentials.expire('office_desk', 'ada');
    texts.push(
      await run(credentials, 'find_credentials', {}),
      await run(credentials, 'delete_credentials', { binding: 'office_desk' }),
    );
    expect(texts.map((text) => /"status":"(\w+)"/.exec(text)?.[1])).toEqual([
      'missing',
      undefined,
      'configured',
      'expired',
      undefined,
    ]);
    expect(texts.join()).not.toContain(TOKEN);
    await expect(run(credentials, 'set_credentials', { binding: 'other' })).rejects.toThrow('no executor needs');
  });

  it('CR3: the guard looks everywhere', () => {
    for (const key of [
      'value',
      'values',
      'token',
      'secret',
      'secrets',
      'api_key',
      'password',
      'passwd',
      'client_secret',
      'cleartext',
      'raw',
      'Token',
    ])
      expect(() => guarded({ a: [{ b: { [key]: 'x' } }] })).toThrow(`$.a[0].b.${key}`);
    expect(guarded({ token: '', a: { secrets: [] } }).text).toContain('token');
  });
});
