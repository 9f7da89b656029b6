import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { volatileSegments } from '../../prompt/volatile.ts';
import type { OwnPrompt } from '../types.ts';
import { explain } from './explain.ts';
import { assistant, claude, GUIDE, marked, MINUTE, SECOND, T0, text, tool, usage, user } from './testing/recorded.ts';

type Parts = OwnPrompt['parts'];

const INDEX_HEAD = '\n\n## Available skills\nUse them.\n';
const index = (...lines: string[]): Parts[number] => ({
  kind: 'skill-index',
  id: 'skill-index',
  text: [INDEX_HEAD, ...lines].join('\n'),
});
const persona = { kind: 'persona', id: 'persona', text: 'You are careful.' };
const agents = (body: string, path = 'AGENTS.md'): Parts[number] => ({
  kind: 'instructions',
  id: 'instructions',
  text: `\n\n## Project instructions\n\n<!-- docs/CLAUDE.md -->\nShort.\n\n<!-- ${path} -->\n${body}`,
});
const preloaded = (name: string, body: string): Parts[number] => ({
  kind: 'preloaded',
  id: `preloaded:${name}`,
  text: `\n\n## Skill: ${name}\n\n${body}`,
});

const SKILLS: OwnPrompt['skills'] = [
  { name: 'pdf', file: 'skills/pdf/SKILL.md', descriptionLine: 3, bodyLine: 7 },
  { name: 'notes', file: 'skills/notes/SKILL.md', descriptionLine: 4, bodyLine: 9 },
  { name: 'shared' },
];

interface Sent {
  readonly parts: Parts;
  readonly memory?: string;
  readonly tools?: Json[];
  readonly messages?: Json[];
  readonly folder?: string;
  readonly rolling?: boolean;
}

const environment = { date: '2026-11-15', workspace: 'demo', platform: 'web' };

const call = (sent: Sent, at: number, session: string, read: number) => {
  const { parts, memory, tools = [tool('read_file'), tool('run_command')], messages = [user('Hello there.')] } = sent;
  const volatile = volatileSegments({ environment, user: undefined, memory });
  return claude(
    {
      tools,
      system: [marked(parts.map((part) => part.text).join('')), text(volatile.map((part) => part.text).join(''))],
      messages,
      ...(sent.rolling === true && { cache_control: { type: 'ephemeral' } }),
    },
    {
      startedAt: T0 + at,
      usage: usage(read, 3000 - read),
      sessionId: session,
      own: { folder: sent.folder ?? 'demo', parts, skills: SKILLS },
    },
  );
};

/** A session started, then another one that read nothing. */
const between = (before: Sent, after: Sent, at = 30 * SECOND) =>
  explain(call(before, 0, 'a', 0), call(after, at, 'b', 0), { relation: 'beside' });

const guide = agents(GUIDE);
const base: Parts = [persona, guide, index('- pdf: Reads PDF files.', '- shared: From elsewhere.')];

