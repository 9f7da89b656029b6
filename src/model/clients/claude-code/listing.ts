/** What Claude Code puts before its model: entries within a budget of columns, in the order of its roots. */
import { lazy } from '../../../base/lazy.ts';
import { groupDigits } from '../../../base/text.ts';
import { columnsOf } from '../columns.ts';
import { trimmed } from '../trim.ts';
import type { ClientOptions, FoundSkill, Listing, ListingEntry } from '../types.ts';
import { SLASH_COMMANDS } from './commands.ts';
import { readClaudeSkill, type ClaudeSkill } from './read.ts';
import type { Generation } from './yaml.ts';
import {
  DEFAULT_MODEL,
  generationOf,
  limitsOf,
  overrideOf,
  ownEntries,
  switchedOff,
  usageScore,
  VERSIONS,
  type OwnEntry,
} from './limits.ts';

const HEAD = 'The following skills are available for use with the Skill tool:';

interface Candidate {
  readonly skill: ClaudeSkill;
  readonly shownName: string;
  /** The text within the limit of one entry; absent for one that is listed by name alone. */
  readonly text: string | undefined;
  readonly whole: string;
  readonly wasLong: boolean;
}

const byLocale = lazy(() => new Intl.Collator('en-US'));

/** Of a plugin's commands, the files of a folder come before the folders in it. */
const byFolder = ({ found: a }: ClaudeSkill, { found: b }: ClaudeSkill): number => {
  if (a.kind !== 'command' || a.plugin === undefined) return 0;
  const [left, right] = [a.folder.split(':'), b.folder.split(':')];
  const at = left.findIndex((name, index) => name !== right[index]);
  return Number(left.length > at + 1) - Number(right.length > at + 1);
};

/** Roots in their order, commands of all roots together, and plugins' commands before plugins' skills; names as a dictionary has them. */
const inOrder = (skills: readonly ClaudeSkill[]): readonly ClaudeSkill[] => {
  const roots: { readonly key: string; readonly skills: ClaudeSkill[] }[] = [];
  const isLast = ({ found: { plugin, kind } }: ClaudeSkill): boolean => plugin !== undefined && kind === 'skill';
  for (const skill of skills.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
    const { scope, root, kind, plugin = '' } = skill.found;
    const key = kind === 'command' && plugin === '' ? kind : `${scope} ${plugin} ${kind} ${root}`;
    const group = roots.find((one) => one.key === key);
    if (group) group.skills.push(skill);
    else roots.push({ key, skills: [skill] });
  }
  return roots.flatMap(({ skills: group }) =>
    group.toSorted((a, b) => byFolder(a, b) || byLocale().compare(a.name, b.name)),
  );
};

/** Half a surrogate pair cannot be sent. */
const cutAt = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '\uFFFD');

const DISPLAYABLE = /^[\p{L}\p{M}\p{N}_:.-]+$/u;

/** The frontmatter's name stands beside the folder's where it leads to the same skill. */
const shownNameOf = (
  { name, display }: ClaudeSkill,
  loaded: readonly ClaudeSkill[],
  own: readonly OwnEntry[],
  generation: Generation,
): string => {
  if (generation === 'old' || display === '' || display === name || !DISPLAYABLE.test(display)) return name;
  const leadsTo = loaded.find((other) => other.name === display) ?? loaded.find((other) => other.display === display);
  const isOwn = SLASH_COMMANDS.has(display) || own.some((entry) => entry.name === display);
  return leadsTo?.name === name && !isOwn ? `${name} (${display})` : name;
};

const lineOf = ({ shownName, text }: Candidate): string =>
  text === undefined ? `- ${shownName}` : `- ${shownName}: ${text}`;

const hiddenEntry = ({ found, name }: ClaudeSkill, reason: string): ListingEntry => ({
  name,
  path: found.path,
  scope: found.scope,
  root: found.root,
  kind: found.kind,
  state: 'hidden',
  line: '',
  shown: '',
  whole: '',
  reason,
  cost: 0,
  least: 0,
});

