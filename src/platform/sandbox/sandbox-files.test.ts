import { describe, expect, it } from 'vitest';
import { createPendingTree } from '../../model/tool/pending-tree.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { createSandboxFiles } from './sandbox-files.ts';

const open = (initial: Readonly<Record<string, string>> = { 'a.txt': 'a', 'd/b.txt': 'bb', 'd/e/c.txt': 'c' }) => {
  const pending = createPendingTree(createMemoryTree(initial));
  let time = 1000;
  const filesFor = createSandboxFiles({ workspace: pending, scratch: createMemoryTree({}), now: () => time++ });
  return { pending, files: filesFor('program'), git: filesFor('git') };
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const names = async (files: ReturnType<typeof open>['files'], path: string): Promise<string[]> =>
  (await files.list(path)).map(({ name }) => name).toSorted();
const fault = (code: string) => expect.objectContaining({ code });

describe('the files that programs see', () => {
  it('SF1: two folders and nothing else', async () => {
    const { files } = open();
    expect(await names(files, '/')).toEqual(['tmp', 'workspace']);
    for (const path of ['/etc/passwd', '/workspace/../x', '/workspacex', '/workspace/./a.txt'])
      await expect(files.read(path), path).rejects.toEqual(fault('ENOENT'));
    await expect(files.read('/workspace/a\0')).rejects.toEqual(fault('EINVAL'));
  });

  it('SF2: writes are pending, and seen immediately', async () => {
    const { files, pending } = open();
    await files.write('/workspace/new.txt', bytes('n'));
    await files.append('/workspace/a.txt', bytes('!'));
    expect(new TextDecoder().decode(await files.read('/workspace/a.txt'))).toBe('a!');
    expect(pending.pending().map(({ path }) => path)).toEqual(['a.txt', 'new.txt']);
    await files.write('/tmp/x', bytes('x'));
    expect(pending.pending()).toHaveLength(2);
  });

  it('SF3: empty folders, and folders that were removed', async () => {
    const { files } = open();
    await files.makeFolder('/workspace/empty', false);
    expect(await names(files, '/workspace')).toEqual(['a.txt', 'd', 'empty']);
    await expect(files.makeFolder('/workspace/empty', false)).rejects.toEqual(fault('EEXIST'));
    await files.makeFolder('/workspace/x/y/z', true);
    expect(await names(files, '/workspace/x/y')).toEqual(['z']);
    await expect(files.remove('/workspace/d', false)).rejects.toEqual(fault('ENOTEMPTY'));
    await files.remove('/workspace/d', true);
    expect(await names(files, '/workspace')).toEqual(['a.txt', 'empty', 'x']);
    await expect(files.list('/workspace/d')).rejects.toEqual(fault('ENOENT'));
    await expect(files.write('/workspace/d/b.txt', bytes('again'))).rejects.toEqual(fault('ENOENT'));
    await files.makeFolder('/workspace/d', false);
    await files.write('/workspace/d/b.txt', bytes('again'));
    expect(await names(files, '/workspace/d')).toEqual(['b.txt']);
    await files.remove('/workspace/d/b.txt', false);
    expect(await names(files, '/workspace/d')).toEqual([]);
  });

  it('SF4: moves of files and folders', async () => {
    const { files } = open();
    await files.move('/workspace/d', '/workspace/moved');
    expect(await names(files, '/workspace')).toEqual(['a.txt', 'moved']);
    expect(await names(files, '/workspace/moved/e')).toEqual(['c.txt']);
    await files.move('/workspace/a.txt', '/workspace/moved/b.txt');
    expect(new TextDecoder().decode(await files.read('/workspace/moved/b.txt'))).toBe('a');
    await expect(files.move('/workspace/moved', '/workspace/moved/in')).rejects.toEqual(fault('EINVAL'));
    await expect(files.move('/workspace/none', '/workspace/b')).rejects.toEqual(fault('ENOENT'));
  });

  it('SF5: only git writes in .git; no names of devices', async () => {
    const { files, git, pending } = open();
    for (const path of ['.git/config', 'd/.git/x', '.GIT/config', 'con', 'NUL.txt', 'a\\b'])
      await expect(files.write(`/workspace/${path}`, bytes('x')), path).rejects.toBeDefined();
    expect(pending.pending()).toEqual([]);
    await git.makeFolder('/workspace/.git', false);
    await git.write('/workspace/.git/config', bytes('x'));
    expect(pending.pending().map(({ path }) => path)).toEqual(['.git/config']);
  });

  it('SF6: errors have the names that programs know', async () => {
    const { files } = open();
    await expect(files.read('/workspace/d')).rejects.toEqual(fault('EISDIR'));
    await expect(files.list('/workspace/a.txt')).rejects.toEqual(fault('ENOTDIR'));
    await expect(files.stat('/workspace/a.txt/x')).rejects.toEqual(fault('ENOTDIR'));
    await expect(files.write('/workspace/d', bytes('x'))).rejects.toEqual(fault('EISDIR'));
    await expect(files.write('/workspace/no/x', bytes('x'))).rejects.toEqual(fault('ENOENT'));
    await expect(files.remove('/workspace', true)).rejects.toEqual(fault('EACCES'));
  });

  it('SF7: modes and times last as long as the sandbox', async () => {
    const { files } = open();
    await files.setMode('/workspace/a.txt', 0o755);
    await files.setTime('/workspace/a.txt', 42);
    expect(await files.stat('/workspace/a.txt')).toEqual({ kind: 'file', size: 1, mode: 0o755, mtime: 42 });
  });

  it('SF8: a copy for Python leaves heavy folders out and says what did not fit', async () => {
    const { files } = open({
      'a.py': '1',
      'node_modules/x.js': 'x',
      '.git/HEAD': 'h',
      'big.bin': 'x'.repeat(100),
      'z.py': '2',
    });
    await files.makeFolder('/workspace/made', false);
    const { files: copied, folders, left } = await files.snapshot({ files: 10, bytes: 50 });
    expect(copied.map(({ path }) => path)).toEqual(['/workspace/a.py', '/workspace/z.py']);
    expect(folders).toEqual(['/workspace/made']);
    expect(left).toBe(1);
  });
});
