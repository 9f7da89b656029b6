/** What the desk takes from outside the page: clock, storage, other tabs, workers, the disk. Tests have one in memory. */
import type { Log } from '../../base/log.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import type { PendingTree } from '../../model/tool/pending-tree.ts';
import type { pickFolder } from '../../platform/fs/pick-folder.ts';
import type { PrivateWorkspaces } from '../../platform/fs/private-workspace.ts';
import type { TabGuard } from '../../platform/fs/tab-guard.ts';
import type { openPageServices } from '../../platform/runtime/page-services.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { DraftsDeps } from '../../platform/store/drafts.ts';
import type { CountedDatabase } from '../../platform/store/kept-counts.ts';
import type { Apart } from '../../platform/worker/apart.ts';

export interface Outside {
  /** In ms since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly timers: Pick<DraftsDeps, 'setTimer' | 'clearTimer'>;
  readonly nextFrame: (callback: () => void) => void;
  /** Resolves when the page has nothing better to do. */
  readonly whenIdle: () => Promise<void>;
  /** Again and again, as long as the page is in view. */
  readonly whileInView: (work: () => void, ms: number) => void;
  /** Where the page lies: the demo, the engine and the sandbox are beside it. */
  readonly base: URL;
  readonly database: (log: Log) => Promise<CountedDatabase>;
  /** Nothing where the browser has no private storage for pages. */
  readonly privates: (log: Log) => Promise<PrivateWorkspaces | undefined>;
  /** Says when the page goes away: drafts are written before. */
  readonly leaving: DraftsDeps['page'];
  readonly guard: TabGuard;
  readonly watch: (tree: FileTree, onChange: (path: string) => void) => Disposable;
  /** As it is served. */
  readonly demo: () => Promise<FileTree>;
  /** Call it inside a click. Each id remembers its own place on the disk. */
  readonly pick: (id: string) => ReturnType<typeof pickFolder>;
  readonly engine: () => StarlarkEngine;
  readonly tokenizer: Tokenizer;
  readonly apart: Apart;
  readonly services: typeof openPageServices;
  /** Watches from beside the page that it answers. Takes what is opened next, so that it is known if the page stops. */
  readonly watchForFreezes: () => (what: unknown) => void;
  readonly sandbox: (files: PendingTree, options: { readonly isDemo: boolean }) => Promise<Sandbox>;
}
