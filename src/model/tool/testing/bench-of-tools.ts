/** A dispatcher with its journal, its clock and whatever tools a test wants. */
import type { Json } from '../../../base/json.ts';
import { createUlid } from '../../../base/ulid.ts';
import { createJournal, type Journal } from '../../event/journal.ts';
import type { EventOf, EventType } from '../../event/types.ts';
import type { ToolResultBlock, ToolUseBlock } from '../../provider/types.ts';
import { createDispatcher, type DispatchContext, type Dispatcher, type DispatcherDeps } from '../dispatcher.ts';
import { createPolicy } from '../policy.ts';
import type { Tool, ToolContext, ToolOutput } from '../types.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

export interface Bench {
  readonly clock: FakeClock;
  readonly journal: Journal;
  readonly dispatcher: Dispatcher;
  readonly cancel: (reason?: string) => void;
  /** How often the outer clock was told to wait, and to continue. */
  readonly waits: boolean[];
  readonly call: (name: string, input: Json, more?: Partial<DispatchContext>) => Promise<ToolResultBlock>;
  readonly dispatch: (
    calls: readonly ToolUseBlock[],
    more?: Partial<DispatchContext>,
  ) => Promise<readonly ToolResultBlock[]>;
  readonly types: () => string[];
  readonly find: <T extends EventType>(type: T) => readonly EventOf<T>[];
}

export const PARENT = '01ARYZ6S410000000000000000';
export const TURN = 'turn-1';

let uses = 0;
export const use = (name: string, input: Json, malformed?: string): ToolUseBlock => ({
  type: 'tool_use',
  id: `tu_${++uses}`,
  name,
  input,
  ...(malformed !== undefined && { malformed }),
});

type Run = (input: Json, context: ToolContext) => Promise<ToolOutput>;

export const makeTool = (name: string, run: Run, more: Partial<Tool> = {}): Tool => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  sideEffects: 'read',
  requiresWorkspace: false,
  run,
  ...more,
});

export const createBench = (
  tools: readonly Tool[] | ((journal: Journal) => readonly Tool[]),
  more: Partial<DispatcherDeps> = {},
): Bench => {
  const clock = createFakeClock();
  let seed = 0;
  const ulid = createUlid({
    now: clock.now,
    random: () => (seed = (seed * 16_807 + 7) % 2_147_483_647) / 2_147_483_647,
  });
  const journal = createJournal({ sessionId: 'sess_1', now: clock.now, ulid });
  const dispatcher = createDispatcher({
    tools: typeof tools === 'function' ? tools(journal) : tools,
    emit: (draft) => journal.append(draft).id,
    policy: createPolicy(),
    now: clock.now,
    after: clock.after,
    newId: ulid,
    ...more,
  });
  const controller = new AbortController();
  const waits: boolean[] = [];
  const dispatch: Bench['dispatch'] = (calls, context) =>
    dispatcher.dispatch(calls, {
      turnId: TURN,
      depth: 0,
      parent: PARENT,
      signal: controller.signal,
      setWaiting: (waiting) => void waits.push(waiting),
      ...context,
    });
  return {
    clock,
    journal,
    dispatcher,
    waits,
    cancel: (reason) => controller.abort(reason),
    dispatch,
    call: async (name, input, context) => {
      const [result] = await dispatch([use(name, input)], context);
      if (!result) throw new Error('no result');
      return result;
    },
    types: () => journal.events.map(({ type }) => type),
    find: (type) => journal.events.filter((event) => event.type === type) as never,
  };
};
