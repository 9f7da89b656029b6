/** What the views of a session see and do. The journal and its state live outside React; `revision` says when to look. */
import type { Json } from '../base/json.ts';
import type { RequestSizes } from '../model/cache/engine.ts';
import type { Forecast, ForecastChange } from '../model/cache/forecast.ts';
import type { CacheEntry, CacheRequest } from '../model/cache/types.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import type { Journal } from '../model/event/journal.ts';
import type { JournalContent } from '../model/event/jsonl.ts';
import type { SentBody } from '../model/instruments/request-bodies.ts';
import type { LibraryInput } from '../model/library/load-library.ts';
import type { RuntimeProfile } from '../model/library/types.ts';
import type { ConsentBook } from '../model/metaskill/consent.ts';
import type { RunOutcome } from '../model/metaskill/host.ts';
import type { HostSkill, RunControl, StartedRun } from '../model/metaskill/host-types.ts';
import type { PaddingPolicy } from '../model/prompt/types.ts';
import type { ImageBlock, Ttl, Wire } from '../model/provider/types.ts';
import type { FolderChanges } from '../model/session/changes.ts';
import type { Trust } from '../model/session/host-skills.ts';
import type { Away } from '../model/session/home.ts';
import type { Mention, SendOutcome, Session } from '../model/session/session.ts';
import type { PaddingBasis } from '../model/session/padding-basis.ts';
import type { PlannedSession } from '../model/session/start.ts';
import type { SessionState } from '../model/session/state.ts';
import type { Breakpoint } from '../model/starlark/engine.ts';
import type { Pause } from '../model/starlark/messages.ts';
import type { NewSession } from '../model/workspace/session-plan.ts';
import type { CommandRunner } from '../model/tool/dispatcher.ts';
import type { PendingTree } from '../model/tool/pending-tree.ts';
import type { Approval, ApprovalRequest } from '../model/tool/types.ts';
import type { FolderIdentity, SessionRow } from '../platform/store/schema.ts';

export type { NewSession };
export type { SessionRuntime } from '../platform/runtime/session-services.ts';

/** The folder that a session works in. */
export interface SessionFolder {
  readonly identity: FolderIdentity;
  readonly library: LibraryInput;
  /** Over the project's tree; its changes are shown in `Changes`. */
  readonly files: PendingTree;
  readonly profile: RuntimeProfile;
  readonly isForeign: Trust['isForeign'];
  readonly book: ConsentBook;
  /** Runs programs over `files`. Absent: there are no commands. */
  readonly runCommand?: CommandRunner;
}

/** A block that is being streamed. */
export interface LiveBlock {
  readonly kind: 'text' | 'thinking' | 'tool_input' | 'other';
  /** The end of it, where it is long. */
  readonly text: string;
  /** Characters before `text`. Absent: none. */
  readonly before?: number;
  /** Of a tool call. */
  readonly toolName?: string;
  readonly toolUseId?: string;
}

/** What has come of the call that is on its way. */
export interface LiveCall {
  readonly turnId: string;
  readonly requestId: string;
  readonly hasAnswered: boolean;
  readonly blocks: readonly LiveBlock[];
  /** Of attempts that failed and are tried again. */
  readonly retries: readonly string[];
}

export interface PendingApproval {
  readonly request: ApprovalRequest;
  readonly answer: (approval: Approval) => void;
}

export interface PrintedLine {
  readonly toolUseId: string;
  readonly text: string;
  readonly line: number | undefined;
}

/** What the locals held when a run came to a line of its work. */
export interface RecordedLine {
  /** In the time of the session, in milliseconds. */
  readonly at: number;
  readonly line: number;
  readonly frames: Pause['frames'];
}

/** A run of a metaskill in this page: what the journal does not hold, and what a debugger needs. */
export interface MetaskillRun extends Omit<StartedRun, 'control'> {
  readonly toolUseId: string;
  readonly status: 'running' | 'paused' | 'ended';
  /** The line that is being executed. */
  readonly line?: number;
  readonly pause?: Pause;
  /** In the order in which the run came there; the last ones may come with its next news. */
  readonly recorded: readonly RecordedLine[];
  readonly outcome?: RunOutcome;
}

