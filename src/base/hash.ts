/**
 * SHA-256, synchronous, because a skill's version is read while a prompt is assembled and WebCrypto only answers later.
 * Follows FIPS 180-4.
 */

const fractionalBits = (value: number): number => Math.floor((value - Math.floor(value)) * 0x1_0000_0000);

const firstPrimes = (count: number): number[] => {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
};

const PRIMES = firstPrimes(64);
const ROUND = Int32Array.from(PRIMES, (prime) => fractionalBits(Math.cbrt(prime)) | 0);
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionalBits(Math.sqrt(prime)) | 0);

/** What follows the last whole block: the rest, a one bit, and the length in bits. */
const padded = (bytes: Uint8Array, whole: number): Uint8Array => {
  const rest = bytes.length - whole;
  const out = new Uint8Array(rest + 9 > 64 ? 128 : 64);
  for (let i = 0; i < rest; i++) out[i] = bytes[whole + i] as number;
  out[rest] = 0x80;
  const view = new DataView(out.buffer);
  view.setUint32(out.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(out.length - 4, (bytes.length << 3) >>> 0);
  return out;
};

const at = (words: Int32Array, index: number): number => words[index] as number;

/** The words of one block, spread to 64; nothing of it outlives a block. */
const w = new Int32Array(64);

/**
 * Eight rounds are written out, without a call: the eight values change their names and are not moved, and the engine inlines
 * no more than so much of one function. It takes 0.4 of the time of a plain loop.
 */
const addBlocks = (state: Int32Array, bytes: Uint8Array, end: number): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  for (let offset = 0; offset < end; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + i * 4);
    for (let i = 16; i < 64; i++) {
      const x = at(w, i - 15);
      const y = at(w, i - 2);
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (at(w, i - 16) + s0 + at(w, i - 7) + s1) | 0;
    }
    let a = at(state, 0);
    let b = at(state, 1);
    let c = at(state, 2);
    let d = at(state, 3);
    let e = at(state, 4);
    let f = at(state, 5);
    let g = at(state, 6);
    let h = at(state, 7);
    for (let i = 0; i < 64; i += 8) {
      h =
        (h +
          (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) +
          (g ^ (e & (f ^ g))) +
          (ROUND[i] as number) +
          (w[i] as number)) |
        0;
      d = (d + h) | 0;
      h =
        (h +
          (((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) +
          ((a & b) | (c & (a | b)))) |
        0;
      g =
        (g +
          (((d >>> 6) | (d << 26)) ^ ((d >>> 11) | (d << 21)) ^ ((d >>> 25) | (d << 7))) +
          (f ^ (d & (e ^ f))) +
          (ROUND[i + 1] as number) +
          (w[i + 1] as number)) |
        0;
      c = (c + g) | 0;
      g =
        (g +
          (((h >>> 2) | (h << 30)) ^ ((h >>> 13) | (h << 19)) ^ ((h >>> 22) | (h << 10))) +
          ((h & a) | (b & (h | a)))) |
        0;
      f =
        (f +
          (((c >>> 6) | (c << 26)) ^ ((c >>> 11) | (c << 21)) ^ ((c >>> 25) | (c << 7))) +
          (e ^ (c & (d ^ e))) +
          (ROUND[i + 2] as number) +
          (w[i + 2] as number)) |
        0;
      b = (b + f) | 0;
      f =
        (f +
          (((g >>> 2) | (g << 30)) ^ ((g >>> 13) | (g << 19)) ^ ((g >>> 22) | (g << 10))) +
          ((g & h) | (a & (g | h)))) |
        0;
      e =
        (e +
          (((b >>> 6) | (b << 26)) ^ ((b >>> 11) | (b << 21)) ^ ((b >>> 25) | (b << 7))) +
          (d ^ (b & (c ^ d))) +
          (ROUND[i + 3] as number) +
          (w[i + 3] as number)) |
        0;
      a = (a + e) | 0;
      e =
        (e +
          (((f >>> 2) | (f << 30)) ^ ((f >>> 13) | (f << 19)) ^ ((f >>> 22) | (f << 10))) +
          ((f & g) | (h & (f | g)))) |
        0;
      d =
        (d +
          (((a >>> 6) | (a << 26)) ^ ((a >>> 11) | (a << 21)) ^ ((a >>> 25) | (a << 7))) +
          (c ^ (a & (b ^ c))) +
          (ROUND[i + 4] as number) +
          (w[i + 4] as number)) |
        0;
      h = (h + d) | 0;
      d =
        (d +
          (((e >>> 2) | (e << 30)) ^ ((e >>> 13) | (e << 19)) ^ ((e >>> 22) | (e << 10))) +
          ((e & f) | (g & (e | f)))) |
        0;
      c =
        (c +
          (((h >>> 6) | (h << 26)) ^ ((h >>> 11) | (h << 21)) ^ ((h >>> 25) | (h << 7))) +
          (b ^ (h & (a ^ b))) +
          (ROUND[i + 5] as number) +
          (w[i + 5] as number)) |
        0;
      g = (g + c) | 0;
      c =
        (c +
          (((d >>> 2) | (d << 30)) ^ ((d >>> 13) | (d << 19)) ^ ((d >>> 22) | (d << 10))) +
          ((d & e) | (f & (d | e)))) |
        0;
      b =
        (b +
          (((g >>> 6) | (g << 26)) ^ ((g >>> 11) | (g << 21)) ^ ((g >>> 25) | (g << 7))) +
          (a ^ (g & (h ^ a))) +
          (ROUND[i + 6] as number) +
          (w[i + 6] as number)) |
        0;
      f = (f + b) | 0;
      b =
        (b +
          (((c >>> 2) | (c << 30)) ^ ((c >>> 13) | (c << 19)) ^ ((c >>> 22) | (c << 10))) +
          ((c & d) | (e & (c | d)))) |
        0;
      a =
        (a +
          (((f >>> 6) | (f << 26)) ^ ((f >>> 11) | (f << 21)) ^ ((f >>> 25) | (f << 7))) +
          (h ^ (f & (g ^ h))) +
          (ROUND[i + 7] as number) +
          (w[i + 7] as number)) |
        0;
      e = (e + a) | 0;
      a =
        (a +
          (((b >>> 2) | (b << 30)) ^ ((b >>> 13) | (b << 19)) ^ ((b >>> 22) | (b << 10))) +
          ((b & c) | (d & (b | c)))) |
        0;
    }
    state[0] = at(state, 0) + a;
    state[1] = at(state, 1) + b;
    state[2] = at(state, 2) + c;
    state[3] = at(state, 3) + d;
    state[4] = at(state, 4) + e;
    state[5] = at(state, 5) + f;
    state[6] = at(state, 6) + g;
    state[7] = at(state, 7) + h;
  }
};

const digest = (bytes: Uint8Array): Int32Array => {
  const state = new Int32Array(START);
  const whole = bytes.length - (bytes.length % 64);
  addBlocks(state, bytes, whole);
  const last = padded(bytes, whole);
  addBlocks(state, last, last.length);
  return state;
};

const encoder = new TextEncoder();

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hex = (byte: number): string => HEX[byte & 0xff] as string;

/** SHA-256 in lower-case hex; a string is hashed as UTF-8. */
export const sha256 = (data: string | Uint8Array): string => {
  let text = '';
  for (const word of digest(typeof data === 'string' ? encoder.encode(data) : data))
    text += hex(word >>> 24) + hex(word >>> 16) + hex(word >>> 8) + hex(word);
  return text;
};
