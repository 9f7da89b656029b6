/** An agent that plays one script under any policy against the simulator, and records what it was billed. */
import { createMemoryTokenizer } from '../../../platform/tokenizer/memory-tokenizer.ts';
import type { BreakpointMode, Ttl, Usage } from '../../provider/types.ts';
import { ANTHROPIC, newSimulator, START_MS, type Told } from '../../simulator/testing/simulate.ts';
import type { Call, Conversation } from '../../traffic/call.ts';
import { explainCalls } from '../../traffic/explainer.ts';
import { prepareWhatIf, type Prepared } from '../prepare.ts';

export interface AgentPolicy {
  readonly model: string;
  readonly mode: BreakpointMode;
  readonly ttl: Ttl;
  readonly isSorted: boolean;
  /** Where the value is that is another one in every request: a system block of its own, a line of the stable one, or the conversation. */
  readonly value: 'block' | 'line' | 'moved';
  readonly padding: string;
  readonly subAgents: 'apart' | 'together';
}

export interface Script {
  /** Words of the stable prompt. */
  readonly words: number;
  readonly turns: readonly { readonly pauseMs: number; readonly words: number }[];
  /** Started by the answer of the second turn; how many requests each makes. */
  readonly subAgents: readonly number[];
  readonly firstByteMs: number;
}

/** From the first byte to the end of an answer. */
const STREAM_MS = 2_000;
/** Between two requests of a sub-agent. */
const STEP_MS = 1_000;

const TOOLS = ['alpha', 'beta', 'gamma'].map((name) => ({
  name,
  description: `Does ${name} things.`,
  input_schema: { type: 'object', properties: {} },
}));

const prose = (words: number, seed: string): string =>
  Array.from({ length: words }, (_, index) => `${seed}${index % 97}`).join(' ');

interface Planned {
  readonly body: string;
  readonly startedAt: number;
  readonly conversation: Conversation;
}

type Json = Readonly<Record<string, unknown>>;

const bodyOf = (policy: AgentPolicy, script: Script, lane: string, turn: number, serial: number): string => {
  const { model, mode, ttl, isSorted, value, padding } = policy;
  const marker = { cache_control: { type: 'ephemeral', ...(ttl === '1h' && { ttl }) } };
  const isStatic = mode === 'static' || mode === 'rolling';
  // Sub-agents have a prompt without the value.
  const hasValue = lane === 'main';
  const at = (index: number): string => `Serial number ${index}.`;
  const stable = prose(script.words, lane === 'main' ? 'rule' : 'duty');
  const tools = isSorted ? TOOLS : [...TOOLS.slice(serial % 3), ...TOOLS.slice(0, serial % 3)];
  const line = hasValue && value === 'line' ? `\n${at(serial)}` : '';
  const messages = Array.from({ length: turn + 1 }, (_, index): readonly Json[] => {
    const isLast = index === turn;
    const words = lane === 'main' ? (script.turns[index]?.words ?? 1) : 30;
    const content: Json[] = [{ type: 'text', text: prose(words, `${lane}${index}w`) }];
    if (hasValue && value === 'moved') content.push({ type: 'text', text: at(serial - turn + index) });
    const last = content.length - 1;
    const user = {
      role: 'user',
      content: content.map((part, place) =>
        isLast && mode === 'rolling' && place === last ? Object.assign({}, part, marker) : part,
      ),
    };
    return isLast ? [user] : [user, { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] }];
  }).flat();
  return JSON.stringify({
    model,
    max_tokens: 100,
    ...(mode === 'automatic' && marker),
    tools: tools.map((tool, index) =>
      isStatic && index === tools.length - 1 ? Object.assign({}, tool, marker) : tool,
    ),
    system: [
      { type: 'text', text: `${stable}${line}${padding}`, ...(isStatic && marker) },
      ...(hasValue && value === 'block' ? [{ type: 'text', text: at(serial) }] : []),
    ],
    messages,
  });
};

/** All requests with their times. */
const plan = (script: Script, policy: AgentPolicy): readonly Planned[] => {
  const planned: Planned[] = [];
  let now = START_MS;
  const firstByte = script.firstByteMs;
  const main: Conversation = { id: 'main', kind: 'main' };
  script.turns.forEach(({ pauseMs }, turn) => {
    now += pauseMs;
    planned.push({ body: bodyOf(policy, script, 'main', turn, turn), startedAt: now, conversation: main });
    now += firstByte + STREAM_MS;
    if (turn !== 1 || script.subAgents.length === 0) return;
    let [start, end] = [now + 500, now];
    script.subAgents.forEach((requests, index) => {
      const conversation: Conversation = { id: `agent-${index}`, kind: 'sub-agent', parent: 'main' };
      let at = start;
      for (let step = 0; step < requests; step++) {
        planned.push({ body: bodyOf(policy, script, `agent${index}`, step, step), startedAt: at, conversation });
        at += firstByte + STREAM_MS + STEP_MS;
      }
      end = Math.max(end, at - STEP_MS);
      if (policy.subAgents === 'apart') start += firstByte;
    });
    now = end;
  });
  return planned.toSorted((a, b) => a.startedAt - b.startedAt);
};

const usageOf = ({ usage }: Told): Usage => {
  const created = usage.cache_creation as Record<string, number>;
  return {
    uncached: usage.input_tokens,
    read: usage.cache_read_input_tokens,
    writes: { '5m': created['ephemeral_5m_input_tokens'] ?? 0, '1h': created['ephemeral_1h_input_tokens'] ?? 0 },
    output: usage.output_tokens,
    cacheReported: true,
    partial: false,
  };
};

/** What the agent was billed, with the bodies that it sent. */
export const play = async (script: Script, policy: AgentPolicy): Promise<readonly Call[]> => {
  let now = START_MS;
  const simulator = newSimulator({ clock: { now: () => now } });
  const calls: Call[] = [];
  const planned = plan(script, policy);
  const waiting: { readonly at: number; readonly begun: () => void }[] = [];
  const answerUntil = (time: number): void => {
    for (const one of waiting.toSorted((a, b) => a.at - b.at)) {
      if (one.at > time) continue;
      waiting.splice(waiting.indexOf(one), 1);
      now = one.at;
      one.begun();
    }
  };
  for (const { body, startedAt, conversation } of planned) {
    answerUntil(startedAt);
    now = startedAt;
    const { chunks, begun, status } = await simulator.handle({
      method: 'POST',
      path: '/v1/messages',
      headers: ANTHROPIC,
      body,
    });
    const told = JSON.parse(chunks.map(({ text }) => text).join('')) as Told;
    if (status !== 200) throw new Error(told.error.message);
    const firstByteAt = startedAt + script.firstByteMs;
    waiting.push({ at: firstByteAt, begun });
    calls.push({
      provider: 'simulator',
      wire: 'anthropic-messages',
      model: policy.model,
      body,
      startedAt,
      firstByteAt,
      endedAt: firstByteAt + STREAM_MS,
      usage: usageOf(told),
      response: { id: told.id, content: JSON.parse(JSON.stringify(told.content)) },
      conversation,
    });
  }
  return calls;
};

export const prepared = (calls: readonly Call[]): Promise<Prepared> =>
  prepareWhatIf(explainCalls(calls), { tokenizer: createMemoryTokenizer() });

export const BASE: AgentPolicy = {
  model: 'claude-opus-5',
  mode: 'rolling',
  ttl: '5m',
  isSorted: true,
  value: 'moved',
  padding: '',
  subAgents: 'apart',
};
