/** Switches of a policy: what each one saves given the others, and which of them mean nothing here (WIF14, WIF15). */
import { modelFacts } from '../provider/model-book.ts';
import type { Prepared } from './prepare.ts';
import { type Placement, type Policy, type Switch, SWITCHES } from './types.ts';
import { forecastUsd } from './whatif.ts';

export interface SwitchSaving {
  readonly name: Switch;
  /** USD less than without it, the other switches as they are; negative where it costs more; absent where that is unknown. */
  readonly usd: number | undefined;
  /** Why it changes nothing beside the others. */
  readonly moot?: string;
}

const without = (policy: Policy, name: Switch): Policy => {
  const { [name]: _gone, ...rest } = policy;
  return rest;
};

/** Switches act on different parts of a request. Where one takes away what another acts on, this says so. */
const mootIn = (policy: Policy, name: Switch): string | undefined => {
  const { breakpoints } = policy;
  if (
    name === 'ttl' &&
    Array.isArray(breakpoints) &&
    breakpoints.length > 0 &&
    breakpoints.every(({ ttl }: Placement) => ttl)
  )
    return 'Each breakpoint has a TTL of its own.';
  const isOff = policy.breakpoints === 'off' || (Array.isArray(policy.breakpoints) && policy.breakpoints.length === 0);
  if (!isOff) return undefined;
  if (name === 'ttl') return 'Without breakpoints nothing has a TTL.';
  if (name === 'padding' || name === 'subAgents')
    return 'Without breakpoints nothing is cached, so this saves nothing.';
  return undefined;
};

/** Why a switch cannot be turned on for this recording; absent where it can. */
export const unavailable = ({ steps, calls, book }: Prepared, name: Switch): string | undefined => {
  if (steps.length === 0) return 'No request of this recording has a known body.';
  const isMarked = steps.some(({ request }) => modelFacts(request.model, book).caching === 'anthropic');
  if ((name === 'ttl' || name === 'breakpoints') && !isMarked)
    return 'This provider sets its own breakpoints, so you can’t change them.';
  if (name === 'ttl' && calls.every(({ call }) => call.isTimeless === true))
    return 'The recording has no times, so no entry is known to expire.';
  const isRebuilt = steps.every(({ call }) => call.known === 'reconstructed');
  if (isRebuilt && (name === 'breakpoints' || name === 'tools' || name === 'move' || name === 'padding'))
    return 'A transcript doesn’t hold the tools and the system prompt. Record whole requests to change them.';
  if (name === 'tools' && !steps.some(({ items }) => items.some(({ block }) => block.tier === 'tools')))
    return 'No request has tools.';
  if (
    name === 'subAgents' &&
    new Set(steps.filter(({ chain }) => chain.kind === 'sub-agent').map(({ chain }) => chain.id)).size < 2
  )
    return 'The recording has no two sub-agents that start side by side.';
  return undefined;
};

/** Of every switch that is on. */
export const savingsOf = async (prepared: Prepared, policy: Policy): Promise<readonly SwitchSaving[]> => {
  const total = await forecastUsd(prepared, policy);
  const savings: SwitchSaving[] = [];
  for (const name of SWITCHES) {
    if (policy[name] === undefined) continue;
    const alone = await forecastUsd(prepared, without(policy, name));
    const moot = mootIn(policy, name);
    savings.push({
      name,
      usd: alone === undefined || total === undefined ? undefined : alone - total,
      ...(moot !== undefined && { moot }),
    });
  }
  return savings;
};