/** What a session that is started now would send first. */
export interface SessionPreview {
  readonly planned: PlannedSession;
  readonly settings: SessionSettings;
  /** Its first request as it would go over the wire, with the message that is being written. */
  readonly body: string;
  readonly wire: Wire;
}

/** What other settings do: to the next request of this session, and to the first one of the next session. */
export interface SettingsForecast {
  /** Nothing before the first request. */
  readonly next: ForecastChange | undefined;
  readonly start: ForecastChange | undefined;
}

export interface PaddingChoice {
  readonly model: string;
  readonly policy: PaddingPolicy;
  readonly ttl: Ttl;
}

/** One selection for all instruments: a turn, and in it perhaps a request or an event. */
export interface Selection {
  readonly turnId?: string;
  readonly requestId?: string;
  readonly eventId?: string;
}

export type SessionStatus = 'none' | 'starting' | 'idle' | 'running' | 'failed';

export interface SessionsState {
  readonly status: SessionStatus;
  /** Why there is no session, if starting failed. */
  readonly problem?: string;
  readonly currentId?: string;
  /** Grows whenever the journal, the state or the live call have changed; at most once per frame. */
  readonly revision: number;
  readonly live: readonly LiveCall[];
  readonly approvals: readonly PendingApproval[];
  readonly printed: readonly PrintedLine[];
  /** Oldest first. */
  readonly runs: readonly MetaskillRun[];
  /** By the name of the metaskill. */
  readonly breakpoints: Readonly<Record<string, readonly Breakpoint[]>>;
  /** Milliseconds that runs rest at each line of their work. */
  readonly pace: number;
  readonly selection: Selection;
  readonly next: NewSession;
  /** What is being written in the composer. */
  readonly typed: string;
  /** How many messages of the user the database has got since the page was opened. */
  readonly written: number;
  /** Kept sessions, newest first. */
  readonly kept: readonly SessionRow[];
  /** What changed in the folder since the session started (D25). */
  readonly changes?: FolderChanges;
  /** Why the current session is only shown: its folder is not open, or another tab writes it (D41). */
  readonly away?: Away;
  /** The session that was left when another folder was opened. `name` is its folder's. */
  readonly left?: { readonly id: string; readonly title: string; readonly name: string };
  /** The session that was deleted last; it can come back while the page is open. */
  readonly removed?: { readonly id: string; readonly title: string };
}

export interface SessionStore {
  readonly getState: () => SessionsState;
  readonly getInitialState: () => SessionsState;
  readonly subscribe: (listener: (state: SessionsState, previous: SessionsState) => void) => () => void;

  /** The session itself; nothing before the first message. */
  readonly session: () => Session | undefined;
  readonly journal: () => Journal | undefined;
  readonly state: () => SessionState | undefined;

  /** What the next session starts with. `undefined` takes a choice out: its default comes back. */
  readonly configure: (change: { readonly [K in keyof NewSession]?: NewSession[K] | undefined }) => void;
  /** Settings of the running session from its next request on, and of those after it. */
  readonly change: (change: Partial<SessionSettings>) => void;
  /** All of them, so that one can also be taken out. */
  readonly replaceSettings: (settings: SessionSettings) => void;
  /** Starts a session if none exists, then runs a turn. */
  readonly send: (text: string, images?: readonly ImageBlock[]) => Promise<SendOutcome>;
  readonly stop: () => void;
  readonly mentions: (text: string) => readonly Mention[];
  readonly runMetaskill: (args: Json, find?: (name: string) => HostSkill | undefined) => Promise<RunOutcome>;

