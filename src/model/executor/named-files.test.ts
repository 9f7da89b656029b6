import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { importOffice, textFiles } from '../importer/testing/office-desk.ts';
import { executorTools } from './executor-tools.ts';
import { namedFiles } from './named-files.ts';
import { loadReport } from './testing/load-report.ts';
import { memoryCredentials } from './testing/memory-credentials.ts';
import { hasPython, realPython } from './testing/real-python.ts';
import { toolContext } from './testing/tool-context.ts';

const OWN = textFiles({ 'source/scripts/s.py': '', 'read_files/read_files.py': '' });
const folder = createMemoryTree({
  'a.csv': 'x,1\n',
  'data/b.csv': 'y,2\n',
  'data/.env': 'KEY=1\n',
  'data/.git/config': '',
  'source/c.csv': 'z\n',
  '.lathe/d.csv': '',
});
const taken = async (args: Parameters<typeof namedFiles>[0]): Promise<readonly string[] | string> => {
  const found = await namedFiles(args, OWN, folder);
  return found.ok ? [...found.value.keys()].toSorted() : found.error;
};

describe('files that arguments name', () => {
  it('EC5: a file, a folder, and each of a list go along', async () => {
    expect(await taken({ path: 'a.csv', top_k: 5 })).toEqual(['a.csv']);
    expect(await taken({ path: './data/' })).toEqual(['data/b.csv']);
    expect(await taken({ paths: ['a.csv', 'data/b.csv', 'none.csv'] })).toEqual(['a.csv', 'data/b.csv']);
  });

  it.each([
    '../a.csv',
    '/a.csv',
    'data/.env',
    '.lathe/d.csv',
    'source/c.csv',
    'SOURCE/c.csv',
    '.',
    '',
    'https://x.example/a.csv',
  ])('EC5: nothing for “%s”', async (path) => {
    expect(await taken({ path })).toEqual([]);
  });

  it('EC5: too much is said to be too much', async () => {
    const many = createMemoryTree(
      Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`d/${index}.txt`, 'x'])),
    );
    const found = await namedFiles({ path: 'd' }, OWN, many);
    expect(found.ok ? '' : found.error).toContain('500');
  });

  it.runIf(hasPython)('EC5, EC7: a tool opens the file that it is told to, and gives back what it made', async () => {
    const report = await importOffice(
      {},
      {
        name: 'rows',
        from: 'https://skills.example/rows',
        files: textFiles({
          'SKILL.md':
            '---\nname: rows\ndescription: Counts rows.\n---\n\n## Usage\n\n```bash\npython3 scripts/convert_csv.py data.csv --output out.txt\n```\n',
          'scripts/convert_csv.py':
            'import argparse\np = argparse.ArgumentParser()\np.add_argument("table")\np.add_argument("--output")\na = p.parse_args()\nrows = open(a.table).read().split()\nopen(a.output, "w").write(str(len(rows)))\nprint("done")\n',
        }),
      },
    );
    const [tool] = executorTools(await loadReport(report), {
      run: realPython,
      credentials: memoryCredentials(),
      audit: () => Promise.resolve(),
      now: () => 0,
      folder,
    });
    const output = await tool?.run({ table: 'a.csv', output: 'count.txt' }, toolContext());
    expect(JSON.parse(output?.text ?? '{}')).toMatchObject({
      ok: true,
      files: [{ path: 'count.txt', text: '1' }],
    });
    expect(folder.files.has('count.txt')).toBe(false);
  });

  it.runIf(hasPython)(
    'EC7, EC8: a check that finds something is a result, and so is a file that nobody named',
    async () => {
      const script = (last: string): string =>
        `import sys\nopen("report.md", "w").write("two faults")\nprint("2 faults in " + sys.argv[1])\n${last}`;
      const answer = async (last: string): Promise<unknown> => {
        const report = await importOffice(
          {},
          {
            name: 'lint',
            from: 'https://skills.example/lint',
            files: textFiles({
              'SKILL.md':
                '---\nname: lint\ndescription: Lints tables.\n---\n\n## Usage\n\n```bash\npython3 scripts/check_csv.py data.csv\n```\n',
              'scripts/check_csv.py': script(last),
            }),
          },
        );
        const [tool] = executorTools(await loadReport(report), {
          run: realPython,
          credentials: memoryCredentials(),
          audit: () => Promise.resolve(),
          now: () => 0,
          folder,
        });
        return JSON.parse((await tool?.run({ path: 'a.csv' }, toolContext()))?.text ?? '{}');
      };
      expect(await answer('sys.exit(1)\n')).toMatchObject({
        ok: true,
        exit_code: 1,
        entries: [{ text: '2 faults in a.csv' }],
        files: [{ path: 'report.md', text: 'two faults' }],
      });
      expect(await answer('sys.exit("no such column")\n')).toMatchObject({ ok: false, error_class: 'unknown' });
      expect(await answer('print("Error: no column")\nsys.exit(1)\n')).toMatchObject({ ok: false });
    },
  );
});
