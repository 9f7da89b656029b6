import { describe, expect, it } from 'vitest';
import { RULES } from '../skill/catalog.ts';
import { clientRulesOf } from '../skill/client-profiles.ts';
import { diagnose, isValid } from '../skill/diagnose.ts';
import { readDocument } from '../skill/document.ts';
import { CLIENT_PROFILES, type ClientProfile } from '../skill/types.ts';
import { listingFor } from './registry.ts';
import { found, frontmatter } from './testing/found.ts';

const TEXT = 'description: Reads PDF files. Use when one is there.';
const CASES: Readonly<Record<string, string>> = {
  sound: frontmatter(`name: pdf\n${TEXT}`),
  'no name': frontmatter(TEXT),
  'another name': frontmatter(`name: other\n${TEXT}`),
  'a capital': frontmatter(`name: Pdf\n${TEXT}`),
  'a number as name': frontmatter(`name: 42\n${TEXT}`),
  'a long name': frontmatter(`name: ${'a'.repeat(65)}\n${TEXT}`),
  'no description': frontmatter('name: pdf'),
  'a long description': frontmatter(`name: pdf\ndescription: ${'Reads it. '.repeat(120)}`),
  'a number as description': frontmatter('name: pdf\ndescription: 42'),
  'no frontmatter': 'Only a body.\n',
  'a byte order mark': `\uFEFF${frontmatter(`name: pdf\n${TEXT}`)}`,
  'a list of tools': frontmatter(`name: pdf\n${TEXT}\nallowed-tools: [Read]`),
  'an unknown field': frontmatter(`name: pdf\n${TEXT}\ncolor: red`),
};

const KNOWN = CLIENT_PROFILES.filter((profile) => clientRulesOf(profile)?.ignoresRest === true);
const problemsOf = (content: string, profile: ClientProfile) =>
  diagnose(readDocument({ content, fileName: 'SKILL.md', folder: 'pdf' }), profile);

describe.each(KNOWN)('%s', (profile) => {
  it.each(Object.entries(CASES))('SKP1: what the client hides is an error, and nothing else is: %s', (what, text) => {
    // Goose was read in code, and a byte order mark there is not known.
    if (profile === 'goose' && what === 'a byte order mark') return;
    const [entry] = listingFor(profile, [found('.x/skills', 'pdf', text)]).entries;
    expect(isValid(problemsOf(text, profile))).toBe(entry?.state !== 'hidden');
  });
});

it('SKP2: of a client that is only documented, nothing is an error', () => {
  for (const profile of ['cursor', 'windsurf', 'kiro'] as const)
    for (const text of Object.values(CASES)) expect(isValid(problemsOf(text, profile)), profile).toBe(true);
});

it('SKP3: names what a client ignores, and says where that is unknown', () => {
  const text = frontmatter(`name: pdf\n${TEXT}\nlicense: MIT\ndisable-model-invocation: true`);
  const fields = (profile: ClientProfile) =>
    problemsOf(text, profile)
      .filter(({ rule }) => rule.startsWith('field-'))
      .map(({ severity, message }) => `${severity}: ${message}`);
  expect(fields('codex')).toEqual(['info: Codex ignores the field `disable-model-invocation` and lists the skill.']);
  expect(fields('copilot')).toEqual([]);
  expect(fields('windsurf')).toEqual(['hint: Whether Windsurf reads the field `disable-model-invocation` is unknown.']);
});

it('SKP2: names rules that exist', () => {
  const named = CLIENT_PROFILES.flatMap((profile) => {
    const rules = clientRulesOf(profile);
    const refused: readonly string[] = [...(rules?.refuses ?? [])];
    return refused.concat([...(rules?.takes ?? [])]);
  });
  const known = new Set<string>(RULES.keys());
  expect(named.filter((rule) => !known.has(rule))).toEqual([]);
});
