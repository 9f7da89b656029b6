import { describe, expect, it } from 'vitest';
import type { ImportReport } from './import-report.ts';
import { humanName } from './source-credentials.ts';
import { importOffice, textFiles } from './testing/office-desk.ts';

const skill = (usage: string, scripts: Readonly<Record<string, string>>): Promise<ImportReport> =>
  importOffice(
    {},
    {
      name: 'small',
      from: 'https://skills.example/small',
      files: textFiles({
        'SKILL.md': `---\nname: small\ndescription: A small skill for the api.good.example service.\nallowed-tools: Bash\n---\n\n## Usage\n\n${usage}\n`,
        ...scripts,
      }),
    },
  );
const bash = (code: string): string => `\`\`\`bash\n${code}\n\`\`\``;
const reasons = (report: ImportReport): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(report.accepted.map(({ name, notHere }) => [name, notHere]));

describe('runs here', () => {
  it('RH1: says before signing how many run, and why the others do not', async () => {
    const report = await skill(
      bash(
        [
          'python3 scripts/a.py issues list',
          'python3 scripts/b.py issues create',
          'python3 scripts/c.py photos resize',
          'python3 scripts/d.py contacts find',
          'python3 scripts/e.py notes write',
        ].join('\n'),
      ),
      {
        'scripts/a.py': 'import json, helper\nfrom lib import tools\nprint(json.dumps(helper.A))\n',
        'scripts/helper.py': 'import pygments\nA = 1\n',
        'scripts/lib/tools.py': 'import re\n',
        'scripts/b.py': 'import urllib.request\nurllib.request.urlopen("https://api.good.example/x")\n',
        'scripts/c.py': 'from PIL import Image\nprint(Image)\n',
        'scripts/d.py': 'import subprocess\nsubprocess.run(["ls"])\n',
        'scripts/e.py': 'import winreg\n',
      },
    );
    expect(report.stages.find(({ id }) => id === 'check')?.output).toContain('Runs here: 1 of 5.');
    expect(reasons(report)).toEqual({
      read_tasks: [],
      create_tasks: ['needs the network: scripts/b.py:2 urllib.request.urlopen api.good.example'],
      change_images: ['needs the Python module PIL, which the sandbox doesn’t have: scripts/c.py:1'],
      find_contacts: ['starts another program: scripts/d.py:2 subprocess.run ls'],
      write_texts: ['needs Windows: scripts/e.py:1 imports winreg'],
    });
    expect(report.stages.findIndex(({ id }) => id === 'check')).toBeLessThan(
      report.stages.findIndex(({ id }) => id === 'sign'),
    );
  });

  it('RH1: what a script is called like, or only speaks of, is not started by it', async () => {
    const report = await skill(bash('python3 scripts/unpack.py archives unzip\npython3 scripts/show.py notes show'), {
      'scripts/unpack.py': '"""Usage: unpack.py FILE, then net.py"""\nimport sys\n# see net.py\nprint(sys.argv)\n',
      'scripts/show.py': 'import runpy\nrunpy.run_path("scripts/net.py")\n',
      'scripts/pack.py': 'import lxml\n',
      'scripts/net.py': 'import lxml\n',
    });
    expect(reasons(report)).toEqual({
      extract_files_zip: [],
      read_texts: ['needs the Python module lxml, which the sandbox doesn’t have: scripts/net.py:1'],
    });
  });

  it('RH1: an import that is tried has a way out, unless the program ends there', async () => {
    const tried = (handler: string): string =>
      `import sys\ntry:\n    import openpyxl\nexcept ImportError:\n    ${handler}\nprint(1)\n`;
    const report = await skill(bash('python3 scripts/a.py issues list\npython3 scripts/b.py notes read'), {
      'scripts/a.py': tried('openpyxl = None'),
      'scripts/b.py': tried('print("pip install openpyxl")\n    sys.exit(1)'),
    });
    expect(reasons(report)).toEqual({
      read_tasks: [],
      read_texts: ['needs the Python module openpyxl, which the sandbox doesn’t have: scripts/b.py:3'],
    });
  });

  it('RH2: an executor declares what its own script reaches', async () => {
    const report = await skill(bash('python3 scripts/a.py issues list\npython3 scripts/b.py issues create'), {
      'scripts/a.py': 'print(1)\n',
      'scripts/b.py': 'import urllib.request\nurllib.request.urlopen("https://api.good.example/x")\n',
    });
    const declared = Object.fromEntries(
      report.accepted.map(({ name, capabilities }) => [name, capabilities.map((item) => item.name)]),
    );
    expect(declared['read_tasks']).not.toContain('network:http');
    expect(declared['create_tasks']).toContain('network:http');
  });
});

describe('credentials from the code', () => {
  it('CRC1: variables and files that the code reads are asked for, with names a person understands', async () => {
    const report = await skill(bash('python3 scripts/a.py issues list\npython3 scripts/b.py notes read'), {
      'scripts/a.py':
        'import os\nkey = os.environ["GITHUB_TOKEN"]\nhost = os.environ.get("GITHUB_HOST")\nurl = os.environ.get("GITHUB_URL", "https://api.good.example")\nlang = os.environ.get("LANG")\ndata = open("config/service-account.json").read()\n',
      'scripts/b.py': 'print(1)\n',
    });
    expect(report.source?.credentials).toEqual([
      {
        binding: 'small',
        fields: [
          { name: 'GITHUB_TOKEN', kind: 'token', prompt: 'GitHub token' },
          { name: 'GITHUB_HOST', kind: 'text', prompt: 'GitHub host' },
          { name: 'config/service-account.json', kind: 'file', prompt: 'The file service-account.json' },
        ],
      },
    ]);
    const program = (name: string): string => new TextDecoder().decode(report.files.get(`${name}/${name}.py`));
    expect(program('read_tasks')).toContain('GITHUB_TOKEN');
    // Who reads none of them is not asked.
    expect(program('read_texts')).not.toContain('GITHUB_TOKEN');
  });

  it('CRC1: names', () => {
    expect(['OPENAI_API_KEY', 'SLACK_BOT_TOKEN', 'JIRA_BASE_URL', 'GH_PAT'].map(humanName)).toEqual([
      'OpenAI API key',
      'Slack bot token',
      'Jira base address',
      'GitHub personal access token',
    ]);
  });
});

