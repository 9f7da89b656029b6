/** Four ASCII bytes at a time have none of these bits. */
const NOT_ASCII = 0x80808080;

/** How many bytes follow a leading byte; -1 if no sequence starts with it. */
const followers = (lead: number): number => {
  if (lead >= 0xc2 && lead <= 0xdf) return 1;
  if (lead >= 0xe0 && lead <= 0xef) return 2;
  return lead >= 0xf0 && lead <= 0xf4 ? 3 : -1;
};

/** The second byte's range rules out what is written too long, surrogates, and what lies beyond U+10FFFF. */
const isSecond = (lead: number, second: number): boolean => {
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
};

/** Whether a strict `TextDecoder` would take the bytes from `start` on, without making a string of them. */
export const isUtf8 = (bytes: Uint8Array, start = 0): boolean => {
  const isAligned = bytes.byteOffset % 4 === 0;
  const words = isAligned ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : undefined;
  let at = start;
  while (at < bytes.length) {
    if (words && at % 4 === 0) {
      let word = at >> 2;
      while (word < words.length && ((words[word] ?? 0) & NOT_ASCII) === 0) word++;
      at = word << 2;
      if (at >= bytes.length) return true;
    }
    const lead = bytes[at++] ?? 0;
    if (lead < 0x80) continue;
    const more = followers(lead);
    if (more === -1 || at + more > bytes.length || !isSecond(lead, bytes[at] ?? 0)) return false;
    for (let index = 1; index < more; index++) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return false;
    at += more;
  }
  return true;
};

/** How many code points the bytes from `start` on have once CRLF has become LF. They are UTF-8. */
export const countCodePoints = (bytes: Uint8Array, start: number): number => {
  let count = 0;
  let last = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) !== 0x80 && !(byte === 0x0a && last === 0x0d)) count++;
    last = byte;
  }
  return count;
};

/** UTF-8 length of a part of a string. The part has to be cut between characters. */
export const utf8Length = (text: string, from: number, to: number): number => {
  let bytes = to - from;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if ((unit & 0xfc00) === 0xd800 && at + 1 < to) {
      // A pair has two units and four bytes.
      bytes += 2;
      at++;
    } else bytes += 2;
  }
  return bytes;
};
