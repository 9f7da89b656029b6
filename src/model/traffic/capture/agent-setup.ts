/** What to set for each known agent, so that its requests can be seen: said by the page and by the terminal alike. */

/** Below the address of a capture that serves the page: what was recorded so far. */
export const RECORDING_PATH = 'lathe/recording';

export interface AgentSetup {
  readonly agent: string;
  /** To be typed in front of the agent's command, or as it. */
  readonly line: string;
}

/** For an agent that is to send its requests to another address. `wires`: what comes after it. */
export const captureSetups = (
  url: string,
  wires: readonly ('anthropic' | 'openai')[] = ['anthropic', 'openai'],
): readonly AgentSetup[] => {
  const anthropic: readonly AgentSetup[] = [
    { agent: 'Claude Code', line: `ANTHROPIC_BASE_URL=${url} claude` },
    { agent: 'Anthropic SDK', line: `export ANTHROPIC_BASE_URL=${url}` },
  ];
  const openai: readonly AgentSetup[] = [
    {
      agent: 'Codex',
      line: `codex -c model_provider=lathe -c 'model_providers.lathe={name="Lathe",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}'`,
    },
    { agent: 'OpenAI SDK', line: `export OPENAI_BASE_URL=${url}/v1` },
  ];
  const any: readonly AgentSetup[] = [
    {
      agent: 'Others',
      line: `set the base URL to ${wires.includes('anthropic') ? url : ''}${wires.length > 1 ? ' (Anthropic) or ' : ''}${wires.includes('openai') ? `${url}/v1${wires.length > 1 ? ' (OpenAI)' : ''}` : ''}`,
    },
  ];
  return [...(wires.includes('anthropic') ? anthropic : []), ...(wires.includes('openai') ? openai : []), ...any];
};
