import { describe, expect, it } from 'vitest';
import { hitsIn, MOST_HITS, searchTexts, type TextHit } from './text-search.ts';
import { workspaceSkill } from './testing/skills.ts';

const search = async (
  query: string,
  skills: Parameters<typeof searchTexts>[1]['skills'],
  files: Readonly<Record<string, string>> = {},
  signal = new AbortController().signal,
) => {
  let hits: readonly TextHit[] = [];
  const asked: string[] = [];
  const { isCut } = await searchTexts(query, {
    skills,
    read: (path) => {
      asked.push(path);
      return Promise.resolve(files[path]);
    },
    pause: () => Promise.resolve(),
    signal,
    onHits: (found) => {
      hits = found;
    },
  });
  return { hits, asked, isCut };
};
const places = (hits: readonly TextHit[]) =>
  hits.map(({ skill, file, line, column }) => `${skill}/${file}:${line}:${column}`);

describe('search in the texts of skills', () => {
  const tide = workspaceSkill('skills/tide', {
    text: '---\nname: tide\n---\nLook at the harbour.\r\nHARBOUR master\n',
    files: [
      { path: 'SKILL.md', size: 60 },
      { path: 'references/tables.md', size: 30 },
      { path: 'assets/map.png', size: 30 },
      { path: 'data/huge.json', size: 10_000_000 },
    ],
  });

  it('WS60: finds lines in bodies and references, in any case, with their places', async () => {
    const { hits, asked } = await search(' Harbour ', [tide], {
      'skills/tide/references/tables.md': 'a\nof the harbour',
    });
    expect(places(hits)).toEqual([
      'skills/tide/SKILL.md:4:13',
      'skills/tide/SKILL.md:5:1',
      'skills/tide/references/tables.md:2:8',
    ]);
    expect(hits[0]).toMatchObject({ before: 'Look at the ', match: 'harbour', after: '.' });
    // Images and data are not texts.
    expect(asked).toEqual(['skills/tide/references/tables.md']);
  });

  it('WS61: is bounded: by hits, by hits in a file, and by anyone who stops it', async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      workspaceSkill(`skills/s${index}`, { text: 'x\n'.repeat(50) }),
    );
    const { hits, isCut } = await search('x', many);
    expect([hits.length, isCut]).toEqual([MOST_HITS, true]);
    expect(hitsIn('x\n'.repeat(50), 'x')).toHaveLength(20);
    expect((await search('x', many, {}, AbortSignal.abort())).hits).toEqual([]);
    expect(hitsIn('x', '  ')).toEqual([]);
  });

  it('WS60: a long line is cut around the place', () => {
    const [hit] = hitsIn(`${'a'.repeat(200)}needle${'b'.repeat(200)}`, 'needle');
    expect(hit).toMatchObject({ column: 201, before: `…${'a'.repeat(60)}`, after: `${'b'.repeat(60)}…` });
  });
});
