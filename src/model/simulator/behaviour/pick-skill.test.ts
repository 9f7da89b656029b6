import { createJitter, parseNoise, type SimNoise } from './noise.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { namesSkill, pickSkill, type PickableSkill } from './pick-skill.ts';
import { EXAMPLES } from '../../session-view/examples.ts';
import { DEMO_PROMPTS } from './testing/demo-prompts.ts';

const demo = new URL('../../../../public/demo/skills/', import.meta.url);

/** As the discovery index of the demo workspace has them. */
const index: readonly PickableSkill[] = readdirSync(demo)
  .filter((name) => name !== 'sql-style')
  .map((name) => ({
    name,
    description: /^description: (.*)$/m.exec(readFileSync(new URL(`${name}/SKILL.md`, demo), 'utf8'))?.[1] ?? '',
  }));

const NONE: readonly string[] = [
  'What is the capital of Norway?',
  'Thanks, that was all for today.',
  'Write a poem about the sea in autumn',
  'How many seats does the ferry M2 have?',
  'Translate "good evening" into Norwegian',
  'Which editor theme do you recommend?',
];

describe('picking a skill for a message', () => {
  it.each(DEMO_PROMPTS)('SI20: %s → %s', (prompt, skill) => {
    const { best, ranked } = pickSkill(prompt, index);
    expect(best?.name, JSON.stringify(ranked.slice(0, 3), undefined, 1)).toBe(skill);
  });

  // Small words that mean a large one together, and a second skill that comes near.
  it.each([
    ['Our booking API went down last night from 02:10 to 03:00. I need a postmortem.', 'incident-report'],
    ['The service was offline for an hour on Sunday', 'incident-report'],
    ["what's new in 2.4?", 'changelog-writer'],
    ['How do we roll out 2.4 on Thursday?', 'release-handbook'],
    ['Is POST /refunds a breaking change?', 'api-review'],
  ])('SI20: phrases count too: %s → %s', (prompt, skill) => {
    expect(pickSkill(prompt, index).best?.name).toBe(skill);
  });

  const examples = EXAMPLES.flatMap(({ prompt, steps }) =>
    [{ kind: 'say' as const, text: prompt }, steps.flatMap(({ actions }) => actions)].flat(),
  );
  // Summing up is about the last answer, not about a skill.
  it.each(
    examples.flatMap((action) => (action.kind === 'say' && !action.text.startsWith('Sum up') ? [action.text] : [])),
  )('SI20: the example’s message finds a skill: %s', (prompt) => {
    const { best, ranked } = pickSkill(prompt, index);
    expect(best?.name, JSON.stringify(ranked.slice(0, 3))).toBeDefined();
  });

  it.each(NONE)('SI21: none fits: %s', (prompt) => {
    const { best, ranked } = pickSkill(prompt, index);
    expect(best, JSON.stringify(ranked.slice(0, 2))).toBeUndefined();
  });

  it('SI22: tells which words matched, and where', () => {
    const { best } = pickSkill('a postmortem for the outage', index);
    expect(best?.matches.map(({ word, where }) => [word, where])).toEqual([
      ['postmortem', 'use-when'],
      ['outage', 'use-when'],
    ]);
    expect(best?.why).toBe('incident-report: “postmortem” in its use-when, “outage” in its use-when');
  });

  it('SI20: the name itself decides', () => {
    expect(pickSkill('Use api-review for my commit message about tests', index).best?.name).toBe('api-review');
  });

  it('SI20: a name of one word counts where the message asks for a skill', () => {
    const skills = [
      { name: 'huge', description: 'Formats tables of numbers.' },
      { name: 'api-review', description: 'Reviews an API. Use when an endpoint changes.' },
    ];
    for (const message of [
      'load the huge skill',
      'Use the skill "huge".',
      'please load huge',
      'the `huge` skill, for this',
    ])
      expect(pickSkill(message, skills).best?.name, message).toBe('huge');
    expect(namesSkill('that is a huge problem', 'huge')).toBe(false);
  });

  it('SI21: an empty index and an empty message pick nothing', () => {
    expect(pickSkill('commit', []).best).toBeUndefined();
    expect(pickSkill('', index)).toEqual({ ranked: [], best: undefined });
  });

  it('SI20: works for an index of one skill', () => {
    const one = [{ name: 'pdf', description: 'Fill in forms. Use when a PDF form has to be filled.' }];
    expect(pickSkill('fill this pdf form', one).best?.name).toBe('pdf');
    expect(pickSkill('what time is it', one).best).toBeUndefined();
  });
});

describe('noise', () => {
  const NEAR = [
    { name: 'alpha', description: 'Sorts tables of figures. Use when tables need sorting.' },
    { name: 'beta', description: 'Sorts lists of names. Use when lists need sorting.' },
  ];
  const picks = (noise: SimNoise, message: string): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (let draw = 0; draw < 400; draw++) {
      const name = pickSkill(message, NEAR, createJitter(noise, `${draw}`)).best?.name ?? 'none';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };

  it('SI63: near rivals change places, a clear match hardly does, and a skill without a match is never picked', () => {
    const near = picks({ scale: 0.5, seed: 'a' }, 'sorting tables and lists');
    expect(Math.min(near['alpha'] ?? 0, near['beta'] ?? 0)).toBeGreaterThan(100);
    const clear = picks({ scale: 0.1, seed: 'a' }, 'sort the figures of these tables');
    expect(clear['alpha']).toBeGreaterThan(390);
    expect(picks({ scale: 10, seed: 'a' }, 'an omelet with cheese')).toEqual({ none: 400 });
  });

  it('SI63: the same seed and draw give the same pick, another seed others', () => {
    const message = 'sorting tables and lists';
    expect(picks({ scale: 0.5, seed: 'a' }, message)).toEqual(picks({ scale: 0.5, seed: 'a' }, message));
    expect(picks({ scale: 0.5, seed: 'a' }, message)).not.toEqual(picks({ scale: 0.5, seed: 'b' }, message));
  });

  it.each(['0', '-1', 'x', '11', '0.5:', ''])('SI63: “%s” is not a noise', (text) => {
    expect(parseNoise(text).ok).toBe(false);
  });

  it('SI63: without a seed it is 1', () => {
    expect(parseNoise('0.5')).toEqual({ ok: true, value: { scale: 0.5, seed: '1' } });
  });
});
