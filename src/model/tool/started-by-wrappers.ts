/** Programs that run the command behind their own words: where that command begins. SPEC.md TO37. */
import { NOTHING, one, type Reader, unknown } from './started.ts';

interface OwnWords {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters whose value is the rest of the word, or the next word. */
  readonly valued?: string;
  /** Letters whose value, if there is one, is the rest of the word. */
  readonly optional?: string;
  readonly long?: string;
  readonly longValued?: string;
  /** Words after the options that are not yet the command, such as the seconds of `timeout`. */
  readonly own?: number;
}

const OWN: Readonly<Record<string, OwnWords>> = {
  env: {
    flags: 'iv0',
    valued: 'uCa',
    long: 'ignore-environment null debug block-signal default-signal ignore-signal list-signal-handling',
    longValued: 'unset chdir argv0',
  },
  xargs: {
    flags: '0rtxop',
    valued: 'IELnPsda',
    optional: 'iel',
    long: 'null no-run-if-empty verbose exit interactive open-tty show-limits eof replace max-lines',
    longValued: 'max-args max-procs max-chars delimiter arg-file process-slot-var',
  },
  timeout: {
    flags: 'fpv',
    valued: 'ks',
    long: 'foreground preserve-status verbose',
    longValued: 'kill-after signal',
    own: 1,
  },
  nice: { flags: '0123456789', valued: 'n', longValued: 'adjustment' },
  ionice: { flags: 't', valued: 'cn', long: 'ignore', longValued: 'class classdata' },
  setsid: { flags: 'cfw', long: 'ctty fork wait' },
  time: { flags: 'apvq', valued: 'fo', long: 'append portability verbose quiet', longValued: 'format output' },
  stdbuf: { valued: 'ioe', longValued: 'input output error' },
  command: { flags: 'p' },
  exec: { flags: 'cl', valued: 'a' },
  sudo: {
    flags: 'ABbEHKkNnPS',
    valued: 'ugpCrtTUhDR',
    long: 'askpass background bell preserve-env set-home remove-timestamp reset-timestamp no-update non-interactive preserve-groups stdin',
    longValued: 'user group prompt close-from role type command-timeout other-user host chdir chroot',
  },
  doas: { flags: 'Ln', valued: 'uC' },
  watch: {
    flags: 'bcdegrtwxpCf',
    valued: 'nqs',
    long: 'beep color no-color differences errexit chgexit precise no-rerun no-title no-wrap exec follow',
    longValued: 'interval equexit shotsdir',
  },
  trap: { flags: 'lp' },
};

/** Whether the value of the long option is the next word; nothing if there is no such option, or two. Any beginning stands for it. */
const takesNext = (word: string, { long = '', longValued = '' }: OwnWords): boolean | undefined => {
  const [name = '', ...value] = word.slice(2).split('=');
  const fits = (names: string): boolean => names !== '' && names.split(' ').some((option) => option.startsWith(name));
  if (fits(long) === fits(longValued)) return undefined;
  return fits(longValued) && value.length === 0;
};

/** The same for letters behind one dash. */
const lettersTakeNext = (
  letters: string,
  { flags = '', valued = '', optional = '' }: OwnWords,
): boolean | undefined => {
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? '';
    if (optional.includes(letter)) return false;
    if (valued.includes(letter)) return at === letters.length - 1;
    if (!flags.includes(letter)) return undefined;
  }
  return false;
};

/** The command after the words of `program` itself; nothing if one of its options is unknown, and its value may be anywhere. */
export const behindOwnWords = (program: string, words: readonly string[]): readonly string[] | undefined => {
  const own = OWN[program] ?? {};
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    const isNext = word.startsWith('--') ? takesNext(word, own) : lettersTakeNext(word.slice(1), own);
    if (isNext === undefined) return undefined;
    if (isNext) at++;
  }
  return words.slice(at + (own.own ?? 0));
};

export const strange = unknown('an unknown option');

/** Runs the command behind its own words. */
export const wrapper =
  (program: string): Reader =>
  (words) => {
    const inner = behindOwnWords(program, words);
    if (!inner) return strange;
    return inner.length === 0 ? NOTHING : one(inner);
  };
