/** What an import is given, what it tells on the way, and what comes of it. */
import type { Result } from '../../base/result.ts';
import type { LeftOut } from '../files/write-rules.ts';
import type { ScanInput } from '../scan/scan-skill.ts';
import type { Alarm, SkillScan } from '../scan/types.ts';
import type { Signer } from '../signing/types.ts';
import type { DescriptionJudge } from './checks.ts';
import type { InstalledSkill, Takeover } from './identity.ts';
import type { SourceFiles } from './read-source.ts';
import type {
  Authorisation,
  CatalogEntry,
  CheckResult,
  DeclaredCapability,
  ExecutorPlan,
  Override,
  ReadSource,
  Rejection,
  Wording,
} from './types.ts';

/** Asked for wording and for a judgement; an answer that does not come is not a failure. */
export interface ImportModel {
  readonly name: string;
  readonly describe: (
    plan: ExecutorPlan,
    skill: string,
  ) => Promise<{ readonly it: string; readonly en: string; readonly affinity: readonly string[] } | undefined>;
  readonly judge: DescriptionJudge;
}

/** Runs the tests of manifests, all at the same time. */
export type SmokeRunner = (
  executors: readonly {
    readonly name: string;
    readonly manifest: string;
    readonly files: ReadonlyMap<string, Uint8Array>;
  }[],
) => Promise<ReadonlyMap<string, Result<number, string>>>;

export interface ImportDeps {
  /** ISO time to the second. */
  readonly now: () => string;
  readonly signer: Signer;
  readonly model?: ImportModel;
  readonly smoke?: SmokeRunner;
  /** Scans elsewhere, within a time; nothing where the time was not enough. Absent: here, however long it takes. */
  readonly scan?: (input: ScanInput) => Promise<SkillScan | undefined>;
  /** What has this name already where the import is going to be written. */
  readonly installed?: (skill: string) => Promise<readonly InstalledSkill[]>;
  /** Waited for: a page may want to draw. */
  readonly onStage?: (stage: Stage) => void | Promise<void>;
}

export interface ImportInput extends SourceFiles {
  /** An address, or the name of a folder or an archive. */
  readonly from: string;
  /** Where the source was unpacked: what is gone from it already. */
  readonly leftOut?: readonly LeftOut[];
  readonly catalog?: readonly CatalogEntry[];
  readonly overrides?: readonly Override[];
  readonly authorisation?: Authorisation;
  /** Installed as it is, whatever could be made of it. */
  readonly asPlain?: boolean;
  /** Somebody's yes to replacing another skill with the same name. */
  readonly replacement?: Replacement;
}

export interface Replacement {
  readonly by: string;
  /** ISO time. */
  readonly at: string;
  /** The question that it answers; absent: whichever there is. */
  readonly key?: string;
}

export const STAGES = ['scan', 'read', 'translate', 'generate', 'check', 'sign'] as const;
export type StageId = (typeof STAGES)[number];

/** One card: what went in, what came out, what was refused and why. */
export interface Stage {
  readonly id: StageId;
  readonly status: 'done' | 'stopped' | 'failed' | 'skipped';
  readonly input: string;
  readonly output: string;
  readonly refused: readonly Rejection[];
}

export interface AcceptedExecutor {
  readonly name: string;
  readonly plan: ExecutorPlan;
  readonly wording: Wording;
  readonly capabilities: readonly DeclaredCapability[];
  readonly checks: readonly CheckResult[];
  /** What somebody would ask; the first is the one that the routing check asked. */
  readonly questions: readonly string[];
  /** Why it cannot run in the sandbox; empty where nothing speaks against it. */
  readonly notHere: readonly string[];
}

export interface Layer {
  readonly id: 'L1' | 'L2' | 'L3' | 'L5' | 'L6' | 'guard' | 'audit';
  readonly state: 'active' | 'not run';
  readonly detail: string;
}

export interface ImportAudit {
  readonly ts: string;
  readonly skill: string;
  readonly version: string;
  readonly from: string;
  readonly source_sha256: string;
  readonly plans: number;
  readonly accepted: readonly string[];
  readonly rejected: readonly Rejection[];
  readonly alarms: readonly string[];
  readonly authorisation: Authorisation | null;
  /** The skill whose place this one took, and who agreed. */
  readonly replaced?: {
    readonly by: string;
    readonly at: string;
    readonly installed: string;
    readonly incoming: string;
  };
}

export interface ImportReport {
  readonly kind: 'executors' | 'plain' | 'stopped' | 'question' | 'failed';
  readonly skill: string;
  readonly stages: readonly Stage[];
  readonly scan: SkillScan;
  readonly source?: ReadSource;
  readonly plans: readonly ExecutorPlan[];
  readonly accepted: readonly AcceptedExecutor[];
  readonly rejected: readonly Rejection[];
  readonly layers: readonly Layer[];
  /** Below the folder of the skill's executors, or of the plain skill. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly audit: ImportAudit;
  /** What may not be written, and is not in `files`. */
  readonly leftOut: readonly LeftOut[];
  /** Another skill has the name; nothing is written before somebody agrees. */
  readonly takeover?: Takeover;
  /** Why nothing came of it. */
  readonly problem?: string;
}

export const alarmKey = ({ rule, file, line }: Alarm): string => `${rule} ${file}:${line}`;
