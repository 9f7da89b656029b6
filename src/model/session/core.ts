/** What the parts of a running session share. */
import type { Log } from '../../base/log.ts';
import type { EventDraft, Payload } from '../event/types.ts';
import type { Journal } from '../event/journal.ts';
import type { BodyWriter } from '../provider/written-body.ts';
import type { Block, ProviderClient, ToolResultBlock, ToolSpec, ToolUseBlock } from '../provider/types.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { After } from '../tool/call-clock.ts';
import type { Shadow } from './shadow.ts';
import type { SessionState } from './state.ts';

/** What a page shows while an answer is in progress. Nothing of it is kept: the events have the whole. */
export type StreamNews =
  | { readonly type: 'call'; readonly turnId: string; readonly requestId: string }
  | { readonly type: 'first_byte'; readonly turnId: string; readonly requestId: string }
  | {
      readonly type: 'block';
      readonly turnId: string;
      readonly requestId: string;
      readonly index: number;
      readonly block: Block;
    }
  | {
      readonly type: 'delta';
      readonly turnId: string;
      readonly requestId: string;
      readonly index: number;
      readonly kind: 'text' | 'thinking' | 'tool_input';
      readonly text: string;
    }
  | { readonly type: 'retry'; readonly turnId: string; readonly requestId: string; readonly message: string };

export interface SessionDeps {
  readonly journal: Journal;
  /** For the settings of the moment: provider and model may change between calls. */
  readonly client: (settings: SessionSettings) => ProviderClient;
  /** Tells apart the keys and workspaces that do not share a cache; never the key itself. */
  readonly scope: (settings: SessionSettings) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly after: After;
  readonly shadow: Shadow;
  readonly log: Log;
  readonly onStream?: (news: StreamNews) => void;
}

/** The part of the dispatcher that the loop needs. */
export interface ToolRunner {
  readonly dispatch: (
    calls: readonly ToolUseBlock[],
    context: {
      readonly turnId: string;
      readonly depth: number;
      /** The call that asked for the tools. */
      readonly parent: string | null;
      readonly signal: AbortSignal;
      readonly setWaiting: (waiting: boolean) => void;
    },
  ) => Promise<readonly ToolResultBlock[]>;
}

export interface SessionCore {
  readonly deps: SessionDeps;
  readonly state: SessionState;
  /** Appends to the journal and brings the state up to date; gives the event's id. */
  readonly emit: (draft: EventDraft) => string;
  readonly tools: ToolRunner;
  /** Of the session, without what a nested turn may not have. */
  readonly toolsAt: (depth: number) => readonly ToolSpec[];
  readonly stableText: string;
  /** Hash of tools and stable prompt. */
  readonly cacheKeyAt: (depth: number) => string;
  /** On a request that has ended; nothing if none exists, or it was taken. */
  readonly takeVerdict: (requestId: string) => Payload<'cache.explained'> | undefined;
  /** The newest body of every thread, by its event. */
  readonly bodies: Map<string, string>;
  readonly writeBody: BodyWriter;
}
