/** What the padding calculator calculates with: the first request of a session without padding, and with it. */
import { prefixCall, type PrefixCall } from '../cache/padding-cost.ts';
import { firstRequest } from './session-request.ts';
import { measuredCall, type ImagineDeps } from './imagine.ts';
import { DEFAULT_SETTINGS, planSession, type PlannedSession, type SessionPlan } from './start.ts';

export interface PaddingBasis {
  readonly natural: PrefixCall;
  readonly padded: PrefixCall;
  /** The natural prefix by the estimate that decides padding, and the size that padding aims at; nothing: it never pads. */
  readonly estimate: number;
  readonly min: number | undefined;
}

/** `plan` says how it is padded. Nothing where a request cannot be read or counted. */
export const paddingBasis = async (
  deps: ImagineDeps,
  plan: SessionPlan,
  volatile: string,
  message?: string,
): Promise<PaddingBasis | undefined> => {
  const settings = { ...DEFAULT_SETTINGS, ...plan.settings };
  const callOf = async (planned: PlannedSession): Promise<PrefixCall | undefined> => {
    const request = firstRequest(planned, settings, volatile, message);
    const call = await measuredCall(deps, { settings, request });
    // Tools come first, then the stable prompt, which is the first system block on every wire.
    const stable = call?.request.blocks.findIndex(({ tier }) => tier === 'system') ?? -1;
    return call && prefixCall(call, stable === -1 ? call.request.blocks.length - 1 : stable);
  };
  const [bare, full] = [planSession({ ...plan, padding: 'off' }), planSession(plan)];
  const [natural, padded] = [await callOf(bare), await callOf(full)];
  const { natural: estimate, target } = full.prompt;
  return natural && padded && { natural, padded, estimate, min: target.min };
};
