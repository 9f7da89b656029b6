/** Words as a reader takes them: `reviewing`, `reviewed` and `reviews` are one, and some words are none. */

const STOP_WORDS = new Set(
  (
    'a about after again all also am an and any anything are around as at back be because been before being between both but by ' +
    'can cannot could did do does doing done down each either else etc even every everything few for from further get gets give ' +
    'gives given go goes going good got had has have having he help her here him his how i if in into is it its just keep kind know ' +
    'last left let like look lot made make makes many may me might more most much must my need needs new next no nor not nothing now ' +
    'of off on once one only onto or other our out over own per please put quite rather really right same say says see she should ' +
    'since so some something soon still such sure take takes tell than thank thanks that the their them then there these they thing ' +
    'things this those three through to today together tomorrow too two up upon us use used uses using very via want wants was way we ' +
    'well went were what when where whether which while who whom whose why will with within without won work would yes yet you your ' +
    'example instance simple simply proper properly nice great ok okay hi hello hey bit little quick quickly until happen happens happened happening'
  ).split(' '),
);

const VOWEL = /[aeiouy]/;

const undouble = (word: string): string => (/([bdgklmnprt])\1$/.test(word) ? word.slice(0, -1) : word);

/** A stem that two forms of a word share; not a word that anyone writes. */
const stem = (word: string): string => {
  let root = word;
  if (root.length > 4 && root.endsWith('ies')) root = `${root.slice(0, -3)}y`;
  else if (root.length > 4 && /(?:ss|x|z|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (root.length > 3 && /[^sui]s$/.test(root)) root = root.slice(0, -1);
  const ending = /(?:ing|ed)$/.exec(root)?.[0];
  if (ending !== undefined) {
    const rest = root.slice(0, -ending.length);
    if (rest.length >= 3 && VOWEL.test(rest)) root = undouble(rest);
  }
  if (root.length > 5 && /[ts]ion$/.test(root)) root = root.slice(0, -3);
  if (root.length > 5 && root.endsWith('ly')) root = root.slice(0, -2);
  if (root.length > 3 && root.endsWith('y')) root = `${root.slice(0, -1)}i`;
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
};

export interface Word {
  /** As it was written, in lower case. */
  readonly text: string;
  readonly stem: string;
}

/** Written as two words, and one all the same. */
const PAIRS = /\b(roll|clean|hand|post)(?:s|ed|ing)?[ -](out|back|up|over|mortem)\b/g;

/** Phrases of small words that mean one large one. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:went|was|were|is|are|been|goes|go|going) (?:all |completely )?(?:down|offline)\b/g, ' outage incident '],
  [/\broll(?:s|ed|ing)?[ -]?out\b/g, ' rollout release '],
  [/\bwhat(?:['’]s| is| was|s) new (?:in|for|since|with) (?=(?:version |release |v)?\d)/g, ' changelog '],
  [/\b(?:get|post|put|patch|delete) \/(?=[\w{:])/g, ' api endpoint '],
  [/\bbreaking changes?\b/g, ' compatibility change '],
];

/** The words that carry meaning, in order. */
export const wordsOf = (text: string): readonly Word[] =>
  [
    ...PHRASES.reduce((words, [phrase, word]) => words.replace(phrase, word), text.toLowerCase())
      .replace(PAIRS, '$1$2')
      .matchAll(/[\p{L}\p{N}]+/gu),
  ]
    .map(([word]) => word)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map((word) => ({ text: word, stem: stem(word) }));

/** Words that stand for one another when people talk about software; the first one names the group. */
const GROUPS = [
  'incident outage postmortem downtime breakdown crash crashed',
  'failing fail failed red broken breaks failure',
  'query sql select join table',
  'endpoint api rest route http openapi swagger',
  'commit committed committing commits',
  'changelog history news',
  'release ship shipping deploy deployment rollout launch publish',
  'rollback revert reverting undo',
  'review check inspect audit critique feedback',
  'bug defect mistake fault',
  'diff patch changes',
  'checklist todo runbook steps',
  'summarise summarize summary recap overview catch digest',
  'repository repo project codebase',
  'heading section title header',
  'draft write compose author',
  'csv spreadsheet export excel semicolon semicolons',
  'messy dirty untidy inconsistent garbled',
  'clean tidy cleanup normalise normalize sanitise sanitize',
  'test tests spec unittest suite pytest',
  'name naming rename renaming title call called',
  'polish refine smooth',
  'budget limit quota',
  'staged uncommitted pending',
  'recent recently lately latest',
  'starting start begin beginning first',
  'day morning monday',
  'returning return holiday vacation away',
  'procedure process handbook guide playbook',
  'version tag',
  'shape schema payload field',
  'migrate migration move moving',
  'pass green succeed',
];

const GROUP_OF: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.flatMap((group, index) => {
    const stems = group.split(' ').map(stem);
    return stems.map((one): [string, string] => [one, String(index)]);
  }).reduce((map, [one, group]) => map.set(one, [...(map.get(one) ?? []), group]), new Map<string, string[]>()),
);

/** The groups of words that mean about the same as this stem. */
export const groupsOf = (one: string): readonly string[] => GROUP_OF.get(one) ?? [];
