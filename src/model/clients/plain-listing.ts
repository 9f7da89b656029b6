/** Listings of clients without a budget: anyone who can be read is listed whole. */
import type { ClientId, ClientOptions, FoundSkill, Listing, ListingEntry } from './types.ts';

export type ReadSkill =
  | { readonly found: FoundSkill; readonly name: string; readonly text: string; readonly hidden?: undefined }
  | { readonly found: FoundSkill; readonly name: string; readonly hidden: string };

export type ListedSkill = Extract<ReadSkill, { readonly text: string }>;

export const hide = (found: FoundSkill, hidden: string, name = found.folder): ReadSkill => ({ found, name, hidden });

export const entryOf = (
  { found, name }: ReadSkill,
  rest: Pick<ListingEntry, 'state' | 'line' | 'shown' | 'whole' | 'reason' | 'cost' | 'least'>,
): ListingEntry => ({ name, path: found.path, scope: found.scope, root: found.root, kind: found.kind, ...rest });

export const hiddenEntry = (skill: ReadSkill, reason: string): ListingEntry =>
  entryOf(skill, { state: 'hidden', line: '', shown: '', whole: '', reason, cost: 0, least: 0 });

/** Which of several skills with one name is listed; the position is the first one's. */
export const oneOfEachName = (
  skills: readonly ReadSkill[],
  wins: 'first' | 'last',
): { readonly listed: readonly ListedSkill[]; readonly hidden: readonly ListingEntry[] } => {
  const chosen = new Map<string, ListedSkill>();
  const hidden: ListingEntry[] = [];
  for (const skill of skills) {
    if (skill.hidden !== undefined) {
      hidden.push(hiddenEntry(skill, skill.hidden));
      continue;
    }
    const other = chosen.get(skill.name);
    if (!other || wins === 'last') chosen.set(skill.name, skill);
    const loser = wins === 'last' ? other : other && skill;
    const winner = wins === 'last' ? skill : other;
    if (loser && winner) hidden.push(hiddenEntry(loser, `${winner.found.path} has the same name and wins.`));
  }
  return { listed: [...chosen.values()], hidden };
};

/** The path that a client shows; without the top of the tree, the path inside it. */
const placeOf = ({ scope, path }: FoundSkill, { projectPath, userPath }: ClientOptions): string => {
  const top = scope === 'user' ? (userPath ?? '~') : projectPath;
  return top === undefined ? `${path}/SKILL.md` : `${top}/${path}/SKILL.md`;
};

interface PlainListing {
  readonly client: ClientId;
  readonly label: string;
  readonly version: string | undefined;
  readonly exact: boolean;
  readonly listed: readonly ListedSkill[];
  readonly hidden: readonly ListingEntry[];
  readonly lineOf: (skill: ListedSkill) => string;
  readonly textOf: (lines: readonly string[]) => string;
  /** Whether there is a budget is known, and none exists. */
  readonly isUnlimited: boolean;
  readonly notes: readonly string[];
  readonly model?: string | undefined;
}

export const plainListing = (plain: PlainListing): Listing => {
  const { client, label, version, exact, listed, hidden, notes, model } = plain;
  const lines = listed.map(plain.lineOf);
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  const budget = {
    unit: 'characters' as const,
    limit: undefined,
    own: 0,
    spare: 0,
    wanted: characters,
    used: characters,
    perEntry: undefined,
    from: 'No budget.',
  };
  return {
    client,
    label,
    version,
    model,
    text: lines.length === 0 ? '' : plain.textOf(lines),
    exact,
    entries: [
      ...listed.map((skill, index) => {
        const line = lines[index] ?? '';
        return entryOf(skill, {
          state: 'kept',
          line,
          shown: skill.text,
          whole: skill.text,
          reason: '',
          cost: line.length,
          least: line.length,
        });
      }),
      ...hidden,
    ],
    unread: [],
    budget: plain.isUnlimited ? budget : undefined,
    notes,
  };
};

/** With name, description, and place, as clients write it whose model reads the body from the file. */
export const locatedEntry = (
  { name, text, found }: ListedSkill,
  options: ClientOptions,
  escape = (path: string): string => path,
): string =>
  [
    '  <skill>',
    `    <name>${name}</name>`,
    `    <description>${text}</description>`,
    `    <location>${escape(placeOf(found, options))}</location>`,
    '  </skill>',
  ].join('\n');

export const xmlList = (lines: readonly string[]): string =>
  ['<available_skills>', ...lines, '</available_skills>'].join('\n');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
