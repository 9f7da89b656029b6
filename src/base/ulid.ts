/**
 * ULIDs: 48 bits of milliseconds and 80 random bits in 26 characters of Crockford's base 32. They sort by time as text.
 */

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const MOST_TIME = 2 ** 48 - 1;

/** The first character holds only three bits. */
const SHAPE = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
export const isUlid = (text: string): boolean => SHAPE.test(text);

/** The next greater id: the last digit that is not yet the greatest goes up, those after it start over. */
export const ulidAfter = (id: string): string => {
  let at = id.length - 1;
  while (at >= 0 && id.charAt(at) === 'Z') at--;
  const digit = DIGITS.indexOf(id.charAt(at));
  if (!isUlid(id) || (at === 0 && digit === 7)) throw new Error(`there is no ULID after ${id}`);
  return id.slice(0, at) + DIGITS.charAt(digit + 1) + '0'.repeat(id.length - 1 - at);
};

const timePart = (ms: number): string => {
  let rest = Math.max(0, Math.min(MOST_TIME, Math.floor(ms)));
  let text = '';
  for (let index = 0; index < TIME_LENGTH; index++) {
    text = DIGITS.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

export interface UlidDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 (included) to 1 (not included). */
  readonly random: () => number;
}

/** Every id is greater than the previous one, also within one millisecond and when the clock goes back. */
export const createUlid = ({ now, random }: UlidDeps): (() => string) => {
  let last = '';
  return () => {
    const time = timePart(now());
    if (time <= last.slice(0, TIME_LENGTH)) last = ulidAfter(last);
    else {
      last = time;
      for (let index = 0; index < RANDOM_LENGTH; index++) last += DIGITS.charAt(Math.floor(random() * 32));
    }
    return last;
  };
};
