/** Sub-agents started one after the other, or all together (WIF10). */
import type { Step, SubAgentPolicy } from './types.ts';

const shifted = (step: Step, by: number): Step =>
  by === 0
    ? step
    : {
        ...step,
        startedAt: step.startedAt + by,
        firstByteAt: step.firstByteAt + by,
        endedAt: step.endedAt + by,
      };

interface Lane {
  readonly id: string;
  readonly parent: string | undefined;
  readonly steps: readonly Step[];
}

const lanesOf = (steps: readonly Step[]): readonly Lane[] => {
  const lanes = new Map<string, { id: string; parent: string | undefined; steps: Step[] }>();
  for (const step of steps) {
    const lane = lanes.get(step.chain.id);
    if (lane) lane.steps.push(step);
    else lanes.set(step.chain.id, { id: step.chain.id, parent: step.chain.parent, steps: [step] });
  }
  return [...lanes.values()];
};

const startOf = ({ steps }: Lane): number => steps[0]?.startedAt ?? 0;
const endOf = ({ steps }: Lane): number => Math.max(...steps.map(({ endedAt }) => endedAt));

/** Sub-agents of one conversation that were started by one answer: nothing of the conversation is sent between their starts. */
const fanOuts = (lanes: readonly Lane[]): readonly (readonly Lane[])[] => {
  const groups = new Map<string, Lane[]>();
  for (const lane of lanes) {
    const [first] = lane.steps;
    if (first?.chain.kind !== 'sub-agent') continue;
    const parent = lanes.find(({ id }) => id === lane.parent);
    const turn = parent?.steps.findLast(({ startedAt }) => startedAt <= startOf(lane))?.key ?? '';
    const key = `${lane.parent ?? ''} ${turn}`;
    groups.set(key, [...(groups.get(key) ?? []), lane]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
};

/** How much later each sub-agent of a group starts. */
const shiftsOf = (group: readonly Lane[], policy: SubAgentPolicy): readonly number[] => {
  const earliest = Math.min(...group.map(startOf));
  if (policy === 'together') return group.map((lane) => earliest - startOf(lane));
  const shifts: number[] = [];
  let readable = -Infinity;
  for (const lane of group) {
    const by = Math.max(0, readable - startOf(lane));
    shifts.push(by);
    readable = (lane.steps[0]?.firstByteAt ?? 0) + by;
  }
  return shifts;
};

export const withSchedule = (steps: readonly Step[], policy: SubAgentPolicy | undefined): readonly Step[] => {
  if (policy === undefined) return steps;
  const lanes = lanesOf(steps);
  const shifts = new Map<string, number>();
  // What waited for the last of a group starts that much later, or earlier.
  const joins: { readonly after: number; readonly by: number; readonly group: ReadonlySet<string> }[] = [];
  for (const group of fanOuts(lanes)) {
    const own = shiftsOf(
      group.toSorted((a, b) => startOf(a) - startOf(b)),
      policy,
    );
    const sorted = group.toSorted((a, b) => startOf(a) - startOf(b));
    sorted.forEach((lane, index) => shifts.set(lane.id, own[index] ?? 0));
    const before = Math.max(...sorted.map(endOf));
    const after = Math.max(...sorted.map((lane, index) => endOf(lane) + (own[index] ?? 0)));
    joins.push({ after: before, by: after - before, group: new Set(sorted.map(({ id }) => id)) });
  }
  return steps
    .map((step) => {
      const later = joins
        .filter(({ after, group }) => !group.has(step.chain.id) && step.startedAt >= after)
        .reduce((sum, { by }) => sum + by, 0);
      return shifted(step, (shifts.get(step.chain.id) ?? 0) + later);
    })
    .toSorted((a, b) => a.startedAt - b.startedAt || Number(a.key) - Number(b.key));
};
