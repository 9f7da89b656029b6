import { describe, expect, it } from 'vitest';
import { err, ok } from '../../base/result.ts';
import { walkTree } from '../../model/files/walk-tree.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { readZip } from '../../platform/fs/zip.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import { createMemoryPrivates } from '../../stores/testing/private-workspaces.ts';
import { createStoredData } from './stored-data.ts';

const LOCKED = { code: 'failed', message: 'Another tab has it.' } as const;

const setup = async (isLocked = false) => {
  const privates = createMemoryPrivates();
  await privates.copyIn(createMemoryTree({ 'skills/a/SKILL.md': 'four' }), 'mine');
  return createStoredData({
    database: createMemoryStorage(),
    privates: () => Promise.resolve(isLocked ? { ...privates, open: () => Promise.resolve(err(LOCKED)) } : privates),
    now: () => 0,
    copies: {
      list: () => Promise.resolve([]),
      remove: () => Promise.resolve(ok(undefined)),
      size: () => Promise.resolve(ok(0)),
    },
  });
};
const workspaces = async ({ data }: Awaited<ReturnType<typeof setup>>) =>
  (await data.facts()).kinds.find(({ table }) => table === 'workspaces');

describe('what is stored beside localStorage', () => {
  it('is packed whole: the given files, and every file of the private workspaces', async () => {
    const stored = await setup();
    expect(await workspaces(stored)).toMatchObject({ count: 1, bytes: 4 });
    const packed = await stored.pack(new Map([['data.json', '{}']]));
    const read = packed.ok && (await readZip(packed.value, 'lathe-data'));
    if (!read || !read.ok) throw new Error('no archive');
    const { tree } = read.value;
    const { files: paths } = await walkTree(tree, '');
    const files = await Promise.all(
      paths.map(async (path) => [path, new TextDecoder().decode(await tree.read(path))] as const),
    );
    expect(Object.fromEntries(files)).toEqual({ 'data.json': '{}', 'workspaces/mine/skills/a/SKILL.md': 'four' });
  });

  it('MD4: is not packed in part: a workspace that cannot be read is named, and has no size', async () => {
    const stored = await setup(true);
    expect(await workspaces(stored)).toEqual({ table: 'workspaces', label: 'Private workspaces', count: 1 });
    expect(await stored.pack(new Map())).toEqual(
      err({ message: 'Nothing was exported because Lathe can’t read mine. Another tab has it.' }),
    );
  });
});
