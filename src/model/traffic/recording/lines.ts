/** Text that comes in pieces, given on line by line without line ends. A line is as long as it is; nothing else is held. */
export interface LineSplitter {
  readonly add: (piece: string) => void;
  /** Gives the last line, also where it is empty. */
  readonly end: () => void;
}

const LINE_END = /\r\n|\n|\r/;
/** From here on a line is offered in parts. */
const LONG_LINE = 16_000_000;
/** No text can be longer than about 500 million characters: what is behind this of a line is dropped. */
const LONGEST_LINE = 400_000_000;

/** `takePart` takes a part of a line that is not at its end yet, or says no: then the line is held until it is. */
export const createLineSplitter = (
  take: (line: string) => void,
  takePart: (part: string) => boolean = () => false,
): LineSplitter => {
  let open: string[] = [];
  let length = 0;
  let offered = LONG_LINE;
  let isCut = false;
  const hold = (text: string): void => {
    if (length > LONGEST_LINE) return;
    open.push(text);
    length += text.length;
    if (length < offered) return;
    if (takePart(open.join(''))) [open, length] = [[], offered];
    // Who wants it whole is asked seldom.
    else offered = length * 2;
  };
  const close = (): void => {
    [open, length, offered] = [[], 0, LONG_LINE];
  };
  return {
    add: (piece) => {
      // A line end of two characters may come in two pieces.
      const text = isCut ? `\r${piece}` : piece;
      isCut = text.endsWith('\r');
      const lines = (isCut ? text.slice(0, -1) : text).split(LINE_END);
      const last = lines.pop() ?? '';
      for (const line of lines) {
        const whole = open.length === 0 ? line : open.join('') + line;
        close();
        take(whole);
      }
      if (last !== '') hold(last);
    },
    end: () => {
      take(open.join(''));
      if (isCut) take('');
      close();
    },
  };
};
