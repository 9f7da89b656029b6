import { beforeEach, expect, it } from 'vitest';
import { createMemoryTree } from './memory-tree.ts';
import { createPrivateWorkspaces, type PrivateWorkspaces } from './private-workspace.ts';
import { bytes, textOf } from './testing/tree-contract.ts';

let top: FileSystemDirectoryHandle;
let all: PrivateWorkspaces;
let count = 0;
beforeEach(async () => {
  const root = await navigator.storage.getDirectory();
  top = await root.getDirectoryHandle(`private-${Date.now()}-${count++}`, { create: true });
  all = await createPrivateWorkspaces(top);
});

it('PW1: are made, listed, opened, renamed and deleted', async () => {
  const made = await all.create('skills');
  if (!made.ok) throw new Error(made.error.message);
  await made.value.write('a/SKILL.md', bytes('text'));
  await all.create('another');
  expect(await all.list()).toEqual(['another', 'skills']);
  expect((await all.rename('skills', 'mine')).ok).toBe(true);
  const opened = await all.open('mine');
  expect(opened.ok && (await textOf(opened.value, 'a/SKILL.md'))).toBe('text');
  expect((await all.remove('another')).ok).toBe(true);
  expect(await all.list()).toEqual(['mine']);
});

it('PW2: a name that is taken gets a number; renaming never replaces', async () => {
  const names = [];
  for (let index = 0; index < 3; index++) {
    const made = await all.create('skills');
    names.push(made.ok ? made.value.name : made.error.message);
  }
  expect(names).toEqual(['skills', 'skills 2', 'skills 3']);
  expect(await all.rename('skills', 'skills 2')).toMatchObject({ ok: false, error: { code: 'exists' } });
  expect(await all.list()).toEqual(['skills', 'skills 2', 'skills 3']);
});

it.each(['', '.', '..', 'a/b', 'a\\b', ' a', 'x'.repeat(81), 'a\0'])('PW3: refuses the name %j', async (name) => {
  for (const result of [
    await all.create(name),
    await all.open(name),
    await all.remove(name),
    await all.rename(name, 'x'),
  ]) {
    expect(result).toMatchObject({ ok: false, error: { code: 'name' } });
  }
});

it('PW3: says what is missing', async () => {
  expect(await all.open('nobody')).toMatchObject({ ok: false, error: { code: 'missing' } });
  expect(await all.remove('nobody')).toMatchObject({ ok: false, error: { code: 'missing' } });
  expect(await all.rename('nobody', 'x')).toMatchObject({ ok: false, error: { code: 'missing' } });
});

it('PW4: takes a copy of any tree, with progress, without .git and node_modules', async () => {
  const source = createMemoryTree({
    'a/SKILL.md': 'a',
    'a/references/x.md': 'x',
    'node_modules/y/index.js': 'y',
    '.git/config': 'z',
    '.agents/AGENTS.md': 'instructions',
  });
  const steps: number[] = [];
  const copied = await all.copyIn(source, 'copy', { onProgress: ({ done }) => steps.push(done) });
  if (!copied.ok) throw new Error(copied.error.message);
  expect((await copied.value.list(''))?.map(({ name }) => name).toSorted()).toEqual(['.agents', 'a']);
  expect(await textOf(copied.value, 'a/references/x.md')).toBe('x');
  expect(steps.at(-1)).toBe(3);
});

it('PW5: a copy that is cancelled leaves nothing', async () => {
  const source = createMemoryTree(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'text'])));
  const controller = new AbortController();
  const copied = await all.copyIn(source, 'copy', {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  expect(copied).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await all.list()).toEqual([]);
});

it('PW6: a copy that the page did not live to finish is not there at the next visit', async () => {
  const source = createMemoryTree({ 'a.md': 'a', 'b.md': 'b' });
  const copied = new Promise<void>((resolve) => {
    // A read that never ends: as far as this copy gets before the page dies.
    void all.copyIn(
      {
        ...source,
        read: (path) => {
          if (path === 'a.md') return source.read(path);
          resolve();
          return new Promise(() => {});
        },
      },
      'demo',
    );
  });
  await copied;
  const next = await createPrivateWorkspaces(top);
  expect(await next.list()).toEqual([]);
  expect(await next.open('demo')).toMatchObject({ ok: false, error: { code: 'missing' } });
  const again = await next.copyIn(source, 'demo');
  expect(again.ok && again.value.name).toBe('demo');
  expect(await next.list()).toEqual(['demo']);
});

it('PW6: a removal that the page did not live to finish is finished at the next visit', async () => {
  await all.copyIn(createMemoryTree({ 'a.md': 'a' }), 'demo');
  const marks = await top.getDirectoryHandle('half-workspaces');
  await marks.getFileHandle('demo', { create: true });
  const next = await createPrivateWorkspaces(top);
  expect(await next.open('demo')).toMatchObject({ ok: false, error: { code: 'missing' } });
  const folders = await top.getDirectoryHandle('workspaces');
  await expect(folders.getDirectoryHandle('demo')).rejects.toThrow(/could not be found/);
  await expect(marks.getFileHandle('demo')).rejects.toThrow(/could not be found/);
});
