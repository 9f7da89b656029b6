import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { packagedSkills } from './packaged.ts';

const SKILL = '---\nname: a\ndescription: d\n---\n';
const claimed = async (files: Readonly<Record<string, string>>) => {
  const paths = Object.keys(files).flatMap((file) =>
    file.endsWith('SKILL.md') ? [file.slice(0, -'/SKILL.md'.length)] : [],
  );
  const tree = createMemoryTree(files);
  const skills = await Promise.all(paths.map(async (path) => ({ path, entries: (await tree.list(path)) ?? [] })));
  const found = await packagedSkills(tree, skills);
  return Object.fromEntries([...found].map(([path, { client, from }]) => [path, `${client} ${from}`]));
};

describe('skills that are handed to an agent', () => {
  it('CLN42: a list of plugins names folders of skills, or single ones', async () => {
    const list = {
      plugins: [
        { name: 'documents', source: './', skills: ['./documents/pdf', './documents/docx'] },
        { name: 'other', source: './plugins/other' },
        { name: 'elsewhere', source: { source: 'github', repo: 'a/b' } },
        { name: 'outside', source: '../outside' },
      ],
    };
    expect(
      await claimed({
        '.claude-plugin/marketplace.json': JSON.stringify(list),
        'documents/pdf/SKILL.md': SKILL,
        'documents/docx/SKILL.md': SKILL,
        'documents/left/SKILL.md': SKILL,
        'plugins/other/skills/one/SKILL.md': SKILL,
        'plugins/lost/skills/two/SKILL.md': SKILL,
      }),
    ).toEqual({
      'documents/pdf': 'claude-code ',
      'documents/docx': 'claude-code ',
      'plugins/other/skills/one': 'claude-code plugins/other',
    });
  });

  it('CLN42: the manifest of a plugin names more folders', async () => {
    expect(
      await claimed({
        'p/.claude-plugin/plugin.json': '{"name":"p","skills":"./extra"}',
        'p/extra/one/SKILL.md': SKILL,
        'p/other/two/SKILL.md': SKILL,
      }),
    ).toEqual({ 'p/extra/one': 'claude-code p' });
  });

  it('CLN42: an extension of Gemini CLI, and folders that the configuration names', async () => {
    expect(
      await claimed({
        'ext/gemini-extension.json': '{"name":"ext"}',
        'ext/skills/one/SKILL.md': SKILL,
        '.agents/config.yaml': 'skills: { paths: [team] }\n',
        'team/group/two/SKILL.md': SKILL,
        'docs/three/SKILL.md': SKILL,
      }),
    ).toEqual({ 'ext/skills/one': 'gemini ext', 'team/group/two': 'metis ' });
  });

  it.each(['{', '[]', '{"plugins":7}', '{"plugins":[null,{"source":7}]}'])(
    'CLN42: %s hands over nothing',
    async (json) => {
      expect(await claimed({ '.claude-plugin/marketplace.json': json, 'a/b/SKILL.md': SKILL })).toEqual({});
    },
  );
});
