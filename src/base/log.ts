export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export interface LogLine {
  readonly level: LogLevel;
  /** Stable and short, such as `skill.shadowed`: what a program looks at. */
  readonly code: string;
  /** What a person reads. Never holds a key or a file's content. */
  readonly text: string;
}

export type Log = (line: LogLine) => void;

export const silentLog: Log = () => {};

export interface CollectedLog {
  readonly log: Log;
  readonly lines: readonly LogLine[];
}

export const collectLog = (): CollectedLog => {
  const lines: LogLine[] = [];
  return { log: (line) => lines.push(line), lines };
};
