/** Seeded noise for the simulator's picks, so that repeats differ and rates have something to measure. It imitates no model. */
import { sha256 } from '../../../base/hash.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { Jitter } from './pick-skill.ts';

export interface SimNoise {
  /** In scores: 1 is one word that no other skill of the index has. */
  readonly scale: number;
  readonly seed: string;
}

const MOST = 10;
const EULER = 0.577_215_664_901_532_9;

/** `0.5`, or `0.5:SEED`. */
export const parseNoise = (text: string): Result<SimNoise, string> => {
  const [, scale = '', seed = '1'] = /^(\d+(?:\.\d+)?)(?::(\S+))?$/.exec(text.trim()) ?? [];
  const value = Number(scale);
  return scale !== '' && value > 0 && value <= MOST
    ? ok({ scale: value, seed })
    : err(`a scale above 0, up to ${MOST}, and an optional seed, such as 0.5 or 0.5:SEED`);
};

/** In (0, 1). */
const uniform = (text: string): number => (Number.parseInt(sha256(text).slice(0, 13), 16) + 0.5) / 2 ** 52;

/** Gumbel noise around 0: with it, the highest score wins as in a softmax of the scores. The same draw gives the same noise. */
export const createJitter =
  ({ scale, seed }: SimNoise, draw: string): Jitter =>
  (skill) =>
    scale * (-Math.log(-Math.log(uniform(JSON.stringify([seed, draw, skill])))) - EULER);
