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

const addBlock = (state: Int32Array, view: DataView, offset: number): void => {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = at(w, i - 15);
    const y = at(w, i - 2);
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (at(w, i - 16) + s0 + at(w, i - 7) + s1) | 0;
  }
  let [a, b, c, d] = [at(state, 0), at(state, 1), at(state, 2), at(state, 3)];
  let [e, f, g, h] = [at(state, 4), at(state, 5), at(state, 6), at(state, 7)];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(ROUND, i) + at(w, i)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
};

const digest = (bytes: Uint8Array): Int32Array => {
  const state = new Int32Array(START);
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let offset = 0; offset < whole; offset += 64) addBlock(state, view, offset);
  const last = padded(bytes, whole);
  const lastView = new DataView(last.buffer);
  for (let offset = 0; offset < last.length; offset += 64) addBlock(state, lastView, offset);
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
