/** What commands that serve have in common. */
import { err, ok, type Result } from '../base/result.ts';

const MOST_PORT = 65_535;

export const readPort = (value: string | undefined, usual: number): Result<number, string> => {
  const port = Number(value ?? usual);
  return Number.isInteger(port) && port >= 0 && port <= MOST_PORT && value !== ''
    ? ok(port)
    : err(`invalid --port '${String(value)}'; expected a whole number from 0 to ${MOST_PORT}`);
};

/** An origin as a browser sends it: no path, no slash at the end. */
export const readOrigins = (given: unknown): Result<readonly string[], string> => {
  const origins = Array.isArray(given) ? given.map(String) : [];
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  return wrong === undefined
    ? ok(origins)
    : err(`invalid --origin '${wrong}'; expected an origin as a browser sends it, such as https://lathe.example`);
};

export const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
