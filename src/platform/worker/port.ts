/** One end of a channel to a worker: the browser's and Node's, and a pair in memory for tests. */
export interface Port {
  readonly post: (message: unknown) => void;
  readonly onMessage: (handler: (message: unknown) => void) => void;
  /** The worker is gone, or its state is no longer to be trusted. Called at most once. */
  readonly onCrash: (handler: (crash: Crash) => void) => void;
  /** Ends the worker immediately, whatever it does. `onCrash` stays silent. */
  readonly close: () => void;
}

export interface Crash {
  /** `memory`: all of it is used up. `stack`: calls nested too deep. `lost`: the worker went away, or could not start. */
  readonly kind: 'memory' | 'stack' | 'exit' | 'lost';
  readonly message: string;
}

/** The worker's own end. */
export type WorkerPort = Pick<Port, 'post' | 'onMessage'>;