const one = async (page: string, scripts: Readonly<Record<string, string>>): Promise<readonly unknown[]> =>
  (await skill(page, scripts)).plans.map(({ name, source, args }) => [
    name,
    source.command?.join(' ') ?? `${source.domain} ${source.action}`,
    args.filter(({ required }) => required).map((arg) => arg.name),
  ]);

describe('shapes of calls', () => {
  const S = 'import sys\nprint(sys.argv)\n';

  it('IU8: a table, a span, a linked name, a folder that is entered first', async () => {
    expect(await one('| `python3 scripts/s.py list-issues` | all |\n|---|---|\n', { 'scripts/s.py': S })).toEqual([
      ['read_tasks', 'list-issues', []],
    ]);
    expect(await one('Run `python3 scripts/s.py create-issue --title T` first.', { 'scripts/s.py': S })).toEqual([
      ['create_tasks', 'create-issue', []],
    ]);
    expect(await one(bash('desk list-issues'), { 'scripts/desk.py': S })).toEqual([['read_tasks', 'list-issues', []]]);
    expect(await one(bash('cd scripts && python3 s.py list-issues'), { 'scripts/s.py': S })).toEqual([
      ['read_tasks', 'list-issues', []],
    ]);
    expect(await one(bash('python3 -m scripts.s list-issues'), { 'scripts/s.py': S })).toEqual([
      ['read_tasks', 'list-issues', []],
    ]);
    expect(await one(bash('uv run --with rich scripts/s.py list-issues'), { 'scripts/s.py': S })).toEqual([
      ['read_tasks', 'list-issues', []],
    ]);
  });

  it('IU9: an action alone is about the noun of its script; a script can be one command', async () => {
    expect(await one(bash('python3 scripts/issues.py list --state open'), { 'scripts/issues.py': S })).toEqual([
      ['read_tasks', 'list', []],
    ]);
    expect(
      await one(bash('python3 scripts/convert_pdf_to_images.py IN OUT'), { 'scripts/convert_pdf_to_images.py': S }),
    ).toEqual([['change_files_pdf', '', ['in', 'out']]]);
  });

  it('IU10: another page, a script of the same name as its action, and a script that nobody calls', async () => {
    const report = await skill('Read `forms.md`.', {
      'forms.md': 'Run `python3 scripts/create_issue.py --title T`.\n',
      'README.md': 'Run `python3 scripts/delete_issue.py --title T`.\n',
      'scripts/create_issue.py': S,
      'scripts/delete_issue.py': S,
    });
    expect(report.plans.map(({ name, source }) => [name, source.page])).toEqual([['create_tasks', 'forms.md']]);
    expect(report.source?.skippedLines).toEqual([
      {
        line: 0,
        text: 'scripts/delete_issue.py',
        reason: 'no line of the skill calls it in a form that Lathe can read',
      },
    ]);
  });

  it('IU2: two scripts with one command are two sub-commands', async () => {
    const report = await skill(bash('python3 scripts/create_issue.py --a 1\npython3 scripts/create_ticket.py --b 1'), {
      'scripts/create_issue.py': S,
      'scripts/create_ticket.py': S,
    });
    expect(report.source?.subCommands.map(({ args }) => args.map(({ name }) => name))).toEqual([['a'], ['b']]);
  });

  it('IU8: the definitions of the source count before the examples', async () => {
    const source =
      'import argparse\np = argparse.ArgumentParser()\ns = p.add_subparsers()\na = s.add_parser("list")\na.add_argument("project")\na.add_argument("--since", required=True)\na.add_argument("--limit", type=int, default=20)\n';
    const report = await skill(bash('python3 scripts/issues.py list demo --since 2026-01-31 --colour red'), {
      'scripts/issues.py': source,
    });
    expect(
      report.plans[0]?.args.map(({ name, type, required, default: fallback }) => [name, type, required, fallback]),
    ).toEqual([
      ['project', 'string', true, undefined],
      ['since', 'date', true, undefined],
      ['limit', 'integer', false, 20],
      ['top_k', 'integer', false, 50],
    ]);
  });

  it('IU8: other sections count where a script of the skill is named; set-up does not', async () => {
    const page = (title: string): string => `text\n\n## ${title}\n\n${bash('python3 scripts/s.py list-issues')}`;
    expect(await one(page('Step 2'), { 'scripts/s.py': S })).toHaveLength(1);
    expect(await one(page('Installation'), { 'scripts/s.py': S })).toEqual([]);
  });
});

describe('questions', () => {
  it('CK6: are several, in the language of their words', async () => {
    const report = await skill(bash('python3 scripts/s.py issues list'), { 'scripts/s.py': 'print(1)\n' });
    expect(report.accepted[0]?.questions).toEqual([
      'Can you read tasks for me?',
      'Puoi leggi attività?',
      'I want to read to-dos. Which tool does that?',
    ]);
  });
});
