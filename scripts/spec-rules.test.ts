import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from './demo-plugin.ts';
import { looseRules, namedRules, rulesOf } from './spec-rules.ts';

const project = join(import.meta.dirname, '..');
const filesBelow = (folder: string): readonly string[] =>
  listFiles(join(project, folder)).map(({ path }) => `${folder}/${path}`);
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const sources = ['src', 'scripts', 'e2e'].flatMap(filesBelow);

const specs = sources
  .filter((path) => path.endsWith('/SPEC.md'))
  .map((path) => ({ path, rules: rulesOf(read(path)), loose: looseRules(read(path)) }));
// A `…-contract.ts` is a suite that test files run on several forms of a thing; one that no file runs is dead code to knip.
const tests = sources
  .filter((path) => /(?:\.(?:test|spec)\.tsx?|-contract\.ts)$/.test(path))
  .map((path) => ({ path, named: namedRules(path, read(path)) }));
const known = new Set(specs.flatMap(({ rules }) => rules));

/** Decisions (`D31`), and cases of the metaskill specification and the skill format (`N14`): their lists are not SPECs of a folder. */
const FOREIGN = /^(?:D[0-9]+|[A-Z][0-9]{2})$/;

describe('the rules of every SPEC.md', () => {
  it('have names of their own', () => {
    expect(specs.length).toBeGreaterThan(30);
    expect(specs.filter(({ rules }) => rules.length === 0)).toEqual([]);
    const all = specs.flatMap(({ path, rules }) => [...new Set(rules)].map((rule) => ({ path, rule })));
    const twice = all.filter(({ rule }, index) => all.findIndex((other) => other.rule === rule) !== index);
    expect(twice.map(({ path, rule }) => `${path}: ${rule}`)).toEqual([]);
  });

  it('are named by a test', () => {
    expect(tests.length).toBeGreaterThan(300);
    const named = new Set(tests.flatMap((test) => [...test.named.all]));
    const missing = specs.map(({ path, rules }) => ({ path, rules: rules.filter((rule) => !named.has(rule)) }));
    expect(
      missing.filter(({ rules }) => rules.length > 0).map(({ path, rules }) => `${path}: ${rules.join(' ')}`),
    ).toEqual([]);
  });

  it('are all in the form of one', () => {
    const isElsewhere = (id: string): boolean => known.has(id) || FOREIGN.test(id);
    const lost = specs.flatMap(({ path, loose }) =>
      loose.filter((id) => !isElsewhere(id)).map((id) => `${path}: ${id}`),
    );
    expect(lost).toEqual([]);
  });

  it('are the only ones that tests name', () => {
    const unknown = tests
      .filter(({ path }) => path !== 'scripts/spec-rules.test.ts')
      .flatMap(({ path, named }) =>
        [...named.inTitles].filter((rule) => !known.has(rule) && !FOREIGN.test(rule)).map((rule) => `${path}: ${rule}`),
      );
    expect(unknown).toEqual([]);
  });
});

describe('what is a rule', () => {
  it.each([
    ['- **CAP2** Text.', ['CAP2']],
    ['  - **CAP2** Text.', ['CAP2']],
    ['| CAP2 | Text. |', ['CAP2']],
    ['| CAP2b | Text. |', ['CAP2b']],
    ['| C04, C05 | Text. |', ['C04', 'C05']],
    ['- **CAP2–4** Text.', ['CAP2', 'CAP3', 'CAP4']],
    ['| CAP2–CAP4 | Text. |', ['CAP2', 'CAP3', 'CAP4']],
    ['| C09–C11 | Text. |', ['C09', 'C10', 'C11']],
    ['| rule | text |', []],
    ['| Text | CAP2 |', []],
    ['- **CAP2** Text, **CAP3** more text.', ['CAP2', 'CAP3']],
    ['- **Text** CAP2', []],
    ['CAP2 in a sentence', []],
    ['| UTF8 text | Text. |', []],
  ])('%s', (line, rules) => {
    expect(rulesOf(line)).toEqual(rules);
  });
});

it('a rule without the form of one is found', () => {
  expect(looseRules('CAP1: text. CAP2: more.\n\n- **CAP3** CAP3: text, as D8 says.\n')).toEqual(['CAP1', 'CAP2']);
});

describe('what names a rule', () => {
  it.each([
    ["it('CAP2: text', () => {});", ['CAP2']],
    ["it('CAP2, CAP3: text', () => {});", ['CAP2', 'CAP3']],
    ["it('CAP2–4: text', () => {});", ['CAP2', 'CAP3', 'CAP4']],
    ["describe('CAP2: text', () => {});", ['CAP2']],
    ["it.each([1])('CAP2: %s', () => {});", ['CAP2']],
    ['it(`CAP2: ${text}`, () => {});', ['CAP2']],
    ["test.describe('CAP2: text', () => {});", ['CAP2']],
    ["it.each([['CAP2: text'], ['CAP3']])('%s', () => {});", ['CAP2', 'CAP3']],
    ["for (const [rule] of [['CAP2']]) it(`${rule}: text`, () => {});", ['CAP2']],
    ["it('text of CAP2: more', () => {});", []],
    ["it('CAP2 text', () => {});", []],
    ["it('text', () => say('CAP2: text'));", []],
    ["// it('CAP2: text')", []],
  ])('%s', (source, rules) => {
    expect([...namedRules('a.test.ts', source).all]).toEqual(rules);
  });
});
