import type { HostSkill } from '../../model/metaskill/host-types.ts';

/** Why a metaskill cannot be started now. */
export const forbiddenReason = (skill: HostSkill | undefined, isTaken: boolean): string | undefined => {
  if (isTaken) return 'Something is running. Stop it, or wait for its end.';
  return skill?.refusal === undefined
    ? undefined
    : 'Your settings don’t allow this metaskill. Change them in Settings.';
};
