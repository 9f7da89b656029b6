import { err, ok, type Result } from '../../base/result.ts';
import { FAULT_KINDS, type FaultKind, type SimFault } from './types.ts';

/** Their status, for those who think in statuses. */
const ALIASES: ReadonlyMap<string, FaultKind> = new Map([
  ['429', 'rate_limit'],
  ['529', 'overloaded'],
  ['500', 'server_error'],
]);

export const FAULT_WORDS: readonly string[] = [...FAULT_KINDS, ...ALIASES.keys()];

export const faultKind = (word: string): FaultKind | undefined =>
  FAULT_KINDS.find((kind) => kind === word) ?? ALIASES.get(word);

/** The block of `unknown_block`; it may come back as it was given. */
export const STRANGE_TYPE = 'hologram';

/** The header `x-lathe-fault`: `429`, `rate_limit` or `rate_limit; retry_after=2`. */
export const parseFaultHeader = (text: string): Result<SimFault, string> => {
  const [word = '', ...options] = text.split(';').map((part) => part.trim());
  const kind = faultKind(word);
  if (!kind) return err(`x-lathe-fault: “${word}” isn’t a fault. Faults: ${FAULT_WORDS.join(', ')}.`);
  const [option, ...more] = options;
  if (option === undefined) return ok({ kind });
  const seconds = /^retry_after=(\d+(?:\.\d+)?)$/.exec(option)?.[1];
  return seconds === undefined || more.length > 0
    ? err(`x-lathe-fault: “${options.join('; ')}” is not understood; the one option is retry_after=SECONDS.`)
    : ok({ kind, retryAfter: Number(seconds) });
};
