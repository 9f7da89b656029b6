/** The counters of a response, as the cache model gives them. */
import type { Answer } from './answer.ts';
import type { Prediction } from '../cache/types.ts';

export interface SimUsage {
  readonly uncached: number;
  readonly read: number;
  readonly writes: Prediction['usage']['writes'];
  readonly output: number;
  /** Part of `output`. */
  readonly reasoning: number;
  /** One for each pass over the prompt, where tools of the provider made more than one; `SimUsage` is their sum. */
  readonly iterations?: readonly Pick<SimUsage, 'uncached' | 'read' | 'writes' | 'output'>[];
  /** Calls of tools of the provider, by name. */
  readonly served?: Readonly<Record<string, number>>;
}

const sum = (writes: SimUsage['writes']): number =>
  Object.values(writes).reduce((total: number, tokens) => total + (tokens ?? 0), 0);

/** A tool of the provider makes the model read the prompt again, now with what the tool said: from the cache as far as it is there. */
export const withRounds = (usage: SimUsage, answer: Answer): SimUsage => {
  const { rounds = [] } = answer;
  if (rounds.length < 2) return usage;
  const cached = usage.read + sum(usage.writes);
  let added = 0;
  const iterations = rounds.map((round, index) => {
    const first = index === 0;
    const one = {
      uncached: usage.uncached + added,
      read: first ? usage.read : cached,
      writes: first ? usage.writes : {},
      output: round.output,
    };
    added += round.added;
    return one;
  });
  const names = answer.blocks.flatMap((block) => (block.type === 'server_tool' ? [block.name] : []));
  return {
    ...usage,
    uncached: iterations.reduce((total, { uncached }) => total + uncached, 0),
    read: iterations.reduce((total, { read }) => total + read, 0),
    iterations,
    served: Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length])),
  };
};

/** Only where tools of the provider were offered and run: the real API leaves it out otherwise. */
export const serverUsage = ({ iterations, served }: SimUsage) =>
  iterations && {
    server_tool_use: {
      web_search_requests: served?.['web_search'] ?? 0,
      web_fetch_requests: served?.['web_fetch'] ?? 0,
    },
    iterations: iterations.map(({ uncached, read, writes, output }) => ({
      type: 'message',
      input_tokens: uncached,
      output_tokens: output,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: sum(writes),
      cache_creation: {
        ephemeral_5m_input_tokens: writes['5m'] ?? 0,
        ephemeral_1h_input_tokens: writes['1h'] ?? 0,
      },
    })),
  };

export const anthropicUsage = (usage: SimUsage, output: number, reasoning: number | undefined) => ({
  input_tokens: usage.uncached,
  cache_creation_input_tokens: sum(usage.writes),
  cache_read_input_tokens: usage.read,
  cache_creation: {
    ephemeral_5m_input_tokens: usage.writes['5m'] ?? 0,
    ephemeral_1h_input_tokens: usage.writes['1h'] ?? 0,
  },
  output_tokens: output,
  // Only the end of a message tells it.
  output_tokens_details: reasoning === undefined ? null : { thinking_tokens: reasoning },
  service_tier: 'standard',
  inference_geo: 'not_available',
});

export const anthropicDeltaUsage = (usage: SimUsage) => ({
  input_tokens: usage.uncached,
  cache_creation_input_tokens: sum(usage.writes),
  cache_read_input_tokens: usage.read,
  output_tokens: usage.output,
  output_tokens_details: { thinking_tokens: usage.reasoning },
});

export const responsesUsage = (usage: SimUsage) => {
  const input = usage.uncached + usage.read + sum(usage.writes);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.read,
      cache_write_tokens: sum(usage.writes),
      // Only where it says more than the total: older releases of the agents SDK for JavaScript take numbers alone here.
      ...((usage.writes['12h'] ?? 0) > 0 && {
        cache_write_tokens_details: {
          ttl_30m_tokens: usage.writes['30m'] ?? 0,
          ttl_12h_tokens: usage.writes['12h'] ?? 0,
        },
      }),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
};

export const chatUsage = (usage: SimUsage) => {
  const input = usage.uncached + usage.read + sum(usage.writes);
  return {
    prompt_tokens: input,
    completion_tokens: usage.output,
    total_tokens: input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.read, cache_write_tokens: sum(usage.writes), audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
};
