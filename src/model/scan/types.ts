/** What check zero finds. It shows evidence; it never says that a skill is safe. */

export const CAPABILITY_KINDS = ['network', 'processes', 'environment', 'files', 'persistence'] as const;
export type CapabilityKind = (typeof CAPABILITY_KINDS)[number];

/** Line and column count from 1, the column in code points. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something that the skill can do, and where it says so. */
export interface Capability extends Place {
  readonly kind: CapabilityKind;
  /** Short, such as `requests.post api.example.com`. */
  readonly detail: string;
}

export type AlarmSeverity = 'critical' | 'high' | 'medium';

/** How data came to where it does harm: source first. */
export interface Step extends Place {
  readonly what: string;
}

export interface Alarm extends Place {
  readonly rule: string;
  readonly severity: AlarmSeverity;
  readonly message: string;
  readonly trail: readonly Step[];
  /** What the text says once it is decoded; foreign text, never to be followed. */
  readonly decoded?: string;
}

/** Worth a look, with too many honest uses for an alarm. */
export interface Note extends Place {
  readonly rule: string;
  readonly message: string;
}

export interface SkillScan {
  readonly name: string;
  readonly capabilities: readonly Capability[];
  readonly alarms: readonly Alarm[];
  readonly notes: readonly Note[];
  /** How each file was read. */
  readonly files: readonly ScannedFile[];
}

export type Reading = 'python' | 'starlark' | 'javascript' | 'shell' | 'markdown' | 'patterns' | 'text' | 'not read';

export interface ScannedFile {
  readonly path: string;
  readonly reading: Reading;
  /** Why it was not read, or only in part. */
  readonly reason?: string;
}
