import { describe, expect, it } from 'vitest';
import { findTakeover, identityKey, originOf, type InstalledSkill } from './identity.ts';
import { importOffice, textFiles } from './testing/office-desk.ts';

const skill = (author: string, script = 'print(1)\n'): ReadonlyMap<string, Uint8Array> =>
  textFiles({
    'SKILL.md': `---\nname: desk\ndescription: A desk.\nauthor: ${author}\n---\n\n## Usage\n\n\`\`\`bash\npython3 scripts/s.py calendar list\n\`\`\`\n`,
    'scripts/s.py': script,
  });

const URL = 'https://skills.example/desk-1.2.0.zip';
const mine: InstalledSkill = {
  identity: { name: 'desk', author: 'Ada', origin: originOf(URL) ?? '' },
  files: skill('Ada'),
};
const take = (
  files: ReadonlyMap<string, Uint8Array>,
  from: string,
  installed: readonly InstalledSkill[] = [mine],
  key?: string,
) =>
  importOffice(
    { installed: () => Promise.resolve(installed) },
    {
      name: 'desk',
      from,
      files,
      ...(key !== undefined && { replacement: { by: 'ada', at: '2026-05-10T21:00:00Z', key } }),
    },
  );

describe('whose a name is', () => {
  it('ID1: the address counts without its version, and case of its host', () => {
    expect(originOf('https://Skills.example/desk-1.2.0.zip')).toBe(
      originOf('https://skills.example/desk-2.0.1-beta.1.zip'),
    );
    expect(originOf('https://x.example/a/v1.0/desk?ref=main&id=3')).toBe(
      originOf('https://x.example/a/v2.1/desk?id=3'),
    );
    expect(originOf('https://x.example/desk?id=3')).not.toBe(originOf('https://x.example/desk?id=4'));
    expect(originOf('github.com/Ada/Desk/')).toBe(originOf('https://github.com/ada/desk'));
    expect(originOf('github.com/ada/desk')).not.toBe(originOf('github.com/eve/desk'));
    // What reads as no version says which of many files is meant.
    expect(originOf('https://x.example/get?v=ada')).not.toBe(originOf('https://x.example/get?v=eve'));
    expect(originOf('https://x.example/desk?ref=ada')).not.toBe(originOf('https://x.example/desk?ref=eve'));
    expect(originOf('https://x.example/desk?v=1.2')).toBe(originOf('https://x.example/desk?v=v2.0.1-beta.1'));
    expect(originOf('github.com/ada/desk')).not.toBe(originOf('github.com/ada/desk@0123456789abcdef'));
    expect(originOf('desk.zip')).toBeUndefined();
    expect(originOf('desk.zip', skill('Ada'))).not.toBe(originOf('desk.zip', skill('Eve')));
  });

  it('ID2: a new version of the same identity needs no question', async () => {
    const report = await take(skill('ada', 'print(2)\n'), 'https://skills.example/desk-1.3.0.zip');
    expect(report.kind).toBe('executors');
  });

  it.each([
    ['another author at the same address', skill('Eve'), URL],
    ['the same author from another address', skill('Ada'), 'https://other.example/desk.zip'],
    ['the same author from local files', skill('Ada', 'print("mine now")\n'), 'desk'],
  ])('ID2: %s is a question that shows both, and nothing is written', async (_, files, from) => {
    const report = await take(files, from);
    expect(report.kind).toBe('question');
    expect(report.files.size).toBe(0);
    expect(report.problem).toContain('Ada, from skills.example/desk-*.zip');
    expect(report.stages.at(-1)?.refused.map(({ name }) => name)).toEqual(['installed', 'incoming']);
  });

  it('ID2: something with the name that nobody can identify is a question too', async () => {
    const report = await take(skill('Ada'), URL, [{ identity: undefined, files: textFiles({ 'SKILL.md': 'mine' }) }]);
    expect(report.kind).toBe('question');
    expect(report.takeover?.differences).toEqual(['changed SKILL.md', 'added scripts/s.py']);
  });

  it('ID3: a yes is to one question only, and is in the audit', async () => {
    const eve = skill('Eve', 'print("eve")\n');
    const asked = await take(eve, URL);
    const key = asked.takeover?.key ?? '';
    expect((await take(skill('Eve', 'print("changed since")\n'), URL, [mine], key)).kind).toBe('question');
    const agreed = await take(eve, URL, [mine], key);
    expect(agreed.kind).toBe('executors');
    expect(agreed.audit.replaced).toMatchObject({ by: 'ada', incoming: 'desk by Eve, from skills.example/desk-*.zip' });
  });

  it.each(['d\u0435sk', '\uFF44esk', 'de\u017Fk', 'desk.', 'desk_', 'desk-', '../desk', 'x/../desk', '" desk"'])(
    'ID4: %s is not a name, so that none looks like another or shares its folder',
    async (name) => {
      const report = await take(
        textFiles({ 'SKILL.md': `---\nname: ${name}\ndescription: A desk.\n---\n\nWrite.\n` }),
        'https://other.example/desk.zip',
      );
      expect(report.kind).toBe('failed');
      expect(report.files.size).toBe(0);
    },
  );

  it('ID1: names differ in more than their letters’ case', () => {
    const { identity } = mine;
    if (!identity) throw new Error('no identity');
    expect(identityKey({ ...identity, name: 'Desk' })).toBe(identityKey(identity));
    expect(findTakeover({ ...identity, author: 'ADA ' }, mine.files, [mine])).toBeUndefined();
    expect(findTakeover({ ...identity, author: '' }, mine.files, [mine])).toBeDefined();
  });
});
