import { expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { checkFolder, type ProgramEngine } from './check-folder.ts';

const text = (name: string): string =>
  `---\nname: ${name}\ndescription: Does ${name} things. Use when ${name} is wanted.\n---\n# ${name}\n\nInput keys: none\n`;
const tree = createMemoryTree({
  'skills/loop/SKILL.md': text('loop'),
  'skills/loop/SKILL.star': 'def run(input):\n    whlie\n',
  'skills/plain/SKILL.md': text('plain'),
});

/** Finds one mistake in every program. */
const engine: ProgramEngine = {
  analyse: () =>
    Promise.resolve({
      outline: { symbols: [], bindings: [], references: [], stopLines: [] },
      facts: null,
      diagnostics: [
        {
          kind: 'syntax',
          code: 'syntax',
          message: 'got newline',
          original: 'got newline',
          range: { line: 2, column: 5, endLine: 2, endColumn: 10 },
        },
      ],
    }),
};
const lender = () => {
  let lent = 0;
  return {
    count: () => lent,
    withEngine: <Found>(work: (lendable: ProgramEngine) => Promise<Found>): Promise<Found> => {
      lent += 1;
      return work(engine);
    },
  };
};

it('CF1: lists every skill with the problems of its text and its program', async () => {
  const { withEngine } = lender();
  const { skills } = await checkFolder(tree, '', 'standard', { withEngine });
  expect(skills.map(({ path, valid }) => [path, valid])).toEqual([
    ['skills/loop', false],
    ['skills/plain', true],
  ]);
  expect(skills[0]?.diagnostics.map(({ rule }) => rule)).toContain('MS-syntax');
});

it('CF2: starts the engine only for a profile that knows programs and a skill that has one', async () => {
  const { withEngine, count } = lender();
  await checkFolder(tree, '', 'metis', { withEngine });
  await checkFolder(tree, 'skills/plain', 'standard', { withEngine });
  expect(count()).toBe(0);
  const { skills } = await checkFolder(tree, '', 'standard');
  expect(skills.flatMap(({ diagnostics }) => diagnostics.map(({ rule }) => rule))).not.toContain('MS-syntax');
  await checkFolder(tree, '', 'standard', { withEngine });
  expect(count()).toBe(1);
});
