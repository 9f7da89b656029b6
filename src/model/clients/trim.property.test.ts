import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointLength, takeCodePoints } from '../../base/text.ts';
import { columnsOf } from './columns.ts';
import { listingFor } from './registry.ts';
import { found } from './testing/found.ts';
import { planTrims } from './trim.ts';
import type { ClientId, ClientOptions, FoundSkill, Listing } from './types.ts';

/** Plain words, wide ones, images, what is escaped, and what is several bytes. */
const WORDS = ['review', 'the', 'report', '検索する', '보고서', '🚀', '👩‍💻', 'é', 'a<b', '&', '"x"', 'naïve', 'مرحبا'];

interface Draft {
  readonly name: string;
  readonly text: string;
}

const text = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min: 1, max: most }), fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }))
    .map(([length, words]) =>
      takeCodePoints(Array.from({ length }, (_, at) => words[at % words.length]).join(' '), length).trim(),
    );

const drafts: fc.Arbitrary<readonly Draft[]> = fc
  .array(fc.oneof(text(90), text(500), text(2000)), { minLength: 1, maxLength: 5 })
  .map((texts) => texts.map((one, index) => ({ name: `s${index}`, text: one })));

const skillOf = ({ name, text: description }: Draft): FoundSkill =>
  found('.agents/skills', name, `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\nBody.\n`);

const isWhole = ({ entries }: Listing): boolean => entries.every(({ state }) => state === 'kept' || state === 'hidden');

/** Clients with a budget, and how one is set. */
const BUDGETS: readonly (readonly [ClientId, string | undefined, (limit: number) => ClientOptions])[] = [
  ['claude-code', undefined, (limit) => ({ environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: `${6200 + limit}` } })],
  ['claude-code', '2.1.197', (limit) => ({ environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: `${4500 + limit}` } })],
  [
    'codex',
    undefined,
    (limit) => ({ settings: { skills: { bundled: { enabled: false }, max_context_tokens: Math.ceil(limit / 4) } } }),
  ],
  ['copilot', undefined, (limit) => ({ environment: { SKILL_CHAR_BUDGET: `${limit}` } })],
];

/** Every choice of so many of the items. */
const choices = <T>(items: readonly T[], count: number): readonly (readonly T[])[] => {
  if (count === 0) return [[]];
  return items.flatMap((item, at) => choices(items.slice(at + 1), count - 1).map((rest) => [item].concat(rest)));
};

/** The shortest that a plan makes of a string, in the unit of the budget. */
const LEAST = 60;
const SIZES: Partial<Record<ClientId, (text: string) => number>> = {
  'claude-code': columnsOf,
  codex: (one) => new TextEncoder().encode(one).length,
};
const shortest = (id: ClientId, whole: string): string => {
  const sizeOf = SIZES[id] ?? ((one: string) => one.length);
  let kept = whole.slice(0, 4 * LEAST);
  while (sizeOf(kept) > LEAST) kept = kept.slice(0, -1);
  return kept.trim();
};

/** How the plan does on the files themselves. */
const judge = (id: ClientId, options: ClientOptions, skills: readonly Draft[]): void => {
  const isFine = (some: readonly Draft[]): boolean => isWhole(listingFor(id, some.map(skillOf), options));
  const plan = planTrims(listingFor(id, skills.map(skillOf), options));
  if (isFine(skills)) {
    expect(plan).toEqual({ edits: [], over: 0, hides: [] });
  } else if (plan.over > 0) {
    const without = (gone: readonly string[]): readonly Draft[] => skills.filter(({ name }) => !gone.includes(name));
    expect(isFine(without(plan.hides.map(({ name }) => name)))).toBe(true);
    for (const fewer of choices(skills, plan.hides.length - 1))
      expect(isFine(without(fewer.map(({ name }) => name)))).toBe(false);
    expect(isFine(skills.map((draft) => ({ ...draft, text: shortest(id, draft.text) })))).toBe(false);
  } else {
    const by = new Map(plan.edits.map((edit) => [edit.name, edit.by]));
    const edited = skills.map((draft) => ({
      ...draft,
      text: takeCodePoints(draft.text, codePointLength(draft.text) - (by.get(draft.name) ?? 0)),
    }));
    expect(isFine(edited)).toBe(true);
    for (const fewer of choices(skills, plan.edits.length - 1))
      expect(
        isFine(skills.map((draft) => (fewer.includes(draft) ? { ...draft, text: shortest(id, draft.text) } : draft))),
      ).toBe(false);
  }
};

describe('what to trim', () => {
  it.each(BUDGETS)(
    'CLN31, CLN32: the plan for %s %s, applied to the files, makes everything whole, and no smaller one does',
    (id, version, optionsOf) => {
      fc.assert(
        fc.property(drafts, fc.integer({ min: 300, max: 4000 }), (skills, limit) => {
          judge(id, { ...optionsOf(limit), ...(version !== undefined && { version }) }, skills);
        }),
        { numRuns: 15 },
      );
    },
  );
});
