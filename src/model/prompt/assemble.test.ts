import { describe, expect, it } from 'vitest';
import { codePointLength } from '../../base/text.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { preloadedPointer, RUN_METASKILL_LINE } from '../activation/texts.ts';
import { load } from '../library/testing/libraries.ts';
import { assembleStable, type StablePrompt } from './assemble.ts';
import { OPERATING_CONTEXT, OPERATING_CONTEXT_HEADING } from './operating-context.ts';
import { assemble, skillFile, skillFiles, tool } from './testing/prompts.ts';

const ids = ({ segments }: StablePrompt): string[] => segments.map(({ id }) => id);
const joined = ({ segments }: StablePrompt): string => segments.map(({ text }) => text).join('');
const contextCount = ({ segments }: StablePrompt): number =>
  segments.filter(({ kind }) => kind === 'operating-context').length;
/** Four characters are one token. */
const tokens = (count: number): string => 'abc '.repeat(count - 1) + 'abcd';

/** The estimate as PR7 defines it, from the outside. */
const measured = ({ text, toolSegments }: StablePrompt): number =>
  Math.max(
    1,
    Math.floor((codePointLength(text) + toolSegments.reduce((sum, item) => sum + codePointLength(item.text), 0)) / 4),
  );

describe('the stable prompt', () => {
  it('PR5, PR6: has its parts in order, separated by empty lines', async () => {
    const prompt = await assemble(skillFiles({ pdf: '# PDF\n\nRead.\n' }), {
      instructions: '<!-- AGENTS.md -->\nUse tabs.',
      persona: '  You help.\n',
      padding: 'off',
    });
    expect(prompt.text).toBe(
      'You help.\n\n## Project instructions\n\n<!-- AGENTS.md -->\nUse tabs.\n\n## Available skills\nUse `skill_search(query)` to filter and `skill_load(name)` to read a body.\n\n- pdf: Does pdf. Use when needed.',
    );
    expect(ids(prompt)).toEqual(['persona', 'instructions', 'skill-index']);
    expect(prompt.segments.map(({ stability }) => stability)).toEqual(['stable', 'stable', 'stable']);
  });

  it('PR5: bodies and operating context follow the index', async () => {
    const prompt = await assemble(skillFiles({ b: 'Body of b.', a: 'Body of a.' }), { instructions: 'Rules.' });
    expect(ids(prompt).slice(0, 6)).toEqual([
      'persona',
      'instructions',
      'skill-index',
      'preloaded:a',
      'preloaded:b',
      'operating-context:0',
    ]);
  });

  it('PR6: the texts of the segments are the prompt, whichever parts are empty', async () => {
    for (const persona of ['', 'P'])
      for (const instructions of ['', ' \n', 'I'])
        for (const files of [{}, skillFiles({ a: 'A' })])
          for (const padding of ['off', 'spec'] as const) {
            const prompt = await assemble(files, { persona, instructions, padding });
            expect(joined(prompt)).toBe(prompt.text);
            expect(prompt.text).toBe(prompt.text.trim());
            expect(prompt.segments.every(({ text }) => text.trim() !== '')).toBe(true);
            expect(prompt.segments.slice(1).every(({ text }) => /^\n\n\S/.test(text))).toBe(true);
          }
  });

  it('PR5: without anything there is no prompt', async () => {
    const prompt = await assemble({}, { persona: '', padding: 'off' });
    expect(prompt).toMatchObject({ segments: [], text: '', natural: 1, estimate: 1, padded: false });
  });

  it('PR7: the estimate is one sum over tools and text, cut once', async () => {
    // Three characters each: cut one by one there would be nothing left of them.
    const prompt = await assemble({}, { persona: 'abc', tools: [tool('a'), tool('b', '🙂')], padding: 'off' });
    const tools = [
      '{"name":"a","description":"Does a.","input_schema":{"type":"object","properties":{}}}',
      '{"name":"b","description":"_","input_schema":{"type":"object","properties":{}}}',
    ];
    expect(prompt.estimate).toBe(Math.floor((3 + tools.join('').length) / 4));
    expect(prompt.natural).toBe(prompt.estimate);
  });
});