/** Who is listed, and why the others are not. What is not listed leaves its name to others. */
const choose = (
  skills: readonly ClaudeSkill[],
  options: ClientOptions,
  generation: Generation,
): { readonly listed: readonly ClaudeSkill[]; readonly hidden: readonly ListingEntry[] } => {
  const listed: ClaudeSkill[] = [];
  const hidden: ListingEntry[] = [];
  const taken = new Map<string, ClaudeSkill>();
  const reasonOf = ({ name, hidden: own }: ClaudeSkill): string | undefined => {
    if (own !== undefined) return own;
    const override = overrideOf(options, name);
    if (override === 'off' || override === 'user-invocable-only') return `\`skillOverrides\` says ${override}.`;
    const first = generation === 'new' ? taken.get(name) : undefined;
    return first && `${first.found.path} has the same name and comes first.`;
  };
  for (const skill of skills) {
    const reason = reasonOf(skill);
    if (reason !== undefined) hidden.push(hiddenEntry(skill, reason));
    else {
      listed.push(skill);
      taken.set(skill.name, skill);
    }
  }
  return { listed, hidden };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const listClaudeCode = (found: readonly FoundSkill[], options: ClientOptions): Listing => {
  const version = options.version ?? VERSIONS[0];
  const generation = generationOf(version);
  const model = options.model ?? DEFAULT_MODEL;
  const skills = inOrder(found.map((one) => readClaudeSkill(one, generation)));
  const { listed, hidden } = choose(skills, options, generation);
  const limits = limitsOf(options, generation);
  const loaded = skills.filter(({ isLoaded }) => isLoaded);
  // A skill of the same name takes the place of an own entry; the old version keeps those that are built in.
  const names = new Set(skills.map(({ name }) => name));
  const own = ownEntries(options, version)
    .filter(({ name, fixed }) => !(names.has(name) && (generation === 'new' || fixed)))
    .filter(({ name }) => !['off', 'user-invocable-only'].includes(overrideOf(options, name)))
    .map(({ name, columns, fixed }): OwnEntry => ({
      name,
      columns: overrideOf(options, name) === 'name-only' ? `- ${name}`.length : columns,
      fixed,
    }));
  const candidates = listed.map((skill): Candidate => {
    const nameOnly = overrideOf(options, skill.name) === 'name-only';
    const text = trimmed(skill.text, { path: skill.found.path, name: skill.name }, options);
    const wasLong = text.length > limits.perEntry;
    return {
      skill,
      shownName: nameOnly ? skill.name : shownNameOf(skill, loaded, own, generation),
      text: nameOnly ? undefined : wasLong ? `${cutAt(text, limits.perEntry - 1)}…` : text,
      whole: text,
      wasLong,
    };
  });
  const costs = candidates.map((one) => columnsOf(lineOf(one)));
  const least = candidates.map((one) => columnsOf(`- ${one.shownName}`));
  const count = candidates.length + own.length;
  const ownColumns = sum(own.map(({ columns }) => columns));
  const loose = own.filter((entry) => !entry.fixed);
  const looseNames = sum(loose.map(({ name }) => columnsOf(`- ${name}`)));
  // What was used comes before what was not, and may keep its text.
  const unused = loose.filter(({ name }) => usageScore(options, name) === 0);
  const spare = sum(unused.map(({ name, columns }) => columns - columnsOf(`- ${name}`)));
  const wanted = sum(costs) + ownColumns + Math.max(0, count - 1);
  const fits = wanted <= limits.columns;
  const kept = new Set<number>();
  let used = wanted;
  if (!fits) {
    // The names of all, and its own entries whole; what is left goes to the strings, most used first.
    const ownFixed = sum(own.filter((entry) => entry.fixed).map(({ columns }) => columns));
    used = sum(least) + ownFixed + looseNames + Math.max(0, count - 1);
    let rest = limits.columns - used;
    const spend = (more: number): boolean => {
      if (more > rest) return false;
      rest -= more;
      used += more;
      return true;
    };
    const ranked = (index: number, name: string, more: number) => ({ index, more, score: usageScore(options, name) });
    const texts = candidates.flatMap(({ skill, text }, index) =>
      text === undefined ? [] : [ranked(index, skill.name, (costs[index] ?? 0) - (least[index] ?? 0))],
    );
    const ownTexts = loose.map(({ name, columns }) => ranked(-1, name, columns - columnsOf(`- ${name}`)));
    const byUse = [...texts, ...ownTexts].toSorted((a, b) => b.score - a.score);
    for (const { index, more } of byUse) if (spend(more)) kept.add(index);
  }
  const entries = candidates.map((one, index): ListingEntry => {
    const { found: place, name } = one.skill;
    const isWhole = fits || kept.has(index) || one.text === undefined;
    const state = one.text === undefined || !isWhole ? 'name-only' : one.wasLong ? 'cut' : 'kept';
    return {
      name,
      path: place.path,
      scope: place.scope,
      root: place.root,
      kind: place.kind,
      state,
      line: isWhole ? lineOf(one) : `- ${one.shownName}`,
      shown: isWhole ? (one.text ?? '') : '',
      whole: one.text === undefined ? '' : one.whole,
      reason:
        one.text === undefined
          ? '`skillOverrides` says name-only.'
          : !isWhole
            ? 'The budget has no room for its description.'
            : one.wasLong
              ? `Its text is longer than ${limits.perEntry} characters.`
              : '',
      cost: costs[index] ?? 0,
      least: least[index] ?? 0,
    };
  });
  const off = switchedOff(options);
  const notes = [
    ...(off === undefined ? [] : [off]),
    ...(own.length > 0
      ? [
          `Claude Code’s own ${own.length} entries follow (${groupDigits(ownColumns)} columns); their text isn’t shown here.`,
        ]
      : []),
    ...(options.usage || fits
      ? []
      : [
          'Lathe doesn’t know how often you used each skill, so it assumes equal use. Open `.claude.json` to rank by use.',
        ]),
  ];
  return {
    client: 'claude-code',
    label: 'Claude Code',
    version,
    model,
    text: off !== undefined || entries.length === 0 ? '' : [HEAD, '', ...entries.map(({ line }) => line)].join('\n'),
    exact: true,
    entries: [...(off === undefined ? entries : listed.map((skill) => hiddenEntry(skill, off))), ...hidden],
    unread: [],
    budget: {
      unit: 'columns',
      limit: limits.columns,
      own: ownColumns,
      spare,
      wanted,
      used,
      perEntry: limits.perEntry,
      from: limits.from,
    },
    notes,
  };
};
