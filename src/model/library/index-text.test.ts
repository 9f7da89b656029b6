import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { indexText, measureIndex, type IndexOptions } from './index-text.ts';
import { EMPTY_STORE, type SkillStore } from './store.ts';
import { load, loadProject, skillText, type Files } from './testing/libraries.ts';
import { METASKILL_POLICIES, type MetaskillPolicy } from './types.ts';

const METIS: IndexOptions = { dialect: 'metis', policy: 'local' };
const AGENTS: IndexOptions = { dialect: 'agents', policy: 'local' };

const storeOf = async (files: Files): Promise<SkillStore> => (await loadProject(files, { profile: 'metaskill' })).store;
const linesOf = (store: SkillStore, options: IndexOptions): string[] =>
  indexText(store, options)
    .split('\n')
    .filter((line) => line.startsWith('- '));

describe('the index', () => {
  const two = {
    'pdf-processing/SKILL.md': skillText(
      'pdf-processing',
      'Extract PDF text, fill forms, merge files. Use when handling PDFs.',
    ),
    'code-review/SKILL.md': skillText(
      'code-review',
      'Run a structured review on the current branch. Use when the user asks for review.',
    ),
  };
  const lines = [
    '- code-review: Run a structured review on the current branch. Use when the user asks for review.',
    '- pdf-processing: Extract PDF text, fill forms, merge files. Use when handling PDFs.',
  ];

  it('LIB70: in dialect metis, to the letter', async () => {
    expect(indexText(await storeOf(two), METIS)).toBe(
      [
        '## Available skills',
        'Use `skill_search(query)` to filter and `skill_load(name)` to read a body.',
        '',
        ...lines,
      ].join('\n'),
    );
  });

  it('LIB71: in dialect agents, to the letter', async () => {
    expect(indexText(await storeOf(two), AGENTS)).toBe(
      ['You have access to the following skills. Load any when relevant.', '', ...lines].join('\n'),
    );
  });

  it('LIB72: is nothing without skills', () => {
    expect([indexText(EMPTY_STORE, METIS), indexText(EMPTY_STORE, AGENTS)]).toEqual(['', '']);
  });

  it.each([
    ['"a\\nb"', 'a b'],
    ['"a\\r\\nb"', 'a b'],
    ['"a\\rb"', 'a b'],
    ['"a\\Lb"', 'a b'],
    ['"a\\Pb"', 'a b'],
    ['"a\\Nb"', 'a b'],
    ['"a\\vb\\fc\\x1cd\\x1de\\x1ef"', 'a b c d e f'],
    ['"a  \\n\\n  \\t b"', 'a b'],
    ['"a  b\\tc"', 'a  b\tc'],
    ['|\n  a\n  b\n\n  c\n', 'a b c'],
    ['>\n  a\n  b\n\n  c\n', 'a b c'],
    ['"- x: y\\n- injected: line"', '- x: y - injected: line'],
  ])('LIB73: one line for the description %j', async (source, expected) => {
    const store = await storeOf({ 'x/SKILL.md': skillText('x', source) });
    expect(linesOf(store, METIS)).toEqual([`- x: ${expected}`]);
    expect(indexText(store, METIS).split(/[\n\v\f\r\x1C-\x1E\x85\u2028\u2029]/)).toHaveLength(4);
  });

  it('LIB73: takes no longer for white space without end', async () => {
    const store = await storeOf({ 'x/SKILL.md': skillText('x', `"a${' '.repeat(50_000)}b\\nc"`) });
    expect(linesOf(store, METIS)).toEqual([`- x: a${' '.repeat(50_000)}b c`]);
  });

  it('LIB74: marks what is preloaded', async () => {
    const preloaded = new Set(['pdf-processing', 'unknown']);
    expect(linesOf(await storeOf(two), { ...METIS, preloaded })).toEqual([
      lines[0],
      '- pdf-processing [preloaded]: Extract PDF text, fill forms, merge files. Use when handling PDFs.',
    ]);
  });
});

describe('metaskills in the index', () => {
  const metaskill = (name: string): Files => ({
    [`${name}/SKILL.md`]: skillText(name),
    [`${name}/SKILL.star`]: 'x = 1\n',
  });
  const everywhere = () =>
    load({
      project: {
        tree: createMemoryTree({ ...metaskill('project'), '.agents/config.yaml': 'skills: { paths: [/team] }' }),
      },
      user: createMemoryTree(metaskill('user')),
      bundled: createMemoryTree(metaskill('bundled')),
      configFolders: new Map([['/team', createMemoryTree(metaskill('config'))]]),
      remote: [createMemoryTree(metaskill('remote'))],
    });
  const tagged: Record<MetaskillPolicy, string[]> = {
    local: ['bundled', 'project'],
    all: ['bundled', 'config', 'project', 'remote', 'user'],
    off: [],
  };

  it.each(METASKILL_POLICIES)('LIB75: policy %s', async (policy) => {
    const { store } = await everywhere();
    for (const dialect of ['metis', 'agents'] as const) {
      const lines = linesOf(store, { dialect, policy });
      const plain = (line: string) => line.replace(/ \(metaskill: starlark\)$/, '');
      expect(lines.map(plain)).toEqual(store.list().map(({ skill }) => `- ${skill.name}: ${skill.description}`));
      expect(lines.filter((line) => line !== plain(line)).map((line) => /^- (\w+)/.exec(line)?.[1])).toEqual(
        tagged[policy],
      );
    }
  });

  it('LIB75: not for a program that is refused or faulty', async () => {
    const store = await storeOf({
      'a/SKILL.md': skillText('a'),
      'a/SKILL.star': '---\nx: y\n---\n',
      'b/SKILL.md': skillText('b', undefined, 'metaskill_language: lua\n'),
      'b/SKILL.star': 'x = 1\n',
      'c/SKILL.md': skillText('c', undefined, 'metaskill: ../a/SKILL.star\n'),
    });
    expect(indexText(store, { dialect: 'metis', policy: 'all' })).not.toContain('metaskill: starlark');
  });

  it('LIB75: the tag comes last, after [preloaded] and on one line', async () => {
    const store = await storeOf({ 'x/SKILL.md': skillText('x', '"Do\\nit."'), 'x/SKILL.star': 'x = 1\n' });
    expect(linesOf(store, { ...METIS, preloaded: new Set(['x']) })).toEqual([
      '- x [preloaded]: Do it. (metaskill: starlark)',
    ]);
  });
});

describe('the meter of the index', () => {
  it('LIB76: counts tokens per line and of the whole, in code points', async () => {
    const store = await storeOf({ 'a/SKILL.md': skillText('a', '"😀😀😀😀😀"'), 'b/SKILL.md': skillText('b', 'text') });
    const meter = measureIndex(store, METIS);
    // `- a: ` and five characters; `- b: text`.
    expect(meter.lines.map(({ name, text, tokens }) => [name, text, tokens])).toEqual([
      ['a', '- a: 😀😀😀😀😀', 2],
      ['b', '- b: text', 2],
    ]);
    const head = '## Available skills\nUse `skill_search(query)` to filter and `skill_load(name)` to read a body.\n\n'
      .length;
    expect(meter.characters).toBe(head + 10 + 1 + 9);
    expect(meter.tokens).toBe(Math.floor((head + 20) / 4));
  });

  it('LIB76: is zero without skills', () => {
    expect(measureIndex(EMPTY_STORE, METIS)).toMatchObject({ lines: [], tokens: 0, characters: 0 });
  });
});
