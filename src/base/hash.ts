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
const ROUND = Uint32Array.from(PRIMES, (prime) => fractionalBits(Math.cbrt(prime)));
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fractionalBits(Math.sqrt(prime)));

const padded = (bytes: Uint8Array): Uint8Array => {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const out = new Uint8Array(blocks * 64);
  out.set(bytes);
  out[bytes.length] = 0x80;
  const view = new DataView(out.buffer);
  view.setUint32(out.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(out.length - 4, (bytes.length << 3) >>> 0);
  return out;
};

const at = (words: Uint32Array, index: number): number => words[index] as number;

const digest = (bytes: Uint8Array): Uint32Array => {
  const data = padded(bytes);
  const view = new DataView(data.buffer);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let offset = 0; offset < data.length; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
    for (let i = 16; i < 64; i++) {
      const x = at(w, i - 15);
      const y = at(w, i - 2);
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (at(w, i - 16) + s0 + at(w, i - 7) + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
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
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      state[i] = (at(state, i) + word) | 0;
    });
  }
  return state;
};

const encoder = new TextEncoder();

/** SHA-256 in lower-case hex; a string is hashed as UTF-8. */
export const sha256 = (data: string | Uint8Array): string =>
  Array.from(digest(typeof data === 'string' ? encoder.encode(data) : data), (word) =>
    word.toString(16).padStart(8, '0'),
  ).join('');
