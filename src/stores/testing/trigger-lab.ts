/** The trigger lab over the built-in simulator, with a database in memory. */
import { silentLog } from '../../base/log.ts';
import { createShadow } from '../../model/session/shadow.ts';
import { NEW_SESSION } from '../../model/workspace/session-plan.ts';
import { evalClients } from '../../platform/runtime/eval-clients.ts';
import { createEvalResults } from '../../platform/store/eval-results.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import { createMemoryTokenizer } from '../../platform/tokenizer/memory-tokenizer.ts';
import { createTriggerLab, type LabAsk, type TriggerLabDeps } from '../trigger-lab-store.ts';

export const createLab = (storage = createMemoryStorage(), more: Partial<TriggerLabDeps> = {}) => {
  const tokenizer = createMemoryTokenizer();
  const now = () => 1_794_816_000_000;
  const calls: string[] = [];
  const services = {
    evalClients: (provider: 'simulator', noise: LabAsk['noise']) => {
      const clients = evalClients(
        { provider, apiKey: '', now, isBrowser: false, fetch: () => Promise.reject(new Error('offline')) },
        { tokenizer, log: silentLog, ...(noise && { noise }) },
      );
      return (draw: string) => {
        const client = clients(draw);
        return {
          ...client,
          call: (...args: Parameters<typeof client.call>) => {
            calls.push(draw);
            return client.call(...args);
          },
        };
      };
    },
    runtime: { shadow: createShadow({ tokenizer, log: silentLog }), scope: () => 'scope', now, random: () => 0 },
  };
  const lab = createTriggerLab({
    services: () => Promise.resolve(services as unknown as Awaited<ReturnType<TriggerLabDeps['services']>>),
    settings: () => NEW_SESSION.settings,
    volatile: () => Promise.resolve(''),
    input: () => Promise.resolve({}),
    unsaved: (input) => input,
    results: createEvalResults(storage),
    fail: (thrown) => {
      throw thrown;
    },
    ...more,
  });
  return { lab, calls, storage };
};
