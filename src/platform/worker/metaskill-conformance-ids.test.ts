// Every case of the conformance list is a test that names it, or stands below with a reason.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { namedRules } from '../../../scripts/spec-rules.ts';

/** The cases of sections T to G, and those of A that the session decides. P, A01 and A02 belong to discovery and catalog. */
const CASES: Readonly<Record<string, string>> = {
  A: '03 04 05 06 08',
  T: '02 04 05 06 08 09 10 11 12 14 15 16 17 18 19',
  L: '01 03 04 05 06 08 11 12 13 14 15 16 17 18 19 20 21 22 24 27 28 30 32 33 34 35',
  K: '01 04 05 06 09 10 12 13 14 15',
  C: '01 02 03 05 06 07 09 10 13 14 15 16 17 18',
  R: '01 02 03 04 05 06 07 09',
  B: '03 04 05 06',
  N: '01 02 03 04 05 06 07 08 09 10 12 13 14 15',
  E: '01 04 07',
  X: '01 02 03 04 05 07',
  S: '01 02 05',
  G: '01 02 03 04 05 06 07 08 09',
};

/** Those that no test here names, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {};

/** Those whose tests here show the host's part; the rest belongs to someone else. */
const REST: Readonly<Record<string, string>> = {
  C03: 'that both streams are in the output: the sandbox',
  C09: 'that a binary is not found: the sandbox',
};

const FILES = [
  './metaskill-conformance-boundary.test.ts',
  './metaskill-conformance-language.test.ts',
  './metaskill-conformance-calls.test.ts',
  './metaskill-conformance-results.test.ts',
  './metaskill-conformance-golden.test.ts',
  '../../model/metaskill/host-boundary.test.ts',
  '../../model/metaskill/host-calls.test.ts',
  '../../model/metaskill/host-end.test.ts',
  '../../model/metaskill/envelope.test.ts',
  '../../model/metaskill/policy.test.ts',
  '../../model/session/metaskills.test.ts',
];

/** Cases have a letter and two digits; rules of a SPEC.md may be named beside them. */
const isCase = (id: string): boolean => /^[A-Z]\d\d$/.test(id);

const named = (file: string): string[] =>
  [...namedRules(file, readFileSync(new URL(file, import.meta.url), 'utf8')).all].filter(isCase);

it('every case of the list is named by a test, or has a reason', () => {
  const covered = new Set(FILES.flatMap(named));
  const all = Object.entries(CASES).flatMap(([section, numbers]) =>
    numbers.split(' ').map((number) => section + number),
  );
  expect(all).toHaveLength(117);
  expect(all.filter((id) => !covered.has(id) && !(id in ELSEWHERE))).toEqual([]);
  // A reason that is no longer true has to go.
  expect(Object.keys(ELSEWHERE).filter((id) => covered.has(id) || !all.includes(id))).toEqual([]);
  expect(Object.keys(REST).filter((id) => !covered.has(id))).toEqual([]);
  // A test that names no case of the list is a slip of the pen; P belongs to discovery.
  expect([...covered].filter((id) => !all.includes(id) && !id.startsWith('P') && !id.startsWith('D'))).toEqual([]);
});
