import { expect, it, vi } from 'vitest';
import { canPickFolders, droppedFiles, pickFolder, takeDropped, type PickerWindow } from './pick-folder.ts';
import { textOf } from './testing/tree-contract.ts';

const failing = (name: string): PickerWindow => ({
  showDirectoryPicker: () => Promise.reject(new DOMException('no', name)),
});

it('PF1: asks for reading only', async () => {
  const handle = { kind: 'directory', name: 'x' } as FileSystemDirectoryHandle;
  const showDirectoryPicker = vi.fn<NonNullable<PickerWindow['showDirectoryPicker']>>(() => Promise.resolve(handle));
  expect(canPickFolders({ showDirectoryPicker })).toBe(true);
  expect(await pickFolder({ showDirectoryPicker }, { id: 'workspace' })).toEqual({ ok: true, value: handle });
  expect(showDirectoryPicker).toHaveBeenCalledWith({ id: 'workspace', mode: 'read' });
});

it('PF2: says why there is no folder', async () => {
  expect(canPickFolders({})).toBe(false);
  expect(await pickFolder({}, { id: 'x' })).toMatchObject({ ok: false, error: { code: 'unsupported' } });
  expect(await pickFolder(failing('AbortError'), { id: 'x' })).toMatchObject({ error: { code: 'cancelled' } });
  expect(await pickFolder(failing('SecurityError'), { id: 'x' })).toMatchObject({ error: { code: 'refused' } });
  await expect(pickFolder(failing('DataCloneError'), { id: 'x' })).rejects.toThrow('no');
});

const item = (parts: object) => ({ kind: 'file', getAsFile: () => null, webkitGetAsEntry: () => null, ...parts });
const archive = new File([''], 'Pdf.SKILL');

it('PF3: takes everything from a drop before it waits', async () => {
  const handle = { kind: 'directory', name: 'x' } as FileSystemDirectoryHandle;
  const getAsFileSystemHandle = vi.fn<() => Promise<FileSystemHandle>>(() => Promise.resolve(handle));
  const items = [item({ kind: 'string' }), item({ getAsFile: () => archive }), item({ getAsFileSystemHandle })];
  const taking = takeDropped(items);
  expect(getAsFileSystemHandle).toHaveBeenCalledTimes(1);
  expect(await taking).toEqual({ ok: true, value: { kind: 'folder', handle } });
});

it('PF4: takes an archive, and says what can be dropped', async () => {
  expect(await takeDropped([item({ getAsFile: () => archive })])).toEqual({
    ok: true,
    value: { kind: 'archive', file: archive },
  });
  expect(await takeDropped([item({ getAsFile: () => new File([''], 'a.txt') })])).toMatchObject({
    error: { code: 'nothing' },
  });
  expect(await takeDropped([])).toMatchObject({ ok: false });
  const refused = item({ getAsFileSystemHandle: () => Promise.reject(new Error('gone')) });
  expect(await takeDropped([refused])).toMatchObject({ error: { code: 'refused' } });
});

const fileEntry = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (give: (file: File) => void) => give(new File([`text of ${name}`], name)),
});
const folderEntry = (name: string, children: readonly object[]) => ({
  name,
  isFile: false,
  isDirectory: true,
  createReader: () => {
    const parts = [...children.map((child) => [child]), []];
    return { readEntries: (give: (entries: readonly object[]) => void) => give(parts.shift() ?? []) };
  },
});

it('PF5: reads a folder of the older kind, however many parts it comes in', async () => {
  const top = folderEntry('skills', [fileEntry('a.md'), folderEntry('b', [fileEntry('c.md'), fileEntry('d.md')])]);
  const dropped = await takeDropped([item({ webkitGetAsEntry: () => top })]);
  if (!dropped.ok || dropped.value.kind !== 'tree') throw new Error('no tree');
  const { tree } = dropped.value;
  expect(tree.name).toBe('skills');
  expect((await tree.list(''))?.map(({ name }) => name)).toEqual(['a.md', 'b']);
  expect(await textOf(tree, 'b/d.md')).toBe('text of d.md');
});

it('PF6: takes every file of a drop, those of its folders too', async () => {
  const session = folderEntry('s1', [folderEntry('subagents', [fileEntry('agent-a.jsonl')])]);
  const folder = folderEntry('project', [fileEntry('s1.jsonl'), session]);
  const har = new File(['{}'], 'a.har');
  const files = await droppedFiles([
    item({ webkitGetAsEntry: () => folder }),
    item({ getAsFile: () => har }),
    item({ kind: 'string' }),
  ]);
  expect(files.map(({ name }) => name)).toEqual(['a.har', 'project/s1.jsonl', 'project/s1/subagents/agent-a.jsonl']);
  expect(await files[2]?.file.text()).toBe('text of agent-a.jsonl');
});
