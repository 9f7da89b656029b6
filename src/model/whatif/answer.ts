/** Everything that is said about one policy, in one go: the page and the terminal ask the same (WIF15, WIF19). */
import { MODEL_BOOK, modelFacts } from '../provider/model-book.ts';
import { groupDigits } from '../../base/text.ts';
import type { BreakpointMode } from '../provider/types.ts';
import { type Advice, adviceFor, harnessIn } from './advice.ts';
import { type Movable, movables } from './move.ts';
import { stableSize } from './padding.ts';
import type { Prepared } from './prepare.ts';
import { savingsOf, type SwitchSaving, unavailable } from './switches.ts';
import type { Policy, Switch, WhatIf } from './types.ts';
import { forecastUsd, whatIf } from './whatif.ts';

/** One position of a switch, as it is offered. */
export interface Offer {
  readonly name: Switch;
  /** Two or three words. */
  readonly label: string;
  readonly change: Policy;
  readonly isOn: boolean;
  /** USD that it saves beside the switches that are on; negative where it costs more; absent where that is unknown. */
  readonly saves: number | undefined;
}

export interface WhatIfAnswer {
  readonly result: WhatIf;
  readonly switches: readonly SwitchSaving[];
  readonly offers: readonly Offer[];
  /** Switches that this recording cannot answer, and why. */
  readonly closed: Readonly<Partial<Record<Switch, string>>>;
  /** Models of the same provider, by id. */
  readonly models: readonly string[];
  readonly harness: string | undefined;
  readonly advice: readonly Advice[];
  readonly movable: readonly Movable[];
}

const MODES: readonly (readonly [BreakpointMode, string])[] = [
  ['static', 'Static breakpoints'],
  ['rolling', 'Rolling breakpoints'],
  ['automatic', 'Automatic breakpoint'],
  ['off', 'No caching'],
];

/** The highest cache floor that a stable prompt of this recording is below. */
const floorAbove = ({ steps, book }: Prepared): number | undefined => {
  const floors = steps.flatMap((step) => {
    const { caching, floor } = modelFacts(step.request.model, book);
    const size = caching === 'anthropic' ? stableSize(step, book) : undefined;
    return floor !== undefined && size !== undefined && size < floor ? [floor] : [];
  });
  return floors.length > 0 ? Math.max(...floors) : undefined;
};

const changesOf = (
  movable: readonly Movable[],
  floor: number | undefined,
): readonly Omit<Offer, 'isOn' | 'saves'>[] => [
  { name: 'ttl', label: '5-minute TTL', change: { ttl: '5m' } },
  { name: 'ttl', label: '1-hour TTL', change: { ttl: '1h' } },
  ...MODES.map(([mode, label]) => ({ name: 'breakpoints' as const, label, change: { breakpoints: mode } })),
  { name: 'tools', label: 'Sort tools', change: { tools: 'sorted' } },
  { name: 'tools', label: 'Freeze tools', change: { tools: 'frozen' } },
  ...(movable.length > 0
    ? [{ name: 'move' as const, label: 'Move changing lines', change: { move: movable.map(({ label }) => label) } }]
    : []),
  ...(floor === undefined
    ? []
    : [
        {
          name: 'padding' as const,
          label: `Pad to ${groupDigits(floor)} tokens`,
          change: { padding: { tokens: floor } },
        },
      ]),
  { name: 'subAgents', label: 'Sub-agents apart', change: { subAgents: 'apart' } },
  { name: 'subAgents', label: 'Sub-agents together', change: { subAgents: 'together' } },
];

const without = (policy: Policy, name: Switch): Policy => {
  const { [name]: _gone, ...rest } = policy;
  return rest;
};

const SWITCH_NAMES: readonly Switch[] = ['ttl', 'breakpoints', 'tools', 'move', 'model', 'subAgents', 'padding'];

/** Any model that this wire could name. */
const modelsBeside = ({ steps, book = MODEL_BOOK }: Prepared): readonly string[] => {
  const [first] = steps;
  const own = first && modelFacts(first.call.model, book);
  return own ? [...book.values()].filter(({ caching }) => caching === own.caching).map(({ id }) => id) : [];
};

export const answerWhatIf = async (prepared: Prepared, policy: Policy): Promise<WhatIfAnswer> => {
  const result = await whatIf(prepared, policy);
  const movable = movables(prepared.steps);
  const closed = Object.fromEntries(
    SWITCH_NAMES.flatMap((name) => {
      const why = unavailable(prepared, name);
      return why === undefined ? [] : [[name, why]];
    }),
  );
  const offers: Offer[] = [];
  for (const { name, label, change } of changesOf(movable, floorAbove(prepared))) {
    if (closed[name] !== undefined) continue;
    const isOn = JSON.stringify(policy[name]) === JSON.stringify(change[name]);
    const base = await forecastUsd(prepared, without(policy, name));
    const changed = await forecastUsd(prepared, { ...policy, ...change });
    offers.push({
      name,
      label,
      change,
      isOn,
      saves: base === undefined || changed === undefined ? undefined : base - changed,
    });
  }
  return {
    result,
    switches: await savingsOf(prepared, policy),
    offers,
    closed,
    models: modelsBeside(prepared),
    harness: harnessIn(prepared),
    advice: adviceFor(prepared, policy),
    movable,
  };
};

/** The switch that repairs a cause, where one does. `place` is that of the verdict. */
export const repairOf = (cause: string, place: string): Policy | undefined => {
  switch (cause) {
    case 'ttl-expired':
      return { ttl: '1h' };
    case 'conversation-not-cached':
    case 'breakpoint-on-unique-block':
    case 'lookback-overflow':
    case 'marker-fault':
      return { breakpoints: 'rolling' };
    case 'tool-order':
      return { tools: 'sorted' };
    case 'tools-changed':
    case 'late-tool-list':
      return { tools: 'frozen' };
    case 'volatile-value-in-system':
    case 'date-line':
    case 'shared-prefix-differs':
      return /^system\[\d+\]/.test(place) ? { move: [place] } : undefined;
    case 'parallel-requests':
      return { subAgents: 'apart' };
    default:
      return undefined;
  }
};
