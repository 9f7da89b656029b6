import type { HostSkill } from '../../model/metaskill/host-types.ts';
import type { TurnAction } from '../../model/session-view/turn-end.ts';
import type { TurnView } from '../../model/session-view/types.ts';
import type { CommandProgress } from './needs.ts';

/** Programs that a person has stopped in. */
export interface RunPauses {
  /** The line in which the run of that call is paused; nothing if it is not. */
  readonly lineOf: (toolUseId: string) => number | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  /** To where it can be stepped through. */
  readonly onShow: (() => void) | undefined;
}

/** What can be done from inside a transcript. Always the same object, so that turns are drawn only when they change. */
export interface TurnActions {
  readonly onRaw: (requestId: string) => void;
  readonly onSelectCall: (requestId: string) => void;
  readonly onSelectTurn: (turnId: string) => void;
  readonly onFork: (turnId: string) => void;
  readonly onEnd: (action: TurnAction, turn: TurnView) => void;
  /** A metaskill as the next call would find it; nothing if the session has none by that name. */
  readonly metaskill: (name: string) => Pick<HostSkill, 'refusal' | 'consent'> | undefined;
  readonly onShowChanges: (() => void) | undefined;
  readonly onOpenFile: ((path: string) => void) | undefined;
  readonly onOpenSkill: ((name: string) => void) | undefined;
  readonly progress: CommandProgress | undefined;
  readonly pauses: RunPauses;
  readonly writesAtOnce: () => boolean;
}
