/** What Codex puts before its model: under pressure every skill keeps the start of its text. */
import { joinPath } from '../../../base/paths.ts';
import { codePointLength, compareCodePoints, groupDigits, takeCodePoints } from '../../../base/text.ts';
import { utf8Length } from '../../../base/utf8.ts';
import { isRecord } from '../frontmatter.ts';
import type { ClientOptions, FoundSkill, Listing, ListingEntry } from '../types.ts';
import { hiddenEntry, type ListedSkill as Listed, type ReadSkill } from '../plain-listing.ts';
import { trimmed } from '../trim.ts';
import { readCodexSkill } from './read.ts';

export const VERSIONS = ['0.169.0'] as const;
const DEFAULT_MODEL = 'gpt-5.2';
const DEFAULT_WINDOW = 272_000;
const SHARE = 0.02;
const MOST_TOKENS = 10_000;
/** Code points of one description. */
const MOST_TEXT = 1024;

/** Codex writes its own skills there when it starts. */
const SYSTEM_ROOT = '.codex/skills/.system';

/** Their names and the lengths of their strings: what counts where nobody has looked into the folder. */
const OWN: readonly (readonly [name: string, length: number])[] = [
  ['imagegen', 570],
  ['openai-docs', 624],
  ['skill-creator', 106],
  ['skill-installer', 225],
];

const stand = ([name, length]: (typeof OWN)[number]): Listed => ({
  found: {
    path: `${SYSTEM_ROOT}/${name}`,
    real: '',
    scope: 'user',
    root: SYSTEM_ROOT,
    level: '',
    folder: name,
    kind: 'skill',
    text: '',
  },
  name,
  text: 'x'.repeat(length),
});

const bytesOf = (text: string): number => utf8Length(text, 0, text.length);

const costOf = (line: string): number => Math.ceil((bytesOf(line) + 1) / 4);

/** System, project, user; inside by name and path. */
const rankOf = ({ found }: ReadSkill): number =>
  found.root === SYSTEM_ROOT ? 0 : found.scope === 'project' ? 2 : found.scope === 'user' ? 3 : 4;

const inOrder = (skills: readonly ReadSkill[]): readonly ReadSkill[] =>
  skills.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) || compareCodePoints(a.name, b.name) || compareCodePoints(a.found.path, b.found.path),
  );

interface Line {
  readonly skill: Listed;
  /** The description within the limit of one entry. */
  readonly text: string;
  /** Without a string. */
  readonly start: string;
  readonly end: string;
}

const whole = ({ start, end, text }: Line): string => `${start} ${text} ${end}`;
const bare = ({ start, end }: Line): string => `${start} ${end}`;

const windowOf = ({ contextWindow, settings = {} }: ClientOptions): number => {
  const set = settings['model_context_window'];
  if (contextWindow !== undefined) return contextWindow;
  return typeof set === 'number' && set > 0 && set < DEFAULT_WINDOW ? set : DEFAULT_WINDOW;
};

const limitOf = (options: ClientOptions): { readonly tokens: number; readonly from: string } => {
  const skills = options.settings?.['skills'];
  const set = isRecord(skills) ? skills['max_context_tokens'] : undefined;
  if (typeof set === 'number' && set >= 0)
    return { tokens: Math.min(Math.floor(set), MOST_TOKENS), from: '`skills.max_context_tokens` sets it.' };
  const window = windowOf(options);
  return { tokens: Math.floor(window * SHARE), from: `${SHARE * 100}% of ${groupDigits(window)} tokens.` };
};

/** Which skills a `[[skills.config]]` switches off. */
const isDisabled = ({ found, name }: ReadSkill, { settings = {}, projectPath, userPath }: ClientOptions): boolean => {
  const skills = settings['skills'];
  const entries = isRecord(skills) && Array.isArray(skills['config']) ? skills['config'] : [];
  const top = found.scope === 'user' ? userPath : projectPath;
  return entries.some((entry) => {
    if (!isRecord(entry) || entry['enabled'] !== false) return false;
    const path = entry['path'];
    return (
      entry['name'] === name ||
      (typeof path === 'string' && top !== undefined && isSamePath(path, joinPath(top, found.path)))
    );
  });
};

