/** What every fix keeps, whatever the file looks like. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../base/hash.ts';
import type { RuleId } from './catalog.ts';
import { diagnose } from './diagnose.ts';
import { readDocument, type SkillDocument } from './document.ts';
import { applyAction, fixAll } from './fix.ts';
import { FIX_INPUTS } from './testing/fix-inputs.ts';
import { PROFILES, type Profile, type SkillInput } from './types.ts';

const RUNS = { numRuns: 1500, seed: 2026 };
const profiles = fc.constantFrom(...PROFILES);

/** How well a file can be read. */
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

/** Without a closing line the whole file counts as body, delimiters included: then there is no body to keep. */
const hasBody = ({ split }: SkillDocument): boolean => !split.faults.some(({ kind }) => kind === 'unclosed');

const bodyHash = (document: SkillDocument): string => sha256(document.body);

/** Comments of the frontmatter: a `#` at the start of a line or behind a space, as the inputs write them. */
const commentsOf = ({ text, split }: SkillDocument): string[] =>
  split.yaml
    ? [...text.slice(split.yaml.start, split.yaml.end).matchAll(/# note \d+/g)].map(([comment]) => comment)
    : [];

const keysOf = (document: SkillDocument): string[] => document.fields.map(({ name }) => name);

/** Whether `some` occur in `all` in this order. */
const inOrder = (some: readonly string[], all: readonly string[]): boolean => {
  let at = 0;
  for (const item of all) if (item === some[at]) at++;
  return at === some.length;
};

interface Step {
  readonly rule: RuleId;
  readonly title: string;
  readonly isSafe: boolean;
  readonly before: SkillDocument;
  readonly after: SkillDocument;
}

/** Every single fix that is offered, applied by itself. */
const eachFix = (input: SkillInput, profile: Profile): Step[] => {
  const before = readDocument(input);
  return diagnose(before, profile).flatMap(({ rule, fixes }) =>
    fixes.flatMap((fix) => {
      const next = applyAction(input, fix.action);
      return next
        ? [{ rule: rule as RuleId, title: fix.title, isSafe: fix.safety === 'safe', before, after: readDocument(next) }]
        : [];
    }),
  );
};

const forEachFix = (check: (step: Step) => void): void => {
  fc.assert(
    fc.property(FIX_INPUTS, profiles, (input, profile) => {
      for (const step of eachFix(input, profile)) check(step);
    }),
    RUNS,
  );
};

const label = ({ rule, title, after }: Step): string => `${rule}: ${title}\n${after.text}`;

describe('one fix', () => {
  it('FIX4: never makes the file parse worse', () => {
    forEachFix((step) => expect(rankOf(step.after), label(step)).toBeGreaterThanOrEqual(rankOf(step.before)));
  });

  it('FIX2: keeps the body, unless the rule is about the body', () => {
    forEachFix((step) => {
      if (!ABOUT_THE_BODY.has(step.rule) && hasBody(step.before))
        expect(bodyHash(step.after), label(step)).toBe(bodyHash(step.before));
    });
  });

  it('FIX2: keeps every byte of the body, unless the rule is about the body or its line endings', () => {
    const bytes = ({ text, bodyRange }: SkillDocument): string => text.slice(bodyRange.start);
    forEachFix((step) => {
      if (!ABOUT_THE_BODY.has(step.rule) && step.rule !== 'line-endings' && hasBody(step.before))
        expect(bytes(step.after), label(step)).toBe(bytes(step.before));
    });
  });

  it('FIX2: keeps comments', () => {
    forEachFix((step) => {
      // Where the frontmatter ends is not known before it is closed.
      if (step.rule !== 'frontmatter-unclosed')
        expect(commentsOf(step.after), label(step)).toEqual(expect.arrayContaining(commentsOf(step.before)));
    });
  });

  it('FIX2: keeps the order of keys', () => {
    forEachFix((step) => {
      const before = keysOf(step.before);
      const after = new Set(keysOf(step.after));
      // Of a repeated key one may go and the other stay: that is no order.
      const kept = before.filter(
        (key, index) => after.has(key) && before.indexOf(key) === index && before.lastIndexOf(key) === index,
      );
      expect(inOrder(kept, keysOf(step.after)), label(step)).toBe(true);
    });
  });
});

describe.each([
  ['safe', false],
  ['unsafe too', true],
])('all fixes, %s', (_, unsafe) => {
  const forEachInput = (check: (before: SkillInput, after: SkillInput, profile: Profile) => void): void => {
    fc.assert(
      fc.property(FIX_INPUTS, profiles, (input, profile) => {
        check(input, fixAll(input, profile, { unsafe }).input, profile);
      }),
      RUNS,
    );
  };

  it('FIX5: done twice, change nothing more', () => {
    forEachInput((_before, after, profile) => {
      const again = fixAll(after, profile, { unsafe });
      expect(again.applied).toEqual([]);
      expect(again.input).toEqual(after);
    });
  });

  it('FIX4: leave a file that parses no worse', () => {
    forEachInput((before, after) =>
      expect(rankOf(readDocument(after))).toBeGreaterThanOrEqual(rankOf(readDocument(before))),
    );
  });

  it('FIX2: keep all comments', () => {
    forEachInput((before, after) => {
      const document = readDocument(before);
      // In broken frontmatter nobody knows where a value ends and a comment starts.
      if (document.split.faults.length === 0 && document.yaml?.problems.length === 0)
        expect(commentsOf(readDocument(after))).toEqual(expect.arrayContaining(commentsOf(document)));
    });
  });

  it('FIX5: say truly what changed', () => {
    forEachInput((before, after, profile) => {
      const result = fixAll(before, profile, { unsafe });
      const textOf = (input: SkillInput, path: string): string | undefined =>
        path === input.fileName ? readDocument(input).text : input.files?.get(path)?.text;
      for (const path of [before.fileName, ...(before.files?.keys() ?? [])]) {
        const renamed = result.renames.find(({ from }) => from === path)?.to ?? path;
        expect(result.texts.get(path) ?? textOf(before, path)).toBe(textOf(after, renamed));
      }
      expect(result.folder).toBe(after.folder);
      const isChanged = result.texts.size > 0 || result.renames.length > 0 || after.folder !== before.folder;
      expect(result.applied.length > 0).toBe(isChanged);
    });
  });
});
