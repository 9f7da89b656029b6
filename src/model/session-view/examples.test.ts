import { expect, it } from 'vitest';
import { ownExamples } from './examples.ts';

const skill = (name: string, description: string, isMetaskill = false) => ({ name, description, isMetaskill });

it('SV90: prompts of one’s own folder are made from at most three of its skills, a metaskill first', () => {
  const made = ownExamples([
    skill('knots', 'Chooses a rope. Use when someone asks for one.'),
    skill('tides', 'x'.repeat(300)),
    skill('sails', 'Sets sails.'),
    skill('check', 'Drafts and checks.', true),
  ]);
  expect(made.map(({ title }) => title)).toEqual(['check', 'knots', 'tides']);
  expect(made[1]?.prompt).toBe('Use $knots: show me on a small example what it does.');
  expect(made[1]?.about).toBe('Chooses a rope.');
  expect(made[2]?.about).toHaveLength(140);
  expect(ownExamples([])).toEqual([]);
});
