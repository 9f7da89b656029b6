/** What the session panel needs from the page around it. The composition root makes it. */
import type { MentionSkill } from '../../model/session-view/mention-input.ts';
import type { PendingTree } from '../../model/tool/pending-tree.ts';
import type { SessionServices } from '../../platform/runtime/session-services.ts';

export interface CommandProgress {
  readonly get: () => string | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface SessionNeeds {
  /** Of the folder that is open. */
  readonly skills: () => readonly MentionSkill[];
  /** Whether that is the demo. It is told when another folder is opened, or this one is read again. Absent: it is. */
  readonly folder?: {
    readonly isDemo: () => boolean;
    readonly version: () => string;
    readonly subscribe: (listener: () => void) => () => void;
  };
  /** Paths of its files, for mentions. */
  readonly files: () => Promise<readonly string[]>;
  /** What the agent has written; nothing while no folder is open. */
  readonly pending: () => PendingTree | undefined;
  /** Loaded when they are first needed. */
  readonly services: () => Promise<SessionServices>;
  readonly copy: (text: string, what: string) => void;
  readonly download: (name: string, text: string) => void;
  readonly openFile?: (path: string) => void;
  readonly openSkill?: (name: string) => void;
  /** What the sandbox is busy with that takes long, such as loading Python. Absent: nothing to tell. */
  readonly progress?: CommandProgress;
  /** The setting "write files without asking": nothing waits in Changes. */
  readonly writesAtOnce?: () => boolean;
  /** Shows the page of settings. */
  readonly openSettings?: () => void;
  /** Shows an instrument by its id, such as `changes`. */
  readonly showInstrument?: (id: 'changes' | 'metaskill-run') => void;
}
