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

export interface RepeatedLook {
  readonly log: Log;
  /** The look has seen everything; without it, it was cut short. */
  readonly end: () => void;
}

/**
 * For what is looked at again and again, such as a folder: a look tells what the one before it did not. What was gone and
 * came back is reported again. Another subject begins again.
 */
export const createRepeatedLooks = (log: Log): ((subject: string) => RepeatedLook) => {
  let of: string | undefined;
  let known: ReadonlySet<string> = new Set();
  return (subject) => {
    if (subject !== of) known = new Set();
    of = subject;
    const seen = new Set<string>();
    return {
      log: (line) => {
        const key = `${line.level} ${line.code} ${line.text}`;
        if (!seen.has(key) && !(of === subject && known.has(key))) log(line);
        seen.add(key);
        // A look that is cut short has told it all the same.
        if (of === subject) known = new Set([...known, key]);
      },
      end: () => {
        if (of === subject) known = seen;
      },
    };
  };
};