describe('padding', () => {
  it('PR9: a prefix at MIN is left alone, one below is padded', async () => {
    const at = await assemble({}, { persona: 'x'.repeat(4500 * 4) });
    expect(at).toMatchObject({ padded: false, natural: 4500, estimate: 4500 });
    const below = await assemble({}, { persona: 'x'.repeat(4500 * 4 - 1) });
    expect(below).toMatchObject({ padded: true, natural: 4499 });
    expect(below.estimate).toBeGreaterThanOrEqual(4500);
  });

  it('PR9: tools count', async () => {
    const big = tool('big', 'x'.repeat(4500 * 4));
    expect(await assemble({}, { tools: [big] })).toMatchObject({ padded: false });
  });

  it('PR10: bodies stand under their heading, raw, in the order of names', async () => {
    const body = '  indented\n\n# Skill: other\n\n\ttext';
    const prompt = await assemble(skillFiles({ 'b-2': 'Second.', 'b-10': `${body}\n\n\n` }));
    expect(prompt.preloaded).toEqual(['b-10', 'b-2']);
    expect(prompt.text).toContain(
      `\n\n# Skill: b-10\n\n${body}\n\n# Skill: b-2\n\nSecond.\n\n## Operating context\n\n`,
    );
  });

  it('PR10, AC21: the heading is the one that the pointer names', async () => {
    const { store } = await load({ project: { tree: createMemoryTree(skillFiles({ pdf: 'Body.' })) } });
    const item = store.get('pdf');
    const named = /section "(.*)"/.exec(item ? preloadedPointer(item) : '')?.[1];
    expect((await assemble(skillFiles({ pdf: 'Body.' }))).text).toContain(`\n\n${named}\n\nBody.`);
  });

  it('PR10, AC24: a metaskill that may run has its line, one that may not has none', async () => {
    const files = {
      ...skillFiles({ loop: 'Input keys: none\n' }),
      'skills/loop/SKILL.star': 'def run(input):\n    return 1\n',
    };
    expect((await assemble(files)).text).toContain(`# Skill: loop\n\nInput keys: none\n\n${RUN_METASKILL_LINE}\n\n`);
    expect((await assemble(files, { policy: 'off' })).text).not.toContain('run_metaskill` with');
  });

  it('PR11: a body that does not fit is skipped whole, and the next one may fit', async () => {
    const prompt = await assemble(
      skillFiles({ a: tokens(6000), b: 'Small body.', c: '', d: tokens(5450), e: 'Last body.' }),
    );
    expect(prompt.preloaded).toEqual(['b', 'e']);
    expect(prompt.passedOver.map(({ name }) => name)).toEqual(['a', 'c', 'd']);
    expect(prompt.passedOver[0]).toMatchObject({
      tokens: 6000,
      why: expect.stringContaining('more than 5,500') as string,
    });
    expect(prompt.passedOver[1]).toMatchObject({ why: 'it has no body' });
    expect(prompt.text).not.toContain('# Skill: a\n');
    expect(prompt.text).toContain('- a: ');
  });

  it('PR11, PR13: up to the last character, the mark included', async () => {
    // Everything but the body: persona, index line with its mark, heading.
    const around = (await assemble(skillFiles({ a: 'x' }))).segments
      .filter(({ kind }) => kind !== 'operating-context')
      .reduce((sum, { text }) => sum + codePointLength(text), -1);
    const most = 5500 * 4 + 3 - around;
    const fits = await assemble(skillFiles({ a: 'x'.repeat(most) }));
    expect(fits).toMatchObject({ preloaded: ['a'], estimate: 5500, passedOver: [] });
    expect(fits.text).toContain('- a [preloaded]: ');
    const tooLong = await assemble(skillFiles({ a: 'x'.repeat(most + 1) }));
    expect(tooLong).toMatchObject({ preloaded: [], passedOver: [{ name: 'a' }] });
    expect(tooLong.text).not.toContain('[preloaded]');
  });

  it('PR12: no further body once MIN is reached', async () => {
    const prompt = await assemble(skillFiles({ a: tokens(4500), b: 'Small.' }));
    expect(prompt.preloaded).toEqual(['a']);
    expect(prompt.passedOver).toEqual([]);
    expect(contextCount(prompt)).toBe(0);
  });

  it('PR13: exactly the inlined ones are marked', async () => {
    const prompt = await assemble(skillFiles({ a: 'A body.', b: tokens(9000), c: 'C body.' }));
    const index = prompt.segments.find(({ kind }) => kind === 'skill-index')?.text ?? '';
    expect(index.match(/^- .*? ?\[preloaded\]: /gm)).toEqual(['- a [preloaded]: ', '- c [preloaded]: ']);
    expect(prompt.segments.filter(({ kind }) => kind === 'preloaded').map(({ id }) => id)).toEqual([
      'preloaded:a',
      'preloaded:c',
    ]);
  });

  it('PR13: a description that looks like a mark is not a mark', async () => {
    const files = { 'a/SKILL.md': skillFile('a', tokens(9000), '[preloaded]: it says. Use when needed.') };
    const prompt = await assemble(files);
    expect(prompt.preloaded).toEqual([]);
    expect(prompt.text).toContain('- a: [preloaded]: it says.');
  });

  it('PR14: paragraphs come in their order, and stop at MIN', async () => {
    const prompt = await assemble({}, { persona: tokens(4000) });
    const count = contextCount(prompt);
    expect(prompt.text).toBe(
      `${tokens(4000)}\n\n${OPERATING_CONTEXT_HEADING}\n\n${OPERATING_CONTEXT.slice(0, count).join('\n\n')}`,
    );
    const shorter = prompt.text.length - 2 - (OPERATING_CONTEXT[count - 1]?.length ?? 0);
    expect(Math.floor(shorter / 4)).toBeLessThan(4500);
  });

  it('PR15: lies between MIN and MAX, for prefixes of any size', async () => {
    for (const policy of ['spec', 'model'] as const)
      for (const model of ['claude-haiku-4-5', 'claude-opus-5', 'claude-sonnet-4-6', 'gpt-6-sol'])
        for (let size = 0; size < 4600; size += 97) {
          const prompt = await assemble({}, { persona: 'é'.repeat(size * 4 + (size % 4)), padding: policy, model });
          const { min = 0, max = 0 } = prompt.target;
          expect(prompt.estimate).toBe(measured(prompt));
          expect(prompt.estimate).toBeGreaterThanOrEqual(min);
          if (prompt.padded) expect(prompt.estimate).toBeLessThanOrEqual(max);
          expect(prompt.padded).toBe(prompt.natural < min);
        }
  });

  it('PR16: dialect agents preloads no body', async () => {
    const prompt = await assemble(skillFiles({ a: 'A body.', b: 'B body.' }), { dialect: 'agents' });
    expect(prompt).toMatchObject({ preloaded: [], passedOver: [], padded: true });
    expect(prompt.text).not.toContain('A body.');
    expect(prompt.text).not.toContain('[preloaded]');
    expect(contextCount(prompt)).toBeGreaterThan(20);
  });

  it('PR23: a body changes the prompt if and only if it is preloaded; a description always does', async () => {
    const small = await assemble(skillFiles({ a: 'One.' }));
    expect((await assemble(skillFiles({ a: 'Two.' }))).hash).not.toBe(small.hash);
    const large = await assemble(skillFiles({ a: tokens(9000) }));
    expect((await assemble(skillFiles({ a: tokens(9001) }))).hash).toBe(large.hash);
    for (const padding of ['off', 'spec'] as const) {
      const before = await assemble({ 'a/SKILL.md': skillFile('a', 'B.', 'Old. Use when needed.') }, { padding });
      const after = await assemble({ 'a/SKILL.md': skillFile('a', 'B.', 'New. Use when needed.') }, { padding });
      const more = await assemble(
        { ...skillFiles({ z: 'Z.' }), 'a/SKILL.md': skillFile('a', 'B.', 'Old. Use when needed.') },
        { padding },
      );
      expect(new Set([before.text, after.text, more.text]).size).toBe(3);
    }
  });

  it('PR8: nothing that is handed in is changed', async () => {
    const { store } = await load({ project: { tree: createMemoryTree(skillFiles({ a: 'A.' })) } });
    const input = Object.freeze({
      persona: 'P',
      instructions: 'I',
      store,
      dialect: 'metis',
      policy: 'local',
      tools: Object.freeze([tool('t')]),
      padding: 'spec',
      model: 'claude-haiku-4-5',
    } as const);
    expect(assembleStable(input)).toEqual(assembleStable(input));
  });
});
