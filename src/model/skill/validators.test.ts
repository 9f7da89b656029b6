/**
 * What real validators say, and what our profiles say to the same input. PY is the reference validator (skills-ref, Python),
 * METIS the skill format's loader, QV Claude's `quick_validate.py`; the verdicts were recorded by running them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSkill } from './skill.ts';
import type { Profile, SkillInput } from './types.ts';

type Validator = 'PY' | 'METIS' | 'QV';

interface ValidatorCase {
  readonly input: SkillInput;
  readonly text: string;
  /** `OK`, `ERR …`, or `CRASH`: the validator itself failed, so the skill is not valid. */
  readonly verdict: Readonly<Record<Validator, string>>;
}

interface RawCase {
  readonly dir: string;
  readonly file: string;
  readonly text: string;
}

const toCase = (raw: RawCase, verdict: ValidatorCase['verdict']): ValidatorCase => ({
  input: { content: raw.text, fileName: raw.file, folder: raw.dir },
  text: raw.text,
  verdict,
});

const readJson = (path: URL): unknown => JSON.parse(readFileSync(path, 'utf8'));

const generated = (
  readJson(new URL('fixtures/validator-verdicts.json', import.meta.url)) as (RawCase & ValidatorCase['verdict'])[]
).map((raw) => toCase(raw, { PY: raw.PY, METIS: raw.METIS, QV: raw.QV }));

const isValid = ({ input }: ValidatorCase, profile: Profile): boolean => readSkill(input, profile).skill !== undefined;

const errorsOf = ({ input }: ValidatorCase, profile: Profile): string =>
  readSkill(input, profile)
    .diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
    .map((diagnostic) => diagnostic.message)
    .join('; ');

const DELIMITER_MISSING = 'missing YAML frontmatter (file must start with `---`)';
const DELIMITER_UNCLOSED = 'missing closing `---` for YAML frontmatter';

type Excuse = 'opening line' | 'closing line' | 'inside a value';

/**
 * Where D1 reads delimiters otherwise than a validator, told by the text alone. Both take any text that starts with `---`
 * for opened; METIS closes at any line that starts with `---`, PY cuts at the next `---` wherever it is.
 */
const excuse = (text: string, validator: Validator): Excuse | undefined => {
  const [opening = '', ...lines] = text.split(/\r\n?|\n/);
  if (opening.startsWith('---') && !/^--- *$/.test(opening)) return 'opening line';
  const closing = lines.findIndex((line) => line.startsWith('---'));
  const before = closing === -1 ? lines : lines.slice(0, closing);
  if (validator === 'PY' && before.some((line) => line.includes('---'))) {
    return before.some((line) => line.trim() === '---') ? 'closing line' : 'inside a value';
  }
  return closing === -1 || /^---[ \t]*$/.test(lines[closing] ?? '') ? undefined : 'closing line';
};

/** The cases on which profile and validator disagree: those without an excuse, and how many there are of each excuse. */
const disagreements = (
  cases: readonly ValidatorCase[],
  validator: Validator,
  agrees: (given: ValidatorCase) => boolean,
): { wrong: string[]; excused: Partial<Record<Excuse, number>> } => {
  const wrong: string[] = [];
  const excused: Partial<Record<Excuse, number>> = {};
  for (const given of cases) {
    if (agrees(given)) continue;
    const reason = excuse(given.text, validator);
    if (reason) excused[reason] = (excused[reason] ?? 0) + 1;
    else wrong.push(`${given.verdict[validator]} <- ${JSON.stringify(given.text)}`);
  }
  return { wrong, excused };
};