const isSamePath = (given: string, folder: string): boolean => given.replace(/\/(?:SKILL\.md)?$/, '') === folder;

/** Gives each line one more character in turn, until no line's next one fits. */
const share = (lines: readonly Line[], rest: number): readonly string[] => {
  const points = lines.map(({ text }) => Array.from(text));
  const prefix = lines.map(() => ({ count: 0, bytes: 0, paid: 0, least: 0, bareBytes: 0 }));
  lines.forEach((line, index) => {
    const at = prefix[index];
    if (!at) return;
    at.bareBytes = bytesOf(bare(line));
    at.least = costOf(bare(line));
  });
  let left = rest;
  let isChanged = true;
  while (isChanged && left >= 0) {
    isChanged = false;
    for (let index = 0; index < lines.length; index++) {
      const at = prefix[index];
      const next = at && points[index]?.[at.count];
      if (!at || next === undefined) continue;
      const bytes = at.bytes + bytesOf(next);
      const more = Math.ceil((at.bareBytes + 1 + bytes + 1) / 4) - at.least - at.paid;
      if (more > left) continue;
      left -= more;
      at.paid += more;
      at.bytes = bytes;
      at.count++;
      isChanged = true;
    }
  }
  return prefix.map(({ count }, index) => (points[index] ?? []).slice(0, count).join(''));
};

/** Codex names a root by where it lies, not by a link that leads to it. */
const rootOf = ({ scope, root, realRoot = root }: FoundSkill, { projectPath, userPath }: ClientOptions): string =>
  joinPath((scope === 'user' ? userPath : projectPath) ?? (scope === 'user' ? '~' : '.'), realRoot);

/** Of the roots that hold a listed skill, in the order in which Codex numbers them. */
const aliasesOf = (roots: readonly string[]): ReadonlyMap<string, string> =>
  new Map([...new Set(roots)].map((root, index) => [root, `r${index}`]));

const ALIAS_ORDER = ['project .codex', 'user .codex', 'user .agents', 'user system', 'project .agents'];

const aliasRank = ({ scope, root }: FoundSkill): number => {
  if (root === SYSTEM_ROOT) return ALIAS_ORDER.indexOf('user system');
  return ALIAS_ORDER.indexOf(`${scope} ${root.includes('.codex/') ? '.codex' : '.agents'}`);
};

/** `.codex/skills` count from the working folder up, `.agents/skills` from the top down. */
const fromTop = (a: FoundSkill, b: FoundSkill): number =>
  a.root.includes('.codex/') ? b.root.length - a.root.length : a.root.length - b.root.length;

const OFF = '`skills.include_instructions` is false, so Codex lists no skills.';

