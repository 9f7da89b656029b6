/** Text from files on a terminal: nothing in it may move the cursor, change colors or hide. */
export const visible = (text: string): string =>
  text.replace(
    /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2028\u2029\u2060-\u2069\uFEFF]/g,
    (char) => {
      const code = char.charCodeAt(0);
      if (code < 0x20) return String.fromCharCode(0x2400 + code);
      return code === 0x7f ? '\u2421' : `\\u{${code.toString(16)}}`;
    },
  );

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly green: (text: string) => string;
}

const code =
  (start: number, end: number) =>
  (text: string): string =>
    `\u001B[${start}m${text}\u001B[${end}m`;

const plain = (text: string): string => text;

/** Color only on a terminal, and not where it is not wanted. */
export const createPaint = (isColoured: boolean): Paint =>
  isColoured
    ? {
        bold: code(1, 22),
        dim: code(2, 22),
        red: code(31, 39),
        yellow: code(33, 39),
        blue: code(34, 39),
        green: code(32, 39),
      }
    : { bold: plain, dim: plain, red: plain, yellow: plain, blue: plain, green: plain };

export const wantsColour = (stream: { readonly isTTY?: boolean }): boolean => {
  const { NO_COLOR: no, FORCE_COLOR: force } = process.env;
  if (no !== undefined && no !== '') return false;
  if (force !== undefined && force !== '') return force !== '0';
  return stream.isTTY === true;
};
