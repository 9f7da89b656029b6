import { err, ok, type Result } from '../base/result.ts';
import { parseNoise, type SimNoise } from '../model/simulator/behaviour/noise.ts';

export const readNoise = (text: string | undefined): Result<SimNoise | undefined, string> => {
  if (text === undefined) return ok(undefined);
  const noise = parseNoise(text);
  return noise.ok ? noise : err(`invalid --noise '${text}'; expected ${noise.error}`);
};
