import { describe, expect, it } from 'vitest';
import type { ImportReport } from './import-report.ts';
import { importOffice, textFiles } from './testing/office-desk.ts';
import { readWords } from './vocabulary-map.ts';
import { allNouns } from './vocabulary-words.ts';
import { isObjectName, qualifierObjection } from './vocabulary.ts';

const S = 'import sys\nprint(sys.argv)\n';
const bash = (...rows: readonly string[]): string => `## Usage\n\n\`\`\`bash\n${rows.join('\n')}\n\`\`\`\n`;
const skill = (
  page: string,
  files: Readonly<Record<string, string>>,
  name = 'harbor',
  description = 'Looks after a harbor.',
): Promise<ImportReport> =>
  importOffice(
    {},
    {
      name,
      from: `https://skills.example/${name}`,
      files: textFiles({ 'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\n\n${page}`, ...files }),
    },
  );
const plans = ({ plans: all }: ImportReport): readonly (readonly [string, string])[] =>
  all.map(({ name, source }) => [name, [source.script, ...(source.command ?? [])].join(' ')]);

describe('names of scripts and commands', () => {
  it('TR8: every noun is one of the objects, with a qualifier that goes with it', () => {
    for (const { object, qualifier } of allNouns()) {
      expect(isObjectName(object)).toBe(true);
      if (qualifier !== undefined) expect(qualifierObjection(qualifier, object)).toBeUndefined();
    }
  });

  it('IU9: the verb in front or behind, the noun at the end of its phrase', () => {
    const read = (word: string): string => {
      const { action = '–', domain = '–' } = readWords(word);
      return `${action} ${domain}`;
    };
    expect(read('list-issues')).toBe('list issues');
    expect(read('person-get')).toBe('get person');
    expect(read('report_generator')).toBe('generate report');
    expect(read('find_aws_icon')).toBe('find icon');
    expect(read('epub_to_markdown')).toBe('convert epub');
    expect(read('convertPdfToImages')).toBe('convert pdf');
    expect(read('validate')).toBe('validate –');
    expect(read('validate_project')).toBe('validate –');
    expect(read('dashboard')).toBe('– –');
    // A page or a repository could be several things.
    expect(read('list-pages')).toBe('list –');
    expect(read('get_repository')).toBe('get –');
  });

  it('IU9: a skill that is named by noun and verb says what its verb is about', async () => {
    const report = await skill(
      bash('python3 scripts/extract.py https://news.example/a'),
      { 'scripts/extract.py': S },
      'article-extract',
    );
    expect(plans(report)).toEqual([['extract_texts', 'scripts/extract.py']]);
  });
});

describe('what a command takes', () => {
  const only = async (row: string, script: string, source = S): Promise<readonly string[]> =>
    (await skill(bash(row), { [script]: source })).plans.map(({ name }) => name);

  it('IU11: a folder, a file by its ending, an address', async () => {
    expect(await only('python3 scripts/validate_project.py path/to/folder', 'scripts/validate_project.py')).toEqual([
      'describe_dirs',
    ]);
    expect(await only('python3 scripts/recalc.py book.xlsx', 'scripts/recalc.py')).toEqual(['compute_files_xlsx']);
    expect(await only('python3 scripts/check.py https://a.example/', 'scripts/check.py')).toEqual(['describe_urls']);
    expect(
      await only(
        'python3 scripts/check.py --docs-dir <path>',
        'scripts/check.py',
        'import argparse\np = argparse.ArgumentParser()\np.add_argument("--docs-dir", required=True)\np.parse_args()\n',
      ),
    ).toEqual(['describe_dirs']);
  });

  it('IU11: settings and outputs say nothing, and what is made is not what is taken', async () => {
    expect(
      await only('python3 scripts/check.py --config settings.json --output report.md', 'scripts/check.py'),
    ).toEqual([]);
    expect(await only('python3 scripts/generate.py --input notes.txt', 'scripts/generate.py')).toEqual([]);
    expect(await only('python3 scripts/inspect_checks.py --pr "<number-or-url>"', 'scripts/inspect_checks.py')).toEqual(
      [],
    );
  });
});

describe('commands that only the source names', () => {
  const SOURCE = [
    'import argparse',
    'p = argparse.ArgumentParser()',
    's = p.add_subparsers(dest="command")',
    'a = s.add_parser("list-issues")',
    'a.add_argument("--state", default="open")',
    'b = s.add_parser("frobnicate")',
    'p.parse_args()',
  ].join('\n');

  it('IU12: become sub-commands with their arguments', async () => {
    const report = await skill('Ask for issues.', { 'scripts/tracker.py': SOURCE });
    expect(plans(report)).toEqual([['read_tasks', 'scripts/tracker.py list-issues']]);
    expect(report.plans[0]?.args.map(({ name, required, default: value }) => [name, required, value])).toContainEqual([
      'state',
      false,
      'open',
    ]);
  });

  it('IU12: not beside rows that call the script, and not of tests', async () => {
    const report = await skill(bash('python3 scripts/tracker.py list-issues --state closed'), {
      'scripts/tracker.py': SOURCE.replace('frobnicate', 'create-issue'),
      'scripts/test_tracker.py': SOURCE,
    });
    expect(plans(report)).toEqual([['read_tasks', 'scripts/tracker.py list-issues']]);
  });

  it('IU13: what cannot be read says what is missing', async () => {
    const report = await skill(
      bash('python3 scripts/frob.py A', 'python3 scripts/generate_dashboard.py A', './scripts/go.sh A'),
      {
        'scripts/frob.py': S,
        'scripts/generate_dashboard.py': S,
        'scripts/go.sh': 'echo\n',
      },
    );
    expect(report.source?.skippedLines.map(({ reason }) => reason)).toEqual([
      'no word of “frob” is a verb that Lathe’s vocabulary has',
      'what “generate_dashboard” refers to isn’t in the vocabulary',
      'scripts/go.sh isn’t Python, and executors run in the Python sandbox',
    ]);
  });

  it('TR9: a shell script takes no name from the Python that it wraps', async () => {
    const report = await skill(bash('./run.sh list-issues', 'python3 scripts/tracker.py list-issues'), {
      'run.sh': 'python3 scripts/tracker.py "$@"\n',
      'scripts/tracker.py': SOURCE,
    });
    expect(plans(report)).toEqual([['read_tasks', 'scripts/tracker.py list-issues']]);
    expect(report.rejected).toEqual([
      { name: 'issues list', reasons: ['capabilities: run.sh isn’t Python, and executors run in the Python sandbox'] },
    ]);
  });
});

describe('what it needs', () => {
  const reasons = async (source: string): Promise<readonly string[]> =>
    (await skill(bash('python3 scripts/create_report.py A'), { 'scripts/create_report.py': source })).accepted.flatMap(
      ({ notHere }) => notHere,
    );

  it('RH1: an import in main is sure; one in another function is not, unless the script lists what it depends on', async () => {
    const late = (name: string): string => `def ${name}():\n    import frobnicate\n    print(1)\n\n${name}()\n`;
    expect(await reasons(late('main'))).toEqual([
      'needs the Python module frobnicate, which the sandbox doesn’t have: scripts/create_report.py:2',
    ]);
    expect(await reasons(late('other'))).toEqual([]);
    expect(await reasons(`# /// script\n# dependencies = ["frobnicate"]\n# ///\n${late('other')}`)).toHaveLength(1);
    expect(
      await reasons(
        'def main():\n    try:\n        import frobnicate\n    except ImportError:\n        pass\n\nmain()\n',
      ),
    ).toEqual([]);
  });

  it('RH1: a package beside the script is the skill’s own, whichever of its files imports it', async () => {
    const report = await skill(bash('python3 scripts/create_report.py A'), {
      'scripts/create_report.py': 'from desk.main import go\ngo()\n',
      'scripts/desk/__init__.py': '',
      'scripts/desk/main.py': 'from desk.more import go\n',
      'scripts/desk/more.py': 'def go():\n    print(1)\n',
    });
    expect(report.accepted.map(({ notHere }) => notHere)).toEqual([[]]);
  });

  it('CK3: a host whose name SKILL.md speaks of is mentioned', async () => {
    const source = 'import urllib.request\nprint(urllib.request.urlopen("https://api.copper.example/v1").read())\n';
    const files = { 'scripts/create_report.py': source };
    const page = bash('python3 scripts/create_report.py A');
    expect((await skill(page, files, 'harbor', 'Reports of Copper.')).rejected).toEqual([]);
    expect((await skill(page, files, 'harbor', 'Reports.')).rejected[0]?.reasons[0]).toContain('api.copper.example');
  });

  it('IU11: what is converted or filtered is the file; what is created is the file that it goes to', async () => {
    const report = await skill(
      bash(
        'python3 scripts/batch_id_converter.py ids.csv',
        'python3 scripts/filter_molecules.py mols.json --rule five',
        'python3 scripts/timeline_generator.py --plan p --output plan.png',
        'python3 scripts/plan_generator.py --plan p',
      ),
      {
        'scripts/batch_id_converter.py': S,
        'scripts/filter_molecules.py': S,
        'scripts/timeline_generator.py': S,
        'scripts/plan_generator.py': S,
      },
    );
    expect(plans(report)).toEqual([
      ['change_files_csv', 'scripts/batch_id_converter.py'],
      ['filter_files_json', 'scripts/filter_molecules.py'],
      ['create_files', 'scripts/timeline_generator.py'],
    ]);
    expect(report.source?.skippedLines.map(({ reason }) => reason)).toEqual([
      'what “plan_generator” refers to isn’t in the vocabulary',
    ]);
  });

  it('IU13: a script that only others import is said to be one', async () => {
    const report = await skill(bash('python3 scripts/create_issue.py --title T'), {
      'scripts/create_issue.py': 'import words\nprint(words.A)\n',
      'scripts/words.py': 'A = 1\n\ndef twice(x):\n    return x * 2\n',
    });
    expect(report.source?.skippedLines.map(({ text, reason }) => [text, reason])).toEqual([
      ['scripts/words.py', 'other scripts import it, and it has no command'],
    ]);
  });

  it('IU5: what is at a place is one argument, by the best name that an example has for it', async () => {
    const report = await skill(
      bash(
        'python3 scripts/convert_pdf.py report.pdf images/',
        'python3 scripts/convert_pdf.py <source_pdf> <target_dir>',
      ),
      { 'scripts/convert_pdf.py': S },
    );
    expect(report.plans.map(({ args }) => args.map(({ name, required }) => [name, required]))).toEqual([
      [
        ['source_pdf', true],
        ['target_dir', true],
      ],
    ]);
  });

  it('IU9: who does it comes after, whatever is in front', async () => {
    const report = await skill(bash('python3 scripts/compose_validator.py FILE'), {
      'scripts/compose_validator.py': S,
    });
    expect(plans(report)).toEqual([['describe_files', 'scripts/compose_validator.py']]);
  });

  it('SA7: options of the program are in front of its command', async () => {
    const report = await skill(bash('python3 scripts/issues.py list --open'), {
      'scripts/issues.py':
        'import argparse\np = argparse.ArgumentParser()\np.add_argument("--data-file")\ns = p.add_subparsers(dest="c")\nl = s.add_parser("list")\nl.add_argument("--open", action="store_true")\n',
    });
    expect(report.plans[0]?.args.map(({ flag, isFirst }) => [flag, isFirst])).toEqual([
      ['--open', undefined],
      ['--data-file', true],
      [undefined, undefined],
    ]);
    const program = new TextDecoder().decode(report.files.get('read_tasks/read_tasks.py'));
    expect(program).toContain(String.raw`\"flag\":\"--data-file\"`);
    expect(program).toContain(String.raw`\"first\":true`);
  });
});
