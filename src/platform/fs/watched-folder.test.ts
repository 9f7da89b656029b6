import { describe, expect, it } from 'vitest';
import { watchFolder } from './watched-folder.ts';

type Tree = { [name: string]: Tree | string };

/** What is needed of a handle, over an object that a test changes. */
const handleOf = (tree: Tree): FileSystemDirectoryHandle =>
  ({
    kind: 'directory',
    values: async function* () {
      for (const [name, content] of Object.entries(tree))
        yield await Promise.resolve(
          typeof content === 'string'
            ? {
                kind: 'file',
                name,
                getFile: () =>
                  content === 'GONE'
                    ? Promise.reject(new DOMException('', 'NotFoundError'))
                    : Promise.resolve(new File([content], name, { lastModified: 1 })),
              }
            : Object.assign(handleOf(content), { name }),
        );
    },
  }) as unknown as FileSystemDirectoryHandle;

const looks = async (steps: readonly (() => void)[], tree: Tree, Observer: typeof FileSystemObserver | null = null) => {
  const stop = new AbortController();
  const seen: string[][] = [];
  const faults: unknown[] = [];
  const waits: number[] = [];
  let step = 0;
  await watchFolder(handleOf(tree), {
    Observer,
    signal: stop.signal,
    onFault: (thrown) => faults.push(thrown),
    onFiles: (files) => {
      seen.push(files.map(({ name, file }) => `${name} ${file.size}`));
      return Promise.resolve(true);
    },
    wait: (ms) => {
      waits.push(ms);
      const next = steps[step++];
      if (next) next();
      else stop.abort();
      return Promise.resolve();
    },
  });
  return { seen, faults, waits };
};

describe('a folder that an agent writes into', () => {
  it('FW1: gives all files at the start and after each change, with those of folders below, and skips those that are gone', async () => {
    const tree: Tree = { 'b.jsonl': '12', below: { 'a.json': '1', 'gone.json': 'GONE' } };
    const { seen, faults } = await looks(
      [() => {}, () => (tree['b.jsonl'] = '123'), () => (tree['new.json'] = '1')],
      tree,
    );
    expect(seen).toEqual([
      ['b.jsonl 2', 'below/a.json 1'],
      ['b.jsonl 3', 'below/a.json 1'],
      ['b.jsonl 3', 'below/a.json 1', 'new.json 1'],
    ]);
    expect(faults).toEqual([]);
  });

  it('FW2: looks often without an observer, seldom with one, and also where nothing can be observed', async () => {
    class Deaf {
      observe(): Promise<void> {
        return Promise.reject(new Error('not here'));
      }
      disconnect(): void {}
    }
    class Hears extends Deaf {
      override observe(): Promise<void> {
        return Promise.resolve();
      }
    }
    const first = async (Observer: unknown) =>
      (await looks([], {}, Observer as typeof FileSystemObserver | null)).waits[0] ?? 0;
    expect(await first(null)).toBeLessThan(5_000);
    expect(await first(Deaf)).toBeLessThan(5_000);
    expect(await first(Hears)).toBeGreaterThanOrEqual(10_000);
  });

  it('FW3: ends with what went wrong where the folder can no longer be read', async () => {
    const tree: Tree = {};
    const { faults } = await looks(
      [
        () => {
          Object.defineProperty(tree, 'x', {
            enumerable: true,
            get: () => {
              throw new DOMException('taken away', 'NotAllowedError');
            },
          });
        },
      ],
      tree,
    );
    expect(faults).toEqual([expect.objectContaining({ name: 'NotAllowedError' })]);
  });
});
