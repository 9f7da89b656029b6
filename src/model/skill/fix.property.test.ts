/** What every fix keeps, whatever the file looks like. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleId } from './catalog.ts';
import { diagnose } from './diagnose.ts';
import { readDocument, type SkillDocument } from './document.ts';
import { applyAction, fixAll, type FixAllResult } from './fix.ts';
import { FIX_INPUTS } from './testing/fix-inputs.ts';
import { PROFILES, type Profile, type SkillInput } from './types.ts';

const RUNS = { numRuns: 600, seed: 2026 };
const profiles = fc.constantFrom(...PROFILES);

/** How well a file can be read: not at all, no frontmatter, a YAML problem, no mapping, a mapping (an empty one is one). */
const rankOf = ({ invalidAt, split, yaml, root }: SkillDocument): number => {
  if (invalidAt !== undefined) return 0;
  if (!split.yaml || !yaml) return 1;
  if (yaml.problems.length > 0) return 2;
  return root || yaml.root === undefined ? 4 : 3;
};

/** Rules whose fixes change the body, and why that is right. */
const ABOUT_THE_BODY: ReadonlyMap<RuleId, string> = new Map<RuleId, string>([
  ['fence-unclosed', 'the fence is in the body'],
  ['link-backslash', 'the link is in the body'],
  ['hidden-characters', 'they may be in the body'],
  ['orphan-file', 'the mention goes into the body'],
  ['MS-input-keys-undocumented', 'the keys are documented in the body'],
  ['frontmatter-not-first', 'what stood before the frontmatter moves into the body'],
  ['frontmatter-unclosed', 'where the body begins is what is repaired'],
]);

/** Comments of the frontmatter as the inputs write them, each with a number of its own. */
const commentsOf = ({ text, split }: SkillDocument): string[] =>
  split.yaml ? (text.slice(split.yaml.start, split.yaml.end).match(/# note \d+/g) ?? []) : [];

const hasComments = (document: SkillDocument, comments: readonly string[]): boolean => {
  const there = new Set(commentsOf(document));
  return comments.every((comment) => there.has(comment));
};

const keysOf = (document: SkillDocument): string[] => document.fields.map(({ name }) => name);

/** Whether `some` occur in `all` in this order. */
const inOrder = (some: readonly string[], all: readonly string[]): boolean => {
  let at = 0;
  for (const item of all) if (item === some[at]) at++;
  return at === some.length;
};

interface Step {
  readonly rule: RuleId;
  readonly before: SkillDocument;
  readonly after: SkillDocument;
}

/** Every single fix that is offered, also those that a person must finish, applied by itself. */
const eachFix = (input: SkillInput, profile: Profile): Step[] => {
  const before = readDocument(input);
  return diagnose(before, profile).flatMap(({ rule, fixes }) =>
    fixes.flatMap((fix) => {
      const next = applyAction(input, fix.action);
      return next ? [{ rule: rule as RuleId, before, after: readDocument(next) }] : [];
    }),
  );
};

/** An input, a profile and the rule whose fix breaks the promise; nothing if it is kept. */
const brokenBy = (holds: (step: Step) => boolean): unknown => {
  const property = fc.property(FIX_INPUTS, profiles, (input, profile) => eachFix(input, profile).every(holds));
  const { counterexample } = fc.check(property, RUNS);
  return counterexample && [counterexample, eachFix(...counterexample).find((step) => !holds(step))?.rule];
};

/** Without a closing line the whole file counts as body, delimiters included: then there is no body to keep. */
const mayChangeBody = ({ rule, before }: Step): boolean =>
  ABOUT_THE_BODY.has(rule) || before.split.faults.some(({ kind }) => kind === 'unclosed');

describe('one fix', () => {
  it('FIX4: never makes the file parse worse', () => {
    expect(brokenBy(({ before, after }) => rankOf(after) >= rankOf(before))).toBeNull();
  });

  it('FIX2: keeps the body and so its hash, unless the rule is about the body', () => {
    expect(brokenBy((step) => mayChangeBody(step) || step.after.body === step.before.body)).toBeNull();
  });

  it('FIX2: keeps every byte of the body, unless the rule is about the body or its line endings', () => {
    const bytes = ({ text, bodyRange }: SkillDocument): string => text.slice(bodyRange.start);
    const holds = (step: Step): boolean =>
      mayChangeBody(step) || step.rule === 'line-endings' || bytes(step.after) === bytes(step.before);
    expect(brokenBy(holds)).toBeNull();
  });

  it('FIX2: keeps comments', () => {
    // Where the frontmatter ends is not known before it is closed.
    const holds = ({ rule, before, after }: Step): boolean =>
      rule === 'frontmatter-unclosed' || hasComments(after, commentsOf(before));
    expect(brokenBy(holds)).toBeNull();
  });

  it('FIX2: keeps the order of keys', () => {
    const holds = (step: Step): boolean => {
      const before = keysOf(step.before);
      const after = new Set(keysOf(step.after));
      // Of a repeated key one may go and the other stay: that is no order.
      const isOnce = (key: string): boolean => before.indexOf(key) === before.lastIndexOf(key);
      return inOrder(
        before.filter((key) => after.has(key) && isOnce(key)),
        keysOf(step.after),
      );
    };
    expect(brokenBy(holds)).toBeNull();
  });
});

const textOf = (input: SkillInput, path: string): string | undefined =>
  path === input.fileName ? readDocument(input).text : input.files?.get(path)?.text;

/** Whether the result names exactly what is different. */
const isTrue = (before: SkillInput, { input: after, texts, renames, applied, folder }: FixAllResult): boolean => {
  const paths = [before.fileName, ...(before.files?.keys() ?? [])];
  const isText = (path: string): boolean => {
    const renamed = renames.find(({ from }) => from === path)?.to ?? path;
    return (texts.get(path) ?? textOf(before, path)) === textOf(after, renamed);
  };
  const isChanged = texts.size > 0 || renames.length > 0 || folder !== before.folder;
  return paths.every(isText) && folder === after.folder && applied.length > 0 === isChanged;
};

describe.each([
  ['safe', false],
  ['unsafe too', true],
])('all fixes, %s', (_, unsafe) => {
  /** An input and a profile for which the promise is broken. */
  const broken = (holds: (before: SkillInput, result: FixAllResult, profile: Profile) => boolean): unknown => {
    const property = fc.property(FIX_INPUTS, profiles, (input, profile) =>
      holds(input, fixAll(input, profile, { unsafe }), profile),
    );
    return fc.check(property, RUNS).counterexample;
  };

  it('FIX5: done twice, change nothing more', () => {
    expect(broken((_before, { input }, profile) => fixAll(input, profile, { unsafe }).applied.length === 0)).toBeNull();
  });

  it('FIX4: leave a file that parses no worse', () => {
    expect(broken((before, { input }) => rankOf(readDocument(input)) >= rankOf(readDocument(before)))).toBeNull();
  });

  it('FIX2: keep all comments', () => {
    const holds = (before: SkillInput, { input }: FixAllResult): boolean => {
      const document = readDocument(before);
      // In broken frontmatter nobody knows where a value ends and a comment starts.
      const isBroken = document.split.faults.length > 0 || document.yaml?.problems.length !== 0;
      return isBroken || hasComments(readDocument(input), commentsOf(document));
    };
    expect(broken(holds)).toBeNull();
  });

  it('FIX5: say truly what changed', () => {
    expect(broken(isTrue)).toBeNull();
  });
});