describe('recorded verdicts on generated inputs', () => {
  it('are many, of all kinds', () => {
    expect(generated.length).toBe(700);
    for (const validator of ['PY', 'METIS', 'QV'] as const) {
      const valid = generated.filter(({ verdict }) => verdict[validator] === 'OK').length;
      expect(valid, validator).toBeGreaterThan(generated.length / 20);
      expect(valid, validator).toBeLessThan(generated.length / 2);
    }
  });

  it('strict gives the verdict of the reference validator', () => {
    const agrees = (given: ValidatorCase): boolean => isValid(given, 'strict') === (given.verdict.PY === 'OK');
    const { wrong, excused } = disagreements(generated, 'PY', agrees);
    expect(wrong).toEqual([]);
    expect(excused).toEqual({ 'closing line': 4, 'inside a value': 2 });
  });

  it('metis gives the verdict of the skill format’s loader', () => {
    const agrees = (given: ValidatorCase): boolean => isValid(given, 'metis') === (given.verdict.METIS === 'OK');
    const { wrong, excused } = disagreements(generated, 'METIS', agrees);
    expect(wrong).toEqual([]);
    expect(excused).toEqual({ 'closing line': 4, 'opening line': 3 });
  });

  it('metis says what the skill format’s loader says', () => {
    // Of what a YAML parser says only the beginning is the loader's own; a crash says nothing.
    const spoken = generated.filter(({ verdict }) => verdict.METIS.startsWith('ERR '));
    const agrees = (given: ValidatorCase): boolean => {
      const theirs = given.verdict.METIS.slice(4);
      const ours = errorsOf(given, 'metis');
      return theirs.startsWith('yaml parse error') ? ours.startsWith('yaml parse error') : ours === theirs;
    };
    const { wrong, excused } = disagreements(spoken, 'METIS', agrees);
    expect(wrong).toEqual([]);
    // The inputs were made to have odd delimiters often. To all of these we say that, and nothing else.
    expect(excused).toEqual({ 'opening line': 35, 'closing line': 28 });
    for (const given of spoken.filter((each) => !agrees(each))) {
      expect([DELIMITER_MISSING, DELIMITER_UNCLOSED]).toContain(errorsOf(given, 'metis'));
    }
  });

  it('claude-upload is never more lenient than quick_validate', () => {
    const lenient = generated.filter((given) => isValid(given, 'claude-upload') && given.verdict.QV !== 'OK');
    expect(lenient.map(({ text }) => text)).toEqual([]);
  });
});

const SHARED = new URL('../../../../shared/reference/skill-validator-cases.json', import.meta.url);

// 35 edge cases with the verdicts of the three validators, recorded by running them. The file is not part of the repository; where it is absent,
// these tests are skipped.
describe.runIf(existsSync(SHARED))('the 35 recorded edge cases', () => {
  const cases = existsSync(SHARED)
    ? (readJson(SHARED) as (RawCase & { case: string; verdict: ValidatorCase['verdict'] })[]).map(
        (raw) => [raw.case, toCase(raw, raw.verdict)] as const,
      )
    : [];

  it('are 35', () => {
    expect(cases.length).toBe(35);
  });

  it.each(cases)('%s', (_, given) => {
    const { verdict, text } = given;
    const expected = {
      // D1 decides what it decides; where it is silent, the validators do.
      strict: excuse(text, 'PY') ?? verdict.PY === 'OK',
      metis: excuse(text, 'METIS') ?? verdict.METIS === 'OK',
      claudeUpload: verdict.QV === 'OK' && isValid(given, 'claude-upload'),
    };
    expect({
      strict: excuse(text, 'PY') ?? isValid(given, 'strict'),
      metis: excuse(text, 'METIS') ?? isValid(given, 'metis'),
      claudeUpload: isValid(given, 'claude-upload'),
    }).toEqual(expected);
  });

  const refused = cases.filter(
    ([, { verdict, text }]) => verdict.METIS !== 'OK' && excuse(text, 'METIS') === undefined,
  );

  it.each(refused)('%s: metis says what the loader says', (_, given) => {
    // Recorded messages are cut, and behind `yaml parse error` they are the parser's.
    const [theirs = ''] = /^yaml parse error|^.*/.exec(given.verdict.METIS.slice(4)) ?? [];
    expect(errorsOf(given, 'metis').slice(0, theirs.length)).toBe(theirs);
  });

  it('are excused by D1 in the cases that are about delimiters or cut values', () => {
    const excused = cases.filter(([, given]) => excuse(given.text, 'PY') ?? excuse(given.text, 'METIS'));
    expect(excused.map(([name]) => name)).toEqual(['dash-in-desc', 'close-indented', 'close-four']);
  });
});
