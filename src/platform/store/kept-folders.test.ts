import { expect, it } from 'vitest';
import type { KeptFolder } from '../../model/files/kept-folder.ts';
import { createHandles } from './handles.ts';
import { createKeptFolders } from './kept-folders.ts';
import { createMemoryStorage } from './memory-store.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const FOLDER: KeptFolder = {
  lists: new Map([
    ['', [{ name: 'a', kind: 'folder' }]],
    [
      'a',
      [
        { name: 'SKILL.md', kind: 'file', target: 'b/SKILL.md' },
        { name: 'out', kind: 'file', escapes: true },
      ],
    ],
    ['none', undefined],
  ]),
  files: new Map([
    ['a/SKILL.md', { size: 5, modifiedAt: 1_763_000_000_000.25, content: bytes('skill') }],
    ['a/empty.md', { size: 0, modifiedAt: 1, content: bytes('') }],
    ['a/picture.png', { size: 9, modifiedAt: 2 }],
    ['AGENTS.md', undefined],
    ['a/notes.md', { size: 4, modifiedAt: 3, content: bytes('note') }],
  ]),
};

it('KP1: a folder comes back as it was', async () => {
  const kept = createKeptFolders(createMemoryStorage(), () => 1);
  expect(await kept.get('f')).toBeUndefined();
  await kept.put('f', FOLDER);
  expect(await kept.get('f')).toEqual(FOLDER);
});

it.each([
  ['of another version', '{"version":2,"lists":[],"files":[]}'],
  ['cut', '{"version":1,"lists":[],"fi'],
  ['of rows that are none', '{"version":1,"lists":[["",[{"name":1}]]],"files":[]}'],
  ['longer than its content', '{"version":1,"lists":[],"files":[["a",9,1,9]]}'],
])('KP1: one that is %s is nothing', async (_what, index) => {
  const storage = createMemoryStorage();
  await storage.write([
    { kind: 'put', table: 'kept', row: { folder: 'f', savedAt: 1, index, content: bytes('short') } },
  ]);
  expect(await createKeptFolders(storage, () => 1).get('f')).toBeUndefined();
});

it('KP2: four folders are kept, and a forgotten one is gone', async () => {
  const storage = createMemoryStorage();
  let time = 0;
  const kept = createKeptFolders(storage, () => ++time);
  for (const folder of ['a', 'b', 'c', 'd', 'a', 'e']) await kept.put(folder, FOLDER);
  expect((await storage.list('kept')).map(({ folder }) => folder)).toEqual(['a', 'c', 'd', 'e']);
  await createHandles({ storage, now: () => 1, newId: () => 'x' }).forget('a');
  expect((await storage.list('kept')).map(({ folder }) => folder)).toEqual(['c', 'd', 'e']);
});
