/** What a client of skills finds in a folder and puts before its model. Words of this folder; `SPEC.md` has the rules. */
import type { FileTree } from '../files/file-tree.ts';

export const CLIENT_IDS = [
  'claude-code',
  'codex',
  'gemini',
  'copilot',
  'cursor',
  'opencode',
  'windsurf',
  'kiro',
  'goose',
  'metis',
] as const;
export type ClientId = (typeof CLIENT_IDS)[number];

/** As their makers write them. */
export const CLIENT_LABELS: Readonly<Record<ClientId, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  copilot: 'GitHub Copilot',
  cursor: 'Cursor',
  opencode: 'opencode',
  windsurf: 'Windsurf',
  kiro: 'Kiro',
  goose: 'Goose',
  metis: 'Metis',
};

/** How a rule is known. */
export type Source =
  | { readonly kind: 'measured'; readonly version: string }
  | { readonly kind: 'code'; readonly commit: string }
  | { readonly kind: 'documentation'; readonly url: string }
  | { readonly kind: 'unknown' };

export const measured = (version: string): Source => ({ kind: 'measured', version });
export const fromCode = (commit: string): Source => ({ kind: 'code', commit });
export const documented = (url: string): Source => ({ kind: 'documentation', url });
export const UNKNOWN: Source = { kind: 'unknown' };

/** One sentence about a client. */
export interface Fact {
  readonly topic: 'roots' | 'fields' | 'precedence' | 'text' | 'budget' | 'order' | 'body' | 'compaction';
  readonly text: string;
  readonly source: Source;
}

export type Scope = 'user' | 'project' | 'plugin';

/** Where a client looks for skills. */
export interface RootRule {
  readonly scope: 'user' | 'project';
  /** Below the working folder, or the home folder. */
  readonly path: string;
  /** The working folder alone, or every folder from it up to the top of the project, nearest first or top first. */
  readonly levels?: 'here' | 'up' | 'down';
  /** Folders below the root that are searched; 1: those directly in it. */
  readonly depth: number;
  /** A SKILL.md in the root itself is a skill too. */
  readonly ownSkill?: true;
  /** Folders below a skill are searched as well. */
  readonly belowSkills?: true;
  readonly dotFolders?: true;
  readonly nodeModules?: true;
  /** A SKILL.md that is a link is not a skill. */
  readonly noLinkedFile?: true;
  /** In a folder, the last name comes first. */
  readonly fromLast?: true;
  /** Every Markdown file is a command. */
  readonly commands?: true;
  readonly anyCase?: true;
  /** Only with a setting that is off at first. */
  readonly optional?: string;
  readonly source: Source;
}

/** A SKILL.md, or a command, that a client found. */
export interface FoundSkill {
  /** Its folder (of a command: its file), inside its tree. */
  readonly path: string;
  /** The file's path without links: the same file is the same skill. */
  readonly real: string;
  readonly scope: Scope;
  /** The root's folder inside its tree. */
  readonly root: string;
  /** Where the root lies, if a link leads to it. */
  readonly realRoot?: string;
  /** The folder that the root belongs to: the empty path is the top. */
  readonly level: string;
  /** The folder's name; of a command its name with `:` for each folder. */
  readonly folder: string;
  readonly kind: 'skill' | 'command';
  /** The file as it is, a byte order mark included. */
  readonly text: string;
  /** Its bytes are not UTF-8; `text` holds a sign in place of each that cannot be read. */
  readonly isBroken?: true;
  /** Of a plugin. */
  readonly plugin?: string;
  /** Files beside it that a client reads: `agents/openai.yaml`. */
  readonly beside?: string;
}

/** Something that looks like a skill and could not be read. */
export interface Unread {
  readonly path: string;
  readonly scope: Scope;
  readonly reason: string;
}

export interface FoundSkills {
  /** In the client's order. */
  readonly skills: readonly FoundSkill[];
  readonly unread: readonly Unread[];
}

export interface ClientTrees {
  readonly project: FileTree;
  /** Where the client is started; the empty path is the top. */
  readonly workingFolder?: string;
  /** The user's home folder. Absent: nobody looked there. */
  readonly user?: FileTree;
  readonly plugins?: readonly { readonly name: string; readonly tree: FileTree }[];
  /** Absolute paths, for clients that show them. */
  readonly projectPath?: string;
  readonly userPath?: string;
}

/** How often a skill was used, as Claude Code keeps it in `.claude.json`. */
export type Usage = ReadonlyMap<string, { readonly count: number; readonly lastUsedAt: number }>;

export interface ClientOptions {
  readonly version?: string;
  readonly model?: string;
  /** Tokens; absent: the model's. */
  readonly contextWindow?: number;
  /** As in the client's settings file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** As in its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly usage?: Usage;
  /** Milliseconds since 1970; needed with `usage`. */
  readonly now?: number;
  /** Absolute path of a tree's top, for clients that show paths. */
  readonly projectPath?: string;
  readonly userPath?: string;
  readonly workingFolder?: string;
  /** What if: so many characters less of the text of the skill of this name. */
  readonly trims?: ReadonlyMap<string, number>;
}

/**
 * `kept`: its text is whole. `cut`: shortened. `name-only`: the name without its text. `dropped`: the budget left nothing of it.
 * `hidden`: never listed, whatever the budget.
 */
export const ENTRY_STATES = ['kept', 'cut', 'name-only', 'dropped', 'hidden'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

export interface ListingEntry {
  /** As the model reads it. */
  readonly name: string;
  readonly path: string;
  readonly scope: Scope;
  readonly root: string;
  readonly kind: FoundSkill['kind'];
  readonly state: EntryState;
  /** Its lines in the listing; empty if it is not listed. */
  readonly line: string;
  /** The text after the name, as the model gets it. */
  readonly shown: string;
  /** The text that the client would show with room for all. */
  readonly whole: string;
  /** Why it is not whole; empty where it is. */
  readonly reason: string;
  /** What the whole entry costs, and its name alone, in the unit of the budget. */
  readonly cost: number;
  readonly least: number;
}

export interface Budget {
  readonly unit: 'columns' | 'tokens' | 'characters';
  /** Absent: none exists. */
  readonly limit: number | undefined;
  /** What the client's own entries take. */
  readonly own: number;
  /** What its own entries give up before any of these is cut. */
  readonly spare: number;
  /** What everything would take, own entries included. */
  readonly wanted: number;
  readonly used: number;
  /** Of one entry's text; in UTF-16 units or code points. */
  readonly perEntry: number | undefined;
  /** Where the limit comes from, in one sentence. */
  readonly from: string;
}

export interface Listing {
  readonly client: ClientId;
  readonly label: string;
  /** The version whose rules these are; absent: only documentation is known. */
  readonly version: string | undefined;
  readonly model: string | undefined;
  /** What the model gets of these skills. Empty: no listing. Absent: the client's wording is not known. */
  readonly text: string;
  /** Whether `text` is the client's wording byte for byte. */
  readonly exact: boolean;
  /** In the client's order; hidden ones last. */
  readonly entries: readonly ListingEntry[];
  readonly unread: readonly Unread[];
  /** Absent: whether there is one is not known. */
  readonly budget: Budget | undefined;
  /** What a reader should know of this listing: what it leaves out, and what is not known. */
  readonly notes: readonly string[];
}

export interface Client {
  readonly id: ClientId;
  readonly label: string;
  /** The newest first; empty where nothing was measured. */
  readonly versions: readonly string[];
  readonly roots: readonly RootRule[];
  readonly facts: readonly Fact[];
  readonly list: (skills: readonly FoundSkill[], options: ClientOptions) => Listing;
}