  /** A metaskill of the session, as a call would find it. */
  readonly findMetaskill: (name: string) => HostSkill | undefined;
  /** What was allowed permanently is asked again, in this session too. */
  readonly forgetApproval: (key: string) => void;
  /** Of a run that has not ended. */
  readonly runControl: (toolUseId: string) => RunControl | undefined;
  /** Of every run of that metaskill, those that run now included. */
  readonly setBreakpoints: (name: string, breakpoints: readonly Breakpoint[]) => void;
  /** The next run of a metaskill stops before its first line. */
  readonly stopOnEntry: () => void;
  /** Slow motion of the runs in this page. */
  readonly setPace: (ms: number) => void;

  readonly newSession: () => void;
  /** Shows a session. Where its folder is not open, it can only be read. */
  readonly open: (id: string) => Promise<void>;
  /** Another folder is open: its session is left, and the one that was left here comes back. */
  readonly enterFolder: (folder: FolderIdentity) => Promise<void>;
  /** Opens the folder of a session, and the session in it. Call it inside a click. */
  readonly goHome: (id: string) => Promise<void>;
  /** Makes this tab the one that writes the current session. */
  readonly takeOver: () => Promise<void>;
  /** A new session that begins like this one up to the end of that turn; it becomes the current one. */
  readonly fork: (turnId: string) => Promise<void>;
  readonly rename: (title: string) => void;
  readonly remove: (id: string) => Promise<void>;
  /** Brings back the session that was deleted last, and opens it if it was the current one and no other is. */
  readonly restore: () => Promise<void>;
  /** Its deletion is final. */
  readonly forgetRemoved: () => void;
  readonly refreshKept: () => Promise<void>;
  /** The requests of the session for other tools, with private values masked. */
  readonly exportHar: () => Promise<string>;
  readonly exportJournal: (content: JournalContent) => string;
  /** Gives sentences about what could not be read; the session becomes the current one unless nothing could. */
  readonly importJournal: (text: string) => Promise<readonly string[]>;

  readonly select: (selection: Selection) => void;
  /** A request of another session as it was sent, while that session is kept or the page remembers it. */
  readonly sentElsewhere: (requestId: string) => Promise<SentBody | undefined>;
  /** Looks at the folder again and says what changed since the session started. */
  readonly checkFolder: () => Promise<void>;

  /** Prompt and tools of a session that would start now. */
  readonly preview: () => Promise<SessionPreview>;
  /** What goes after the cached prefix of a session that would start now. */
  readonly volatileText: () => Promise<string>;
  /** What starting a session otherwise does to its first request, as if the first way had just been answered. */
  readonly compareStarts: (
    before: PlannedSession,
    after: PlannedSession,
    settings: SessionSettings,
  ) => Promise<ForecastChange | undefined>;
  /** What these settings would do, and these choices for the next session; nothing is changed. */
  readonly compareSettings: (
    settings: SessionSettings,
    start?: Omit<NewSession, 'settings'>,
  ) => Promise<SettingsForecast>;
  /** What each of these models would do to the next request; nothing of those that cannot be judged. */
  readonly compareModels: (models: readonly string[]) => Promise<ReadonlyMap<string, ForecastChange>>;
  /** What changed since the last request of this session does to its next one. */
  readonly pendingChange: () => Promise<ForecastChange | undefined>;
  /** The first request of a session that would start now, with padding and without. Nothing where it cannot be counted. */
  readonly paddingBasis: (choice: PaddingChoice) => Promise<PaddingBasis | undefined>;
  /** What is being written; forecasts count it. */
  readonly write: (text: string) => void;
  /** Tokens of a body that was read and counted, anchored at what was billed. */
  readonly sizes: (request: CacheRequest, tokens: readonly number[]) => RequestSizes;
  /** The forecast of a body that was read and counted, if it were sent now. */
  readonly expected: (settings: SessionSettings, request: CacheRequest, tokens: readonly number[]) => Forecast;

  /** Of the simulator. */
  readonly advanceClock: (ms: number) => Promise<void>;
  /** What its provider's cache holds: the simulator's own, of any other the model's. */
  readonly cacheEntries: () => readonly CacheEntry[];
  /** The time in which the current session lives. */
  readonly now: () => number;
}
