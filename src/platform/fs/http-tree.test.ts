import { expect, it } from 'vitest';
import { statOf } from '../../model/files/file-tree.ts';
import { createHttpTree } from './http-tree.ts';

const files: Record<string, string> = {
  'index.json': JSON.stringify([
    { path: 'AGENTS.md', size: 3 },
    { path: 'skills/a b/SKILL.md', size: 5 },
    { path: 'skills/with-text.md', size: 2, text: 'é' },
  ]),
  'AGENTS.md': 'abc',
  'skills/a%20b/SKILL.md': 'hello',
};

const get = ((url: URL) => {
  const text = files[url.pathname.slice('/demo/'.length)];
  return Promise.resolve(new Response(text ?? 'no', { status: text === undefined ? 404 : 200 }));
}) as typeof fetch;

const open = () => createHttpTree(new URL('http://localhost/demo/'), 'demo', get);

it('FS-HTTP1: lists, measures and reads what the list names, and nothing else', async () => {
  const tree = await open();
  expect(await tree.list('')).toEqual([
    { name: 'AGENTS.md', kind: 'file' },
    { name: 'skills', kind: 'folder' },
  ]);
  expect(await tree.list('skills/a b')).toEqual([{ name: 'SKILL.md', kind: 'file' }]);
  expect(await tree.list('nowhere')).toBeUndefined();
  expect(await tree.size('AGENTS.md')).toBe(3);
  expect(new TextDecoder().decode(await tree.read('skills/a b/SKILL.md'))).toBe('hello');
  expect(await tree.read('../secret')).toBeUndefined();
  // No such file is served: the text of the list is taken.
  expect(await tree.read('skills/with-text.md')).toEqual(new TextEncoder().encode('é'));
});

it('FS-HTTP2: refuses to write, and says when the list is missing or wrong', async () => {
  const tree = await open();
  await expect(tree.write('AGENTS.md', new Uint8Array())).rejects.toThrow('cannot be changed');
  await expect(tree.rename('AGENTS.md', 'x')).rejects.toThrow('cannot be changed');
  await expect(tree.remove('AGENTS.md')).rejects.toThrow('cannot be changed');
  expect(await statOf(tree, 'AGENTS.md')).toEqual({ size: 3 });
  expect(await statOf(tree, 'skills')).toBeUndefined();
  await expect(createHttpTree(new URL('http://localhost/other/'), 'x', get)).rejects.toThrow('404');
});
