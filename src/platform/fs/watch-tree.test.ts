import { expect, it } from 'vitest';
import { createMemoryTree } from './memory-tree.ts';
import { bytes } from './testing/tree-contract.ts';
import { watchTree } from './watch-tree.ts';

it('FS47: hears from the tree, and looks at everything when the person comes back', async () => {
  const window = new EventTarget();
  const page: { visibilityState: DocumentVisibilityState } = { visibilityState: 'visible' };
  const document = Object.assign(new EventTarget(), page);
  const tree = createMemoryTree({});
  const heard: string[] = [];
  const watching = watchTree(tree, { window, document, onChange: (path) => heard.push(path) });
  await tree.write('a', bytes('x'));
  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  document.visibilityState = 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
  expect(heard).toEqual(['a', '', '']);
  watching[Symbol.dispose]();
  await tree.write('b', bytes('x'));
  window.dispatchEvent(new Event('focus'));
  expect(heard).toHaveLength(3);
});
