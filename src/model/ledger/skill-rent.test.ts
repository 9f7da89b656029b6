import { describe, expect, it } from 'vitest';
import { readRecording } from '../traffic/recording/read-recording.ts';
import { listedSkills } from './skill-listing.ts';
import { skillRents } from './skill-rent.ts';

const names = (text: string): readonly string[] => listedSkills(text).map(({ name }) => name);

describe('listings', () => {
  it('LED9: are found in the form of each agent, and nowhere else', () => {
    expect(
      names(
        'Be kind.\n\n## Available skills\n- commit [preloaded]: Writes commits.\n- review: Reviews.\n\n- no: skill',
      ),
    ).toEqual(['commit', 'review']);
    const reminder =
      '<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n- a:b: Does A.\n  In two lines.\n- c: Does C.\n</system-reminder>';
    expect(names(reminder)).toEqual(['a:b', 'c']);
    expect(reminder.slice(listedSkills(reminder)[0]?.start, listedSkills(reminder)[0]?.end)).toBe(
      '- a:b: Does A.\n  In two lines.',
    );
    expect(
      names(
        '<available_skills>\n<skill>\n<name>x</name>\n<description>Does X</description>\n</skill></available_skills>',
      ),
    ).toEqual(['x']);
    expect(names('Steps:\n- build: run make\n- test: run it')).toEqual([]);
  });
});

const LISTING = '## Available skills\n- commit: Writes commit messages.\n- review: Reviews a change.';
const line = (second: number, messages: readonly object[], usage: object): string =>
  JSON.stringify({
    provider: 'anthropic',
    model: 'claude-opus-4-6',
    started_at: new Date(Date.UTC(2026, 10, 1, 10, 0, second)).toISOString(),
    body: JSON.stringify({
      model: 'claude-opus-4-6',
      max_tokens: 9,
      system: [{ type: 'text', text: LISTING }],
      messages: [{ role: 'user', content: 'x'.repeat(LISTING.length) }, ...messages],
    }),
    usage,
  });
const use = (id: string, name: string, input: object): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});

describe('skills as rent', () => {
  const later = [
    use('1', 'skill_load', { name: 'commit' }),
    use('2', 'Read', { file_path: '/home/u/.claude/skills/commit/references/style.md' }),
    use('3', 'Bash', { command: 'cat .agents/skills/commit/SKILL.md' }),
  ];
  const text = [
    line(1, [], {
      input_tokens: 1_000_000,
      output_tokens: 1,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    }),
    line(2, later, {
      input_tokens: 500_000,
      output_tokens: 1,
      cache_read_input_tokens: 500_000,
      cache_creation_input_tokens: 0,
    }),
    line(3, later, { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }),
  ].join('\n');
  const rents = skillRents(readRecording(text, 'a.jsonl').calls);

  it('LED8: the tokens of an entry in every request, priced as its place was billed', () => {
    const [commit, review] = rents;
    expect([commit?.name, review?.name]).toEqual(['commit', 'review']);
    expect([commit?.requests, review?.requests]).toEqual([3, 3]);
    // Half of the first prompt is the listing, and of that its share of the characters, at 5 dollars for a million.
    const entry = '- commit: Writes commit messages.'.length / LISTING.length;
    const [first] = skillRents(readRecording(text.split('\n')[0] ?? '', 'a.jsonl').calls);
    expect(first?.rent.usd).toBeCloseTo(0.5 * entry * 5, 6);
    expect(first?.tokens).toBe(Math.round(500_000 * entry));
    // In the second request the listing was read.
    expect(commit?.rent.usd ?? 0).toBeLessThan(0.5 * entry * 5 * 1.1);
  });

  it('LED10: loads and files that were read are counted once, however often bodies repeat them', () => {
    expect(rents.map(({ name, loads, files }) => [name, loads, files])).toEqual([
      ['commit', 2, ['SKILL.md', 'references/style.md']],
      ['review', 0, []],
    ]);
  });
});
