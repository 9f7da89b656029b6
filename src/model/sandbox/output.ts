/** What a program wrote, up to a limit. */

export const OUTPUT_LIMIT = 256 * 1024;

export interface OutputBuffer {
  readonly add: (bytes: Uint8Array) => void;
  /** Something was left out that cannot be counted here. */
  readonly markCut: () => void;
  readonly isCut: () => boolean;
  readonly text: () => string;
}

/** Not in the middle of a character. */
const wholeCharacters = (bytes: Uint8Array): Uint8Array => {
  let end = bytes.length;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (length > back) end = bytes.length - back;
    break;
  }
  return bytes.subarray(0, end);
};

export const createOutputBuffer = (limit: number = OUTPUT_LIMIT): OutputBuffer => {
  const parts: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  return {
    add: (bytes) => {
      const room = limit - size;
      if (bytes.length > room) isCut = true;
      const kept = bytes.length > room ? bytes.slice(0, Math.max(0, room)) : bytes;
      size += kept.length;
      if (kept.length > 0) parts.push(kept);
    },
    markCut: () => {
      isCut = true;
    },
    isCut: () => isCut,
    text: () => {
      const whole = new Uint8Array(size);
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(isCut ? wholeCharacters(whole) : whole);
    },
  };
};
