import { describe, expect, it } from 'vitest';
import type { ImportReport } from './import-report.ts';
import { toCatalog } from './import-skill.ts';
import { importOffice, textFiles } from './testing/office-desk.ts';
import type { CatalogEntry } from './types.ts';

const writtenNames = (files: ReadonlyMap<string, Uint8Array>): readonly string[] =>
  [...files.keys()].flatMap((path) => /^([^/]+)\/manifest\.toml$/.exec(path)?.[1] ?? []);

const taken = (name: string): CatalogEntry => ({ name, skill: 'other', affinity: ['quite different'], bindings: [] });

const SCRIPT = 'import json, sys\nprint(json.dumps(sys.argv))\n';
const skill = (name: string, usage: string, script = SCRIPT, description = `The ${name} skill.`) => ({
  name,
  from: `https://skills.example/${name}`,
  files: textFiles({
    'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\n\n## Usage\n\n\`\`\`bash\n${usage}\n\`\`\`\n`,
    'scripts/s.py': script,
  }),
});

describe('siblings', () => {
  it('TR7: a name with its suffix is the same name: reply does not take the place of send', async () => {
    const report = await importOffice({}, { catalog: [taken('send_messages'), taken('change_files_xlsx')] });
    const accepted = report.accepted.map(({ name }) => name);
    expect(accepted).toHaveLength(21);
    expect(new Set(accepted).size).toBe(21);
    expect(writtenNames(report.files).toSorted()).toEqual(accepted.toSorted());
    expect(report.rejected.map(({ name }) => name)).toEqual(['mail reply', 'mail labels', 'sheets append']);
    expect(report.accepted.find(({ plan }) => plan.verb === 'send')?.plan.source.action).toBe('send');
    expect(report.audit.accepted).toEqual(accepted);
  });

  it('TR7: a suffix that is a qualifier does not make two of one', async () => {
    const report = await importOffice(
      {},
      {
        ...skill('pdf', 'python3 scripts/s.py files read A\npython3 scripts/s.py files list', SCRIPT),
        catalog: [taken('read_files')],
        overrides: [{ domain: 'files', action: 'list', name: 'read_files_pdf' }],
      },
    );
    const accepted = report.accepted.map(({ name }) => name);
    expect(new Set(accepted).size).toBe(accepted.length);
    expect(writtenNames(report.files).toSorted()).toEqual(accepted.toSorted());
    expect(report.accepted.length + report.rejected.length).toBe(2);
  });
});

describe('the same skill under another name', () => {
  const first = skill(
    'tides',
    'python3 scripts/s.py calendar list',
    SCRIPT,
    'Lists the tides of a harbor for the next days.',
  );
  const catalogOf = ({ accepted, files }: ImportReport): readonly CatalogEntry[] =>
    toCatalog(
      accepted.map(({ name, wording, plan }) => ({
        manifest: { name, affinity: wording.affinity, provenance: { source_script: plan.source.script } },
        files,
      })),
      'tides',
    );

  const LONG = `import sys

def tide(day, harbor):
    height = 3.2 + day * 0.1
    moon = "new" if day % 28 < 14 else "old"
    level = height * (1.2 if moon == "new" else 0.9)
    name = harbor.strip().title()
    start = 60 * (day % 24) + 17
    end = start + 372
    label = f"{name}: {level:.1f} m"
    return {"day": day, "label": label, "start": start, "end": end}

def week(harbor, first=1):
    days = range(first, first + 7)
    rows = [tide(day, harbor) for day in days]
    rows.sort(key=lambda row: row["day"])
    return rows

print([row["label"] for row in week(sys.argv[-1])])
`;
  it.each([
    [
      'comments behind rows and words about itself',
      LONG.replaceAll(':\n', ':  # mine\n').replace('harbor):  # mine\n', 'harbor):\n    """Mine."""\n'),
    ],
    ['some rows more', `${LONG}VERSION = "2.0"\nprint(VERSION, file=sys.stderr)\n`],
    [
      'other names for everything',
      LONG.replaceAll('tide', 'wave').replaceAll('harbor', 'port').replaceAll('level', 'depth'),
    ],
    ['a script that only starts it', undefined],
  ])('CK2: %s do not make another script', async (_, text) => {
    const original = await importOffice(
      {},
      skill('tides', 'python3 scripts/s.py calendar list', LONG, 'Lists the tides of a harbor for the next days.'),
    );
    const second = skill(
      'waves',
      'python3 scripts/s.py mail list',
      text ?? 'import inner\nprint(inner)\n',
      'Other words.',
    );
    const files = new Map([...second.files, ...(text === undefined ? textFiles({ 'scripts/inner.py': LONG }) : [])]);
    const copied = await importOffice({}, { ...second, files, catalog: catalogOf(original) });
    expect(copied.rejected[0]?.reasons[0]).toBe('overlap: the same script as read_events of tides');
  });

  it('CK2: a few words more are the same description, another noun is another one', async () => {
    const catalog = catalogOf(await importOffice({}, first));
    const refusalOf = async (description: string): Promise<string | undefined> =>
      (
        await importOffice(
          {},
          { ...skill('waves', 'python3 scripts/s.py mail list', 'print(1)\n', description), catalog },
        )
      ).rejected[0]?.reasons[0];
    expect(await refusalOf('It really lists the tides of a harbor for the next days.')).toBe(
      'overlap: the same description as the skill tides',
    );
    expect(await refusalOf('Lists the ferries of a harbor for the next days.')).toBeUndefined();
  });

  it('CK2: the same script is refused, whatever its comments and its description', async () => {
    const report = await importOffice(
      {},
      {
        ...skill('waves', 'python3 scripts/s.py mail list', `# mine\n\n${SCRIPT}  \n`, 'Something else altogether.'),
        catalog: catalogOf(await importOffice({}, first)),
      },
    );
    expect(report.accepted).toEqual([]);
    expect(report.rejected[0]?.reasons[0]).toBe('overlap: the same script as read_events of tides');
  });

  it('CK2: the same description is refused', async () => {
    const report = await importOffice(
      {},
      {
        ...skill(
          'waves',
          'python3 scripts/s.py mail list',
          'print(1)\n',
          'Lists the tides of a  harbor for the next days.',
        ),
        catalog: catalogOf(await importOffice({}, first)),
      },
    );
    expect(report.rejected[0]?.reasons[0]).toBe('overlap: the same description as the skill tides');
  });

  it('CK2: what is only similar takes the qualifier', async () => {
    const report = await importOffice(
      {},
      {
        ...skill('waves', 'python3 scripts/s.py calendar list', 'print(1)\n', 'Lists the waves of a sea.'),
        catalog: catalogOf(await importOffice({}, first)),
      },
    );
    expect(report.accepted.map(({ name }) => name)).toEqual(['read_events_waves']);
  });
});
