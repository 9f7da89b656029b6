import { describe, expect, it } from 'vitest';
import type { Mention } from '../session/session.ts';
import {
  firstMentions,
  insertMention,
  mentionAt,
  mentionChoices,
  mentionWords,
  type MentionSkill,
} from './mention-input.ts';

const skill = (name: string, tokens = 100, isPreloaded = false): MentionSkill => ({
  name,
  description: `Does ${name}.`,
  tokens,
  isPreloaded,
  isMetaskill: false,
});
const SKILLS = [skill('api-review'), skill('changelog-writer'), skill('release-api'), skill('map')];
const FILES = ['AGENTS.md', 'docs/api.md', 'skills/api-review/SKILL.md'];

const at = (text: string) => {
  const caret = text.indexOf('|');
  return mentionAt(text.replace('|', ''), caret);
};

describe('mentions in the composer', () => {
  it('SV20: a sign at the start of a word opens the list', () => {
    expect(at('use $ap|')).toEqual({ kind: 'skill', query: 'ap', from: 4, to: 7 });
    expect(at('$|')).toEqual({ kind: 'skill', query: '', from: 0, to: 1 });
    expect(at('see (@doc|s/a.md)')).toEqual({ kind: 'file', query: 'doc', from: 5, to: 15 });
    expect(at('costs 5$|')).toBeUndefined();
    expect(at('mail me@home|')).toBeUndefined();
    expect(at('use $api |')).toBeUndefined();
  });

  it('SV20: names that start with it come first, then parts that do, then any', () => {
    const names = (query: string) =>
      mentionChoices({ kind: 'skill', query, from: 0, to: 0 }, SKILLS, FILES).map(({ label }) => label);
    expect(names('ap')).toEqual(['$api-review', '$release-api', '$map']);
    expect(names('')).toHaveLength(4);
    expect(names('zzz')).toEqual([]);
    expect(
      mentionChoices({ kind: 'file', query: 'api', from: 0, to: 0 }, SKILLS, FILES).map(({ insert }) => insert),
    ).toEqual(['docs/api.md', 'skills/api-review/SKILL.md']);
    const many = Array.from({ length: 20 }, (_, index) => skill(`skill-${index}`));
    expect(mentionChoices({ kind: 'skill', query: '', from: 0, to: 0 }, many, [])).toHaveLength(8);
  });

  it('SV21: a choice takes the place of the word', () => {
    const word = at('use $ap| now');
    expect(word && insertMention('use $ap now', word, { insert: '$api-review' })).toEqual({
      text: 'use $api-review now',
      caret: 16,
    });
    const last = at('see @doc|');
    expect(last && insertMention('see @doc', last, { insert: 'docs/api.md' })).toEqual({
      text: 'see docs/api.md ',
      caret: 16,
    });
  });

  it('SV22: the mentions of a first message are judged before there is a session', () => {
    const skills = [skill('a', 100, true), skill('b', 29_000), skill('c', 2000), skill('d'), skill('e'), skill('f')];
    const judged = firstMentions('$a $b $c $d $e $f $nobody', skills).map(mentionWords);
    expect(judged.map(({ name, tone }) => [name, tone])).toEqual([
      ['a', 'plain'],
      ['b', 'plain'],
      ['c', 'refused'],
      ['d', 'plain'],
      ['e', 'plain'],
      ['f', 'refused'],
    ]);
    expect(judged[0]?.text).toBe('is already in the prompt');
    expect(judged[5]?.text).toBe('will be refused: the three skills before it use all slots.');
  });

  it('SV22: a refusal names who has the slots', () => {
    const load = (name: string): Mention => ({ name, decision: { kind: 'load' } });
    const refused: Mention = { name: 'd', decision: { kind: 'refused', cap: 'count', message: '' } };
    const last = (...mentions: Mention[]) => mentions.map(mentionWords).at(-1)?.text;
    expect(last(refused)).toContain('three skills are loaded');
    expect(last(load('c'), refused)).toContain('the loaded skills and those before it use all slots');
  });
});
