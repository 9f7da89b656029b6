/**
 * A first suite for a skill, made from the descriptions of its library. It is a start and not a measure: its queries have the
 * descriptions' own words, which people's questions often lack, and are tagged so.
 */
import { compareCodePoints } from '../../../base/text.ts';
import { pickSkill, type PickableSkill } from '../../simulator/behaviour/pick-skill.ts';
import { plainQuery } from './plain-query.ts';
import { DEFAULTS, type Suite } from './types.ts';

const OWN_WORDS = 'own-words';
const MOST_SHOULD = 5;
const MOST_NEAR = 3;
const MOST_FAR = 3;
const LEAST_WORDS = 2;
const MOST_LENGTH = 200;
const SMALL_TALK = 'Hello, what can you do?';

const USE_WHEN = /\buse (?:this skill |it )?(?:when(?:ever)?|for|if|to)\b[ :]*/i;
const SUBJECT =
  /^(?:(?:the |a )?(?:user|person|somebody|someone|you|they)\b\s*)?(?:(?:wants?|needs?|asked|asks?|would like)\b\s*)?(?:(?:you )?(?:to|for|about)\b\s*)?/i;

/** What a description says it is for, in pieces that a person could ask. */
const purposes = (description: string): readonly string[] => {
  const flat = description.replace(/\s+/g, ' ').trim().slice(0, 4000);
  const [, after] = flat.split(USE_WHEN);
  const pieces = (after ?? flat).split(/[.;:!?]|, (?:or |and )?| or /);
  return [
    ...new Set(
      pieces
        .map((piece) =>
          piece
            .replace(/^[-*•\s]+/, '')
            .replace(SUBJECT, '')
            .trim(),
        )
        .filter((piece) => piece.split(' ').length >= LEAST_WORDS && piece.length <= MOST_LENGTH)
        .map((piece) => piece.charAt(0).toUpperCase() + piece.slice(1)),
    ),
  ];
};

/** Nothing where the library has no such skill. */
export const proposeSuite = (skills: readonly PickableSkill[], name: string): Suite | undefined => {
  const target = skills.find((skill) => skill.name === name);
  if (!target) return undefined;
  const others = skills.filter((skill) => skill.name !== name).toSorted((a, b) => compareCodePoints(a.name, b.name));
  const near = pickSkill(target.description, others)
    .ranked.slice(0, MOST_NEAR)
    .flatMap(({ name: rival }) => others.find((skill) => skill.name === rival) ?? []);
  const ranked = new Set(pickSkill(target.description, others).ranked.map((rival) => rival.name));
  const far = others.filter((skill) => !ranked.has(skill.name)).slice(0, MOST_FAR);
  const firstOf = ({ description }: PickableSkill): readonly string[] => purposes(description).slice(0, 1);
  const queries = [
    ...purposes(target.description)
      .slice(0, MOST_SHOULD)
      .map((query) => plainQuery(query, 0, { expect: [name], kind: 'should', tags: [OWN_WORDS] })),
    ...near.flatMap((rival) =>
      firstOf(rival).map((query) =>
        plainQuery(query, 0, { expect: [rival.name], forbid: [name], kind: 'near-miss', tags: [OWN_WORDS] }),
      ),
    ),
    ...far.flatMap((other) =>
      firstOf(other).map((query) => plainQuery(query, 0, { forbid: [name], kind: 'should-not', tags: [OWN_WORDS] })),
    ),
    plainQuery(SMALL_TALK, 0, { expect: [], kind: 'should-not' }),
  ];
  const ids = new Set<string>();
  return {
    skill: name,
    defaults: DEFAULTS,
    queries: queries.filter(({ id }) => !ids.has(id) && ids.add(id)),
  };
};
