/** Skills of strangers are judged and scanned in workers, with a time limit. SPEC.md TMW. */
import type { ScanInput } from '../../model/scan/scan-skill.ts';
import type { SkillScan } from '../../model/scan/types.ts';
import type { Diagnostic, Profile, SkillInput } from '../../model/skill/types.ts';
import type { JudgeApart } from '../../model/skill/weight.ts';
import { createTimedWorker, type TimedWorkerDeps } from './timed-worker.ts';

export interface Apart {
  readonly judge: JudgeApart;
  /** The text with its safe fixes: `null` if there was nothing to fix, `undefined` if the time was not enough. */
  readonly fix: (input: SkillInput, profile: Profile) => Promise<string | null | undefined>;
  /** Nothing where the time was not enough. */
  readonly scan: (input: ScanInput) => Promise<SkillScan | undefined>;
}

const JUDGE_MS = 2000;
const SCAN_MS = 20_000;

/** Two workers: a long scan holds up no check. */
export const createApart = (deps: TimedWorkerDeps): Apart => {
  const judging = createTimedWorker(deps);
  const scanning = createTimedWorker(deps);
  // The workers are of the same build: their answers are what they say.
  return {
    judge: async (input, profile) =>
      (await judging.ask('judge', { input, profile }, JUDGE_MS)) as readonly Diagnostic[] | undefined,
    fix: async (input, profile) =>
      (await judging.ask('fix', { input, profile }, JUDGE_MS)) as string | null | undefined,
    scan: async (input) => (await scanning.ask('scan', input, SCAN_MS)) as SkillScan | undefined,
  };
};
