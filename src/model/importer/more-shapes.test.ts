import { describe, expect, it } from 'vitest';
import type { ImportReport } from './import-report.ts';
import { importOffice, textFiles } from './testing/office-desk.ts';

const SCRIPT = 'import json, sys\nprint(json.dumps(sys.argv))\n';
const small = (usage: string, script = SCRIPT, asPlain = false): Promise<ImportReport> =>
  importOffice(
    {},
    {
      asPlain,
      name: 'small',
      from: 'https://skills.example/small',
      files: textFiles({
        'SKILL.md': `---\nname: small\ndescription: A small skill.\n---\n\n## Usage\n\n\`\`\`bash\n${usage}\n\`\`\`\n`,
        'scripts/s.py': script,
      }),
    },
  );
const names = ({ accepted }: ImportReport): readonly string[] => accepted.map(({ name }) => name);

describe('what public skills say', () => {
  it('TR8: nouns that clearly mean one of the objects', async () => {
    expect(
      names(
        await small(
          [
            'python3 scripts/s.py issues list',
            'python3 scripts/s.py ticket create --title T',
            'python3 scripts/s.py folder delete A',
            'python3 scripts/s.py appointment delete EVENT_ID',
            'python3 scripts/s.py photos read A',
            'python3 scripts/s.py sms send --to A',
          ].join('\n'),
        ),
      ),
    ).toEqual(['read_tasks', 'create_tasks', 'delete_dirs', 'delete_events', 'read_images', 'send_messages']);
  });

  it('TR8: a noun that could mean several is refused', async () => {
    const report = await small(
      'python3 scripts/s.py issues list\npython3 scripts/s.py repository list\npython3 scripts/s.py page get A',
    );
    expect(report.rejected.map(({ name }) => name)).toEqual(['repository list', 'page get']);
  });

  it('IU7: verb and noun in one word or in turn', async () => {
    const report = await small(
      'python3 scripts/s.py list-issues --state open\npython3 scripts/s.py create_event --title T\npython3 scripts/s.py send message --to A',
    );
    expect(names(report)).toEqual(['read_tasks', 'create_events', 'send_messages']);
    const program = new TextDecoder().decode(report.files.get('read_tasks/read_tasks.py'));
    expect(program).toContain(String.raw`\"command\":[\"list-issues\"]`);
    const sent = new TextDecoder().decode(report.files.get('send_messages/send_messages.py'));
    expect(sent).toContain(String.raw`\"command\":[\"send\",\"message\"]`);
  });

  it('IU6: one example does not make every flag required; several that agree do', async () => {
    const required = async (usage: string): Promise<readonly string[]> =>
      (await small(usage)).accepted[0]?.plan.args.flatMap(({ name, required: isNeeded }) => (isNeeded ? [name] : [])) ??
      [];
    const source =
      'import argparse\np = argparse.ArgumentParser()\np.add_argument("--to", required=True)\np.add_argument("--cc")\n';
    expect(await required('python3 scripts/s.py mail send TEXT --to A --cc B')).toEqual(['text']);
    expect(
      await required('python3 scripts/s.py mail send --to A --cc B\npython3 scripts/s.py mail send --to C'),
    ).toEqual(['to']);
    expect(
      (await small('python3 scripts/s.py mail send --to A --cc B', source)).accepted[0]?.plan.args.map(
        ({ name, required: isNeeded }) => [name, isNeeded],
      ),
    ).toEqual([
      ['to', true],
      ['cc', false],
    ]);
  });
});

describe('a skill of which nothing becomes a tool', () => {
  it('IM8: is offered as a plain skill, with the reasons', async () => {
    const usage = 'python3 scripts/s.py spaceship launch\npython3 scripts/s.py spaceship land';
    const report = await small(usage);
    expect(report.kind).toBe('failed');
    expect(report.rejected).toHaveLength(2);
    expect(report.problem).toContain('plain skill');
    const plain = await small(usage, SCRIPT, true);
    expect(plain.kind).toBe('plain');
    expect([...plain.files.keys()]).toContain('.lathe-import/manifest.toml');
  });
});
