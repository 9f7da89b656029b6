/** What goes along the assembly line: read → translate → generate → check → sign. */
import type { DescriptionMark, ScriptMark } from './content-marks.ts';
import type { ObjectName, Verb } from './vocabulary.ts';

export const ARGUMENT_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'date', 'datetime'] as const;
export type ArgumentType = (typeof ARGUMENT_TYPES)[number];

/** One argument as the usage lines show it. */
export interface UsageArgument {
  readonly name: string;
  readonly kind: 'flag' | 'positional';
  readonly type: ArgumentType;
  readonly required: boolean;
  /** Of a flag, as the script takes it. */
  readonly flag?: string;
  /** Of a positional that stands for the id of a record. */
  readonly isId?: boolean;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** How several values are given; absent: as one word, joined by commas. */
  readonly list?: 'words' | 'repeat';
  /** Stands in front of the words of the command. */
  readonly isFirst?: boolean;
}

export interface SubCommand {
  readonly domain: string;
  readonly action: string;
  /** The words that the script takes in front of the arguments; absent: the domain and the action. */
  readonly command?: readonly string[];
  /** Path of the helper script in the skill, and the program that runs it. */
  readonly script: string;
  readonly args: readonly UsageArgument[];
  /** The usage lines, as written, without the launcher. */
  readonly examples: readonly string[];
  /** Of the first usage line in SKILL.md, or in another page, from 1; 0 where only the script itself defines it. */
  readonly line: number;
  readonly page?: string;
}

export interface CredentialNeed {
  /** A name that other skills may not take. */
  readonly binding: string;
  readonly fields: readonly CredentialField[];
}

export interface CredentialField {
  /** The variable that the script reads. */
  readonly name: string;
  readonly kind: 'api_key' | 'token' | 'file' | 'text';
  readonly prompt: string;
}

export interface ReadSource {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly author: string;
  readonly sections: readonly { readonly title: string; readonly line: number }[];
  readonly subCommands: readonly SubCommand[];
  /** Usage lines that are none, and scripts that no line calls (line 0), with the reason. */
  readonly skippedLines: readonly {
    readonly line: number;
    readonly page?: string;
    readonly text: string;
    readonly reason: string;
  }[];
  readonly credentials: readonly CredentialNeed[];
  readonly declared: DeclaredCapabilities;
  /** SHA-256 of SKILL.md. */
  readonly sourceSha256: string;
}

/** What the skill itself says that it needs. */
export interface DeclaredCapabilities {
  readonly tools: readonly string[];
  readonly text: string;
}

export interface ExecutorArgument extends UsageArgument {
  readonly description: { readonly it: string; readonly en: string };
}

export interface ExecutorPlan {
  readonly name: string;
  readonly verb: Verb;
  readonly object: ObjectName;
  readonly qualifiers: readonly string[];
  readonly suffix?: string;
  readonly source: SubCommand;
  readonly args: readonly ExecutorArgument[];
  /** At least one of each group must be given. */
  readonly requiresOneOf: readonly (readonly string[])[];
  readonly output: 'entries' | 'results';
  readonly recordKind: string;
  readonly reverse?: string;
  /** Set by hand. */
  readonly isOverridden?: true;
}

export interface Rejection {
  /** `domain action`, or the executor's name once it has one. */
  readonly name: string;
  readonly reasons: readonly string[];
}

/** A person's say over the translation of one sub-command. */
export interface Override {
  readonly domain: string;
  readonly action: string;
  readonly name?: string;
  readonly args?: Readonly<Record<string, { readonly type?: ArgumentType; readonly required?: boolean }>>;
}

export const CHECKS = [
  'name',
  'contract',
  'capabilities',
  'credentials',
  'overlap',
  'description-code',
  'routing',
] as const;
export type CheckId = (typeof CHECKS)[number];

export interface CheckResult {
  readonly check: CheckId;
  readonly status: 'passed' | 'failed' | 'not run';
  readonly detail: string;
}

export interface Wording {
  readonly it: string;
  readonly en: string;
  readonly affinity: readonly string[];
  readonly by: 'template' | 'model';
}

export interface GeneratedExecutor {
  readonly plan: ExecutorPlan;
  readonly wording: Wording;
  readonly capabilities: readonly DeclaredCapability[];
  readonly credentials: readonly CredentialNeed[];
  /** By path in the executor's folder; the manifest has its final bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface DeclaredCapability {
  readonly name: string;
  readonly hint: string;
}

/** An executor that is already there: imported, or one of Lathe's own. */
export interface CatalogEntry {
  readonly name: string;
  readonly skill: string;
  readonly affinity: readonly string[];
  readonly bindings: readonly string[];
  /** Of the script that it runs, and of what its skill says of itself: both without what changes nothing. */
  readonly scriptMark?: ScriptMark;
  readonly descriptionMark?: DescriptionMark;
}

export interface Authorisation {
  readonly by: string;
  /** ISO time. */
  readonly at: string;
  readonly alarms: readonly string[];
}
