import type { HostSkill } from '../../model/metaskill/host-types.ts';

/** Why a metaskill cannot be started now. */
export const forbiddenReason = (skill: HostSkill | undefined, isTaken: boolean): string | undefined => {
  if (isTaken) return 'A turn or run is in progress. Stop it, or wait until it ends.';
  return skill?.refusal === undefined
    ? undefined
    : 'Your settings don’t allow this metaskill. Change them in Settings.';
};
