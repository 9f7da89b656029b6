/** What a session adds to the provider's time: per event, and as it grows. */
import { silentLog } from '../src/base/log.ts';
import { createUlid } from '../src/base/ulid.ts';
import { createJournal } from '../src/model/event/journal.ts';
import { openWorkspace } from '../src/model/workspace/open-workspace.ts';
import { startSession } from '../src/model/session/session.ts';
import type { Shadow } from '../src/model/session/shadow.ts';
import { createNeighbors } from '../src/model/session/verdicts.ts';
import { createPendingTree } from '../src/model/tool/pending-tree.ts';
import { createPolicy } from '../src/model/tool/policy.ts';
import { after } from '../src/platform/delay.ts';
import { createMemoryTree } from '../src/platform/fs/memory-tree.ts';
import type { CanonicalRequest } from '../src/model/provider/types.ts';
import { createMemoryProvider, type MemoryScript } from '../src/platform/provider/memory-provider.ts';
import { report } from './measure.ts';

const TURNS = 400;
const MOST_MICROSECONDS = 20;

const noShadow: Shadow = {
  begin: () => Promise.resolve(undefined),
  forecast: () => Promise.resolve(undefined),
  change: () => Promise.resolve(undefined),
  sizes: () => ({ hidden: 0, blocks: [] }),
  measure: () => Promise.resolve(undefined),
  counted: () => {
    throw new Error('nothing is forecast here');
  },
  entries: () => [],
  ofSession: (_session, entries) => entries,
  neighbors: createNeighbors(),
  clear: () => {},
};

const tree = createMemoryTree({ 'a.txt': 'A' }, 'bench');
const workspace = await openWorkspace({ project: { tree } }, { profile: 'standard', dialect: 'metis', log: silentLog });

/** Every turn calls one tool, as an agent does. */
const script: MemoryScript = (_, index) =>
  index % 2 === 0
    ? { content: [{ type: 'tool_use', id: `t${index}`, name: 'read_file', input: { path: 'a.txt' } }] }
    : `Answer number ${index}.`;

interface Ran {
  /** Milliseconds of every turn. */
  readonly times: readonly number[];
  readonly events: number;
  readonly requests: readonly CanonicalRequest[];
}

const run = async (turns: number): Promise<Ran> => {
  const now = (): number => performance.timeOrigin + performance.now();
  const ulid = createUlid({ now, random: Math.random });
  const journal = createJournal({ sessionId: 'sess_bench', now, ulid });
  const provider = createMemoryProvider(script);
  const session = startSession(
    { workspaceName: 'bench', workspace, padding: 'off' },
    { journal, client: () => provider, scope: () => 'k', now, newId: ulid, after, shadow: noShadow, log: silentLog },
    {
      files: createPendingTree(tree),
      policy: createPolicy(),
      hostSkills: { find: () => undefined },
      engine: () => Promise.resolve(undefined),
      platform: 'bench',
    },
  );
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const started = performance.now();
    await session.send(`Question number ${turn}, please answer.`);
    times.push(performance.now() - started);
  }
  return { times, events: journal.events.length, requests: provider.requests };
};

/** The provider alone, with the very requests of a session: building and writing their bodies is its work. */
const bare = async (requests: readonly CanonicalRequest[]): Promise<number> => {
  const provider = createMemoryProvider(script);
  const started = performance.now();
  for (const request of requests) await provider.call(request, { onEvent: () => {} });
  return performance.now() - started;
};

await run(50);
let best = Infinity;
let growth = Infinity;
const mean = (list: readonly number[]): number => list.reduce((sum, time) => sum + time, 0) / list.length;
for (let round = 0; round < 5; round++) {
  // Short sessions, so that events are measured and not the growing body; what starting one costs is not counted.
  let [spent, events, alone] = [0, 0, 0];
  for (let session = 0; session < 30; session++) {
    const short = await run(8);
    spent += short.times.reduce((sum, time) => sum + time, 0);
    events += short.events - 2;
    alone += await bare(short.requests);
  }
  best = Math.min(best, ((spent - alone) * 1000) / events);
  const { times } = await run(TURNS);
  growth = Math.min(growth, mean(times.slice(-40)) / mean(times.slice(60, 100)));
}
report('per event, in microseconds, without the provider', best, { atMost: MOST_MICROSECONDS });
// A body is written whole for every call, so a turn costs what its body has: five times as long, at most five times as much.
report('a turn near the 400th, against one near the 80th', growth, { atMost: 5 });
