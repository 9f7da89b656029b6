/** Clients for runs of suites: nothing is tried again by itself, because the run waits for all its calls together. */
import type { Log } from '../../base/log.ts';
import type { ProviderClient, Tokenizer } from '../../model/provider/types.ts';
import type { SimNoise } from '../../model/simulator/behaviour/noise.ts';
import { createSimulator } from '../../model/simulator/simulator.ts';
import { createProvider, type ProviderSettings } from '../provider/create-provider.ts';
import { createSimulatedFetch } from '../provider/simulated-fetch.ts';

/** One for each draw of the simulator's noise; a real provider has no draws. */
export type EvalClients = (draw: string) => ProviderClient;

export const evalClients = (
  settings: Omit<ProviderSettings, 'fetch'> & { readonly fetch: typeof fetch },
  simulated: { readonly tokenizer: Tokenizer; readonly noise?: SimNoise; readonly log: Log },
): EvalClients => {
  if (settings.provider !== 'simulator') {
    const client = createProvider({ ...settings, maxRetries: 0 });
    return () => client;
  }
  const simulator = createSimulator({
    tokenizer: simulated.tokenizer,
    clock: { now: settings.now },
    log: simulated.log,
    ...(simulated.noise && { noise: simulated.noise }),
  });
  const answers = createSimulatedFetch(simulator, { speed: 0 });
  return (draw) =>
    createProvider({
      ...settings,
      now: simulator.now,
      maxRetries: 0,
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set('x-lathe-draw', draw);
        return answers(input, { ...init, headers });
      },
    });
};
