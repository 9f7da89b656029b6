import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { load, loadProject, outcomes, places, skillsAt, skillText } from './testing/libraries.ts';

describe('what becomes of a skill', () => {
  it('LIB50: every folder has one entry, and only a loaded one has no reason', async () => {
    const library = await load({
      project: {
        tree: createMemoryTree({
          ...skillsAt({ 'skills/good': 'good' }),
          'skills/text-only/SKILL.md': skillText('text-only'),
          'skills/text-only/skill.star': '',
          'skills/bad/SKILL.md': 'no frontmatter',
          'skills/lower/skill.md': skillText('lower'),
        }),
      },
      user: createMemoryTree(skillsAt({ good: 'good' })),
    });
    expect(library.report.map(({ path, layer, outcome, name }) => [path, layer, outcome, name])).toEqual([
      ['skills/lower', 'project', 'skipped', undefined],
      ['skills/bad', 'project', 'skipped', undefined],
      ['skills/good', 'project', 'loaded', 'good'],
      ['skills/text-only', 'project', 'downgraded', 'text-only'],
      ['good', 'user', 'shadowed', 'good'],
    ]);
    expect(library.report.filter(({ outcome, reason }) => (outcome === 'loaded') !== (reason === ''))).toEqual([]);
  });

  it('LIB51: a bad skill is skipped with its errors, and hides no other', async () => {
    const library = await loadProject(
      {
        ...skillsAt({ 'skills/a': 'a', 'skills/z': 'z' }),
        'skills/bad/SKILL.md': '---\nname: Other\ndescription:\n---\nbody\n',
        'skills/broken/SKILL.md': '---\nname: [\n---\n',
        'skills/bytes/SKILL.md': Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff),
        'skills/empty/SKILL.md': '',
      },
      { profile: 'metis' },
    );
    expect(places(library)).toEqual({ a: 'skills/a', z: 'skills/z' });
    expect(library.lines.map(({ level, code }) => `${level} ${code}`)).toEqual(
      Array.from({ length: 4 }, () => 'warning skill.invalid'),
    );
    // As the skill format's loader says it: one error for the name (the pattern before the folder), one for the description.
    expect(library.lines[0]?.text).toBe(
      'skipping invalid skill at skills/bad: name: must match ^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$ (lowercase letters/digits/hyphens, no leading/trailing/consecutive hyphens); description: required string',
    );
    expect(library.lines[1]?.text).toMatch(/^skipping invalid skill at skills\/broken: yaml parse error: /);
    expect(library.lines[3]?.text).toBe(
      'skipping invalid skill at skills/empty: missing YAML frontmatter (file must start with `---`)',
    );
    const bad = library.report.find(({ path }) => path === 'skills/bad');
    expect(bad).toMatchObject({ outcome: 'skipped', name: undefined });
    expect(bad?.diagnostics.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      'name-case',
      'description-empty',
    ]);
    expect(outcomes(library)['skills/bytes']).toContain('isn’t UTF-8');
  });

  it('LIB51: a bad skill does not take the name of a good one behind it', async () => {
    const library = await loadProject({ 'a/x/SKILL.md': '---\nname: x\n---\n', ...skillsAt({ 'b/x': 'x' }) });
    expect(places(library)).toEqual({ x: 'b/x' });
    expect(library.shadowed).toEqual([]);
  });

  it('LIB54: a large body is loaded with a warning', async () => {
    const large = (tokens: number) =>
      `---\nname: x\ndescription: Does x. Use when needed.\n---\n\n${'😀'.repeat(tokens * 4)}`;
    const at = await loadProject({ 'x/SKILL.md': large(5000) });
    expect(at.lines).toEqual([]);
    const over = await loadProject({ 'x/SKILL.md': large(5001) });
    expect(over.lines).toEqual([
      {
        level: 'warning',
        code: 'skill.large',
        text: "skill 'x' body is ~5001 tokens (recommendation: <=5000); split into separate files under references/ if possible",
      },
    ]);
    expect(outcomes(over)).toEqual({ x: 'loaded' });
  });

  it('LIB55: a repeated description is a diagnostic of the later skill', async () => {
    const library = await loadProject({
      'a/SKILL.md': skillText('a', 'The same. Use when needed.'),
      'b/SKILL.md': skillText('b', '"  the SAME. use when needed.  "'),
      'c/SKILL.md': skillText('c', 'Another. Use when needed.'),
    });
    const found = (name: string) =>
      library.store.get(name)?.diagnostics.filter(({ rule }) => rule === 'duplicate-description');
    expect([found('a'), found('c')]).toEqual([[], []]);
    expect(found('b')).toEqual([
      expect.objectContaining({ message: 'The skill `a` has the same description.', severity: 'warning' }),
    ]);
  });

  it('LIB56: links between skills know the names of all layers', async () => {
    const body = (links: string) => `${skillText('a')}\nSee ${links}.\n`;
    const library = await load({
      project: {
        tree: createMemoryTree({ 'a/SKILL.md': body('[[a]], [[b]], [[missing]], [[bad]]'), 'bad/SKILL.md': 'x' }),
      },
      user: createMemoryTree(skillsAt({ b: 'b' })),
    });
    const unknown = library.store.get('a')?.diagnostics.filter(({ rule }) => rule === 'wiki-link-unknown');
    expect(unknown?.map(({ message }) => message)).toEqual([
      'No skill has the name `missing`.',
      'No skill has the name `bad`.',
    ]);
  });
});
