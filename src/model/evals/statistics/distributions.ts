/** The distributions that intervals and tests need, to about 1e-12. */

/** The 97.5% point of the normal distribution. */
export const Z = 1.959963984540054;

// Lanczos, g = 7, n = 9.
const LANCZOS = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
] as const;

const lnGamma = (x: number): number => {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x);
  const t = x + 6.5;
  let sum = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += (LANCZOS[i] as number) / (x - 1 + i);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
};

export const lnBeta = (a: number, b: number): number => lnGamma(a) + lnGamma(b) - lnGamma(a + b);

const MOST_STEPS = 500;
const TINY = 1e-300;

/** The continued fraction of the incomplete beta function, by Lentz's method. */
const betaFraction = (x: number, a: number, b: number): number => {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MOST_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return fraction;
};

/** The share of the beta distribution below `x`. */
export const betaBelow = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - lnBeta(a, b));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
};

/** Where a rising function of [low, high] reaches `target`. */
const bisect = (rising: (x: number) => number, target: number, low: number, high: number): number => {
  let [from, to] = [low, high];
  for (let step = 0; step < 200 && to - from > 1e-15 * Math.max(1, Math.abs(to)); step++) {
    const middle = (from + to) / 2;
    if (rising(middle) < target) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
};

export const betaPoint = (share: number, a: number, b: number): number =>
  bisect((x) => betaBelow(x, a, b), share, 0, 1);

/** The 97.5% point of Student's t distribution. */
export const tPoint = (degrees: number): number => {
  const above = (t: number): number => betaBelow(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  return bisect((t) => -above(t), -0.025, 0, 1e3);
};
