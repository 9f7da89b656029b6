export const PROFILES = ['standard', 'strict', 'metis', 'metaskill', 'claude-upload', 'claude-code'] as const;

/** Clients whose own rules judge a skill, beside `claude-code` and `metis`. */
export const CLIENT_PROFILES = [
  'codex',
  'gemini',
  'copilot',
  'cursor',
  'opencode',
  'windsurf',
  'kiro',
  'goose',
] as const;
export type ClientProfile = (typeof CLIENT_PROFILES)[number];

/** All that a check can ask for. */
export const CHECK_PROFILES = [...PROFILES, ...CLIENT_PROFILES] as const;

/** Whose rules are applied. `SPEC.md` says what each stands for. */
export type Profile = (typeof CHECK_PROFILES)[number];

/** What decides whether a skill is loaded; the other profiles only report. */
export const RUNTIME_PROFILES = ['standard', 'metis', 'metaskill'] as const satisfies readonly Profile[];
export type RuntimeProfile = (typeof RUNTIME_PROFILES)[number];

/** A skill with an error is not valid under the profile, and is not loaded where the profile is the runtime's. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** UTF-16 offsets into the text of a file as it is on disk, the end exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface TextEdit {
  readonly range: TextRange;
  readonly text: string;
  /** An insertion of whole lines that may stand beside others of its kind at the same place. */
  readonly joins?: boolean;
}

/**
 * `safe`: every host reads the same as before, or reads at last what was plainly meant.
 * `unsafe`: a choice that the author may see differently; applied in bulk only on request.
 * `manual`: one of several ways, or a start that a person must finish; never applied in bulk.
 */
export type FixSafety = 'safe' | 'unsafe' | 'manual';

export type FixAction =
  | { readonly kind: 'edit'; readonly file: string; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'rename-file'; readonly from: string; readonly to: string }
  | { readonly kind: 'rename-folder'; readonly to: string }
  | { readonly kind: 'create-file'; readonly file: string; readonly text: string };

export interface Fix {
  readonly title: string;
  readonly safety: FixSafety;
  readonly action: FixAction;
}

export interface Diagnostic {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** Path inside the skill's folder. */
  readonly file: string;
  readonly range: TextRange;
  /** The first is the one that is applied in bulk, if its safety allows. */
  readonly fixes: readonly Fix[];
}

/** A file of the skill beside `SKILL.md`; `text` is there only when somebody has read it and it is UTF-8. */
export interface SkillFile {
  readonly size: number;
  readonly text?: string;
  /** A link whose target is outside the skill's folder. */
  readonly escapes?: boolean;
  /** The file was read and is not UTF-8. */
  readonly notUtf8?: boolean;
}

/** Everything below the skill's folder, keyed by path with `/`, `SKILL.md` included. */
export type SkillFiles = ReadonlyMap<string, SkillFile>;

export interface SkillInput {
  /** What is on disk: bytes, or text that has been decoded already. */
  readonly content: string | Uint8Array;
  /** As it is spelled on disk. */
  readonly fileName: string;
  /** The folder's name. Absent when a lone file was opened. */
  readonly folder?: string;
  /** Absent when nobody has listed the folder: the rules about files are then silent. */
  readonly files?: SkillFiles;
  /** `files` holds only what decides about the program; the rules about other files are silent. */
  readonly partial?: true;
  /** Names that `[[name]]` may point to. Absent: such links are not judged. */
  readonly knownSkills?: ReadonlySet<string>;
}
