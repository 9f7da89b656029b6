/** Text that comes in pieces, given on line by line without line ends. A line is as long as it is; nothing else is held. */
export interface LineSplitter {
  readonly add: (piece: string) => void;
  /** Gives the last line, also where it is empty. */
  readonly end: () => void;
}

const LINE_END = /\r\n|\n|\r/;

export const createLineSplitter = (take: (line: string) => void): LineSplitter => {
  let open: string[] = [];
  let isCut = false;
  return {
    add: (piece) => {
      // A line end of two characters may come in two pieces.
      const text = isCut ? `\r${piece}` : piece;
      isCut = text.endsWith('\r');
      const lines = (isCut ? text.slice(0, -1) : text).split(LINE_END);
      const last = lines.pop() ?? '';
      for (const line of lines) {
        const whole = open.length === 0 ? line : open.join('') + line;
        open = [];
        take(whole);
      }
      if (last !== '') open.push(last);
    },
    end: () => {
      take(open.join(''));
      if (isCut) take('');
      open = [];
    },
  };
};
