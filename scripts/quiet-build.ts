/** Programs for browsers and Node in one: they name Node's modules and `eval` for what never runs in the page. */
const BOTH_WORLDS = /node_modules\/(?:pyodide|just-bash)\//;
const SAID_OF_THEM = /externalized for browser compatibility|direct `eval`|CommonJS `module` variable/;

/** What the bundler tells of code that is not ours and is known; everything else is worth a line. */
export const isKnown = (message: string): boolean => BOTH_WORLDS.test(message) && SAID_OF_THEM.test(message);

interface Log {
  readonly message: string;
}

/** For the page and for its workers: a newcomer's first build should not look as if it had failed. */
export const quietBuild = {
  onLog<Level extends string, Told extends Log>(
    level: Level,
    log: Told,
    tell: (level: Level, log: Told) => void,
  ): void {
    if (!isKnown(log.message)) tell(level, log);
  },
  // How long each plugin took is of use to those who write plugins.
  checks: { bundlerTimings: false, pluginTimings: false },
};