export const listCodex = (found: readonly FoundSkill[], options: ClientOptions): Listing => {
  const bundled = isRecord(options.settings?.['skills']) ? options.settings['skills']['bundled'] : undefined;
  const isBare = isRecord(bundled) && bundled['enabled'] === false;
  const isSystem = ({ root }: FoundSkill): boolean => root === SYSTEM_ROOT;
  const own = isBare || found.some(isSystem) ? [] : OWN.map(stand);
  const isOwn = ({ found: { real } }: Listed): boolean => real === '';
  const read = found.filter((one) => !(isBare && isSystem(one))).map(readCodexSkill);
  const hidden: { readonly skill: ReadSkill; readonly reason: string }[] = [];
  const listed: Listed[] = [];
  for (const skill of inOrder([...own, ...read])) {
    const reason = skill.hidden ?? (isDisabled(skill, options) ? '`skills.config` disables it.' : undefined);
    if (reason === undefined && skill.hidden === undefined)
      listed.push({ ...skill, text: trimmed(skill.text, { path: skill.found.path, name: skill.name }, options) });
    else hidden.push({ skill, reason: reason ?? '' });
  }
  const roots = listed
    .map((skill) => skill.found)
    .toSorted((a, b) => aliasRank(a) - aliasRank(b) || fromTop(a, b))
    .map((one) => rootOf(one, options));
  const aliases = aliasesOf(roots);
  const lines = listed.map((skill): Line => {
    const inside = skill.found.path.slice(skill.found.root.length + 1);
    const file = joinPath(aliases.get(rootOf(skill.found, options)) ?? '', joinPath(inside, 'SKILL.md'));
    const isLong = codePointLength(skill.text) > MOST_TEXT;
    const text = isLong ? `${takeCodePoints(skill.text, MOST_TEXT - 3)}...` : skill.text;
    return { skill, text, start: `- ${skill.name}:`, end: `(file: ${file.replaceAll('\\', '/')})` };
  });
  const limit = limitOf(options);
  const full = lines.map((line) => costOf(whole(line)));
  const least = lines.map((line) => costOf(bare(line)));
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const ownFull = total(lines.map((line, index) => (isOwn(line.skill) ? (full[index] ?? 0) : 0)));
  const wanted = total(full);
  const needed = total(least);
  const fits = wanted <= limit.tokens;
  const texts = fits
    ? lines.map(({ text }) => text)
    : needed <= limit.tokens
      ? share(lines, limit.tokens - needed)
      : undefined;
  let isFull = false;
  let used = 0;
  const entries = lines.map((line, index): ListingEntry => {
    const { found: place, name, text } = line.skill;
    const kept = texts?.[index] ?? '';
    const inFull = kept === '' ? bare(line) : `${line.start} ${kept} ${line.end}`;
    const cost = costOf(inFull);
    if (!texts && used + cost > limit.tokens) isFull = true;
    if (!isFull) used += cost;
    const state = isFull ? 'dropped' : kept === '' ? 'name-only' : kept !== text ? 'cut' : 'kept';
    return {
      name,
      path: place.path,
      scope: place.scope,
      root: place.root,
      kind: place.kind,
      state,
      line: isFull ? '' : inFull,
      shown: isFull ? '' : kept,
      whole: text,
      reason:
        state === 'dropped'
          ? 'The budget has no room for its name.'
          : state === 'kept'
            ? ''
            : kept === line.text
              ? `Its description is longer than ${groupDigits(MOST_TEXT)} characters.`
              : `The budget leaves it ${codePointLength(kept)} of ${codePointLength(text)} characters.`,
      cost: full[index] ?? 0,
      least: least[index] ?? 0,
    };
  });
  const mine = entries.filter((_, index) => lines[index] && !isOwn(lines[index].skill));
  const shown = mine.filter(({ line }) => line !== '');
  const table = [...aliases].map(([root, alias]) => `- \`${alias}\` = \`${root}\``);
  const isOff = isRecord(options.settings?.['skills']) && options.settings['skills']['include_instructions'] === false;
  const text =
    shown.length === 0 || isOff
      ? ''
      : ['### Skill roots', ...table, '### Available skills', ...shown.map(({ line }) => line)].join('\n');
  return {
    client: 'codex',
    label: 'Codex',
    version: options.version ?? VERSIONS[0],
    model: options.model ?? DEFAULT_MODEL,
    text,
    exact: true,
    entries: [
      ...(isOff ? listed.filter((skill) => !isOwn(skill)).map((skill) => hiddenEntry(skill, OFF)) : mine),
      ...hidden.map(({ skill, reason }) => hiddenEntry(skill, reason)),
    ],
    unread: [],
    budget: {
      unit: 'tokens',
      limit: limit.tokens,
      own: ownFull,
      spare: 0,
      wanted,
      used,
      perEntry: MOST_TEXT,
      from: limit.from,
    },
    notes:
      own.length === 0
        ? []
        : [`Codex’s own ${own.length} skills come first (${ownFull} tokens); their text isn’t shown here.`],
  };
};
