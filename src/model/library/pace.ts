/** How long work over a folder is watched, interrupted and spread out. */
export interface Pace {
  readonly signal?: AbortSignal;
  /** Called between two pieces of work: anyone who has a page to draw waits a moment. */
  readonly pause?: () => Promise<void>;
}

/** How far reading a folder has come; the total is unknown while folders are still being looked for. */
export interface ReadProgress {
  readonly done: number;
  readonly total?: number;
}