describe('own sessions know their own segments', () => {
  it('OWN1, OWN3: a skill that was added', () => {
    const after = [
      persona,
      guide,
      index('- notes: Takes notes.', '- pdf: Reads PDF files.', '- shared: From elsewhere.'),
    ];
    const verdict = between({ parts: base }, { parts: after });
    expect(verdict).toMatchObject({ kind: 'miss', cause: 'shared-prefix-differs', certainty: 'likely' });
    expect(verdict.position?.segment).toEqual({
      kind: 'skill-index',
      name: 'notes',
      file: 'skills/notes/SKILL.md',
      line: 4,
    });
    expect(verdict.evidence[0]).toBe('The skill notes was added (skills/notes/SKILL.md, line 4).');
    expect(verdict.repair).not.toMatch(/user/);
  });

  it('OWN3: a skill that was removed, one whose line changed, and both', () => {
    const edited = index('- pdf: Reads and writes PDF files.', '- shared: From elsewhere.');
    expect(between({ parts: base }, { parts: [persona, guide, edited] }).evidence[0]).toBe(
      'The index text of the skill pdf changed (skills/pdf/SKILL.md, line 3).',
    );
    const fewer = between({ parts: base }, { parts: [persona, guide, index('- pdf: Reads PDF files.')] });
    expect(fewer.evidence[0]).toBe('The skill shared was removed.');
    expect(fewer.position?.segment).toEqual({ kind: 'skill-index', name: 'shared' });
    const both = between({ parts: base }, { parts: [persona, guide, index('- pdf: Reads it all.')] });
    expect(both.evidence[0]).toBe(
      'The skill shared was removed. The index text of the skill pdf changed (skills/pdf/SKILL.md, line 3).',
    );
  });

  it('OWN3: a body that padding takes in or leaves out', () => {
    const after = [
      persona,
      guide,
      index('- pdf [preloaded]: Reads PDF files.', '- shared: From elsewhere.'),
      preloaded('pdf', 'Open it.'),
    ];
    expect(between({ parts: base }, { parts: after }).evidence[0]).toBe(
      'The body of pdf is now preloaded, which changed the padding.',
    );
    expect(between({ parts: after }, { parts: base }).evidence[0]).toBe(
      'The body of pdf is no longer preloaded, which changed the padding.',
    );
  });

  it('OWN1: AGENTS.md by file and line; added, removed', () => {
    const after = agents(GUIDE.replace('Rule 7:', 'Rule seven:'));
    const verdict = between({ parts: base }, { parts: [persona, after, base[2] ?? persona] });
    expect(verdict.position?.segment).toEqual({ kind: 'instructions', name: 'AGENTS.md', file: 'AGENTS.md', line: 7 });
    expect(verdict.evidence[0]).toBe('AGENTS.md changed at line 7.');
    const without = [persona, base[2] ?? persona];
    const parts = [...without, preloaded('pdf', GUIDE)];
    expect(between({ parts }, { parts: [persona, guide, ...parts.slice(1)] }).evidence[0]).toBe(
      'docs/CLAUDE.md was added.',
    );
    expect(between({ parts: [persona, guide, ...parts.slice(1)] }, { parts }).evidence[0]).toBe(
      'docs/CLAUDE.md was removed.',
    );
  });

  it('OWN1: a preloaded body by file and line', () => {
    const lines = index('- pdf [preloaded]: Reads PDF files.');
    const before = [persona, guide, lines, preloaded('pdf', '# PDF\n\nOpen it.\nClose it.')];
    const after = [persona, guide, lines, preloaded('pdf', '# PDF\n\nOpen it.\nKeep it.')];
    const verdict = between({ parts: before }, { parts: after });
    // The body starts at line 7; its fourth line changed.
    expect(verdict.position?.segment).toEqual({
      kind: 'preloaded',
      name: 'pdf',
      file: 'skills/pdf/SKILL.md',
      line: 10,
    });
    expect(verdict.evidence[0]).toBe('The preloaded body of pdf changed (skills/pdf/SKILL.md, line 10).');
  });

  it('OWN1, OWN2: another tool is named, though the lists of tools differ', () => {
    const verdict = between({ parts: base }, { parts: base, tools: [tool('read_file')] });
    expect(verdict).toMatchObject({ cause: 'shared-prefix-differs', certainty: 'likely' });
    expect(verdict.position?.segment).toEqual({ kind: 'tool', name: 'run_command' });
    expect(verdict.evidence.join(' ')).toContain('Removed: “run_command”.');
  });

  it('OWN1: the persona', () => {
    const parts = [{ ...persona, text: 'You are bold.' }, ...base.slice(1)];
    const verdict = between({ parts: base }, { parts });
    expect(verdict.position?.segment).toEqual({ kind: 'persona', name: 'persona' });
  });

  it('OWN2: not beside another folder, and not after the TTL', () => {
    const after = [persona, guide, index('- pdf: Reads it all.')];
    expect(between({ parts: base }, { parts: after, folder: 'other' }).cause).toBe('chain-start');
    expect(between({ parts: base }, { parts: after }, 6 * MINUTE).cause).toBe('chain-start');
  });

  it('OWN2: never the data of a user, however early the sessions part', () => {
    const named = (name: string): Parts => [{ ...persona, text: `You work for the user ${name}.` }, ...base.slice(1)];
    expect(between({ parts: named('Ada') }, { parts: named('Grace') }).cause).toBe('shared-prefix-differs');
  });

  it('OWN4: MEMORY.md inside a session, by line; added and removed', () => {
    const talk = [user('Hello there.'), assistant('Good morning to you.'), user('Write that down.')];
    const grown = (before: string | undefined, after: string | undefined) =>
      explain(
        call({ parts: base, rolling: true, ...(before !== undefined && { memory: before }) }, 0, 'a', 0),
        call(
          { parts: base, rolling: true, messages: talk, ...(after !== undefined && { memory: after }) },
          30 * SECOND,
          'a',
          1600,
        ),
        { relation: 'continues' },
      );
    const verdict = grown('One.\nTwo.', 'One.\nTwo.\nThree.');
    expect(verdict).toMatchObject({ kind: 'miss', cause: 'volatile-value-in-system' });
    expect(verdict.position?.segment).toEqual({ kind: 'memory', name: 'MEMORY.md', line: 3 });
    expect(grown(undefined, 'One.').evidence[0]).toBe('MEMORY.md was added.');
    expect(grown('One.', undefined).evidence[0]).toBe('MEMORY.md was removed.');
  });
});
