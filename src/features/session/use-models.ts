import { useEffect, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { bookModels } from '../../model/session-view/providers.ts';
import type { ModelListing, ProviderError, ProviderId } from '../../model/provider/types.ts';
import type { SessionNeeds } from './needs.ts';

export interface Models {
  readonly ids: readonly string[];
  /** Why the provider's own list is not there. */
  readonly problem: Pick<ProviderError, 'code' | 'message' | 'nextStep'> | undefined;
}

type Asked = { readonly provider: ProviderId; readonly version: number } & (
  | { readonly models: readonly ModelListing[] }
  | { readonly problem: Pick<ProviderError, 'code' | 'message' | 'nextStep'> }
);

const ask = async (needs: SessionNeeds, provider: ProviderId, version: number, signal: AbortSignal): Promise<Asked> => {
  const asked = { provider, version };
  try {
    const services = await needs.services();
    // Nobody has said where it is: the default address is tried with the first message, not before.
    if (provider === 'compatible' && services.connections.get(provider).baseUrl === undefined)
      return { ...asked, models: [] };
    const answer = await services.models(provider, signal);
    return answer.ok ? { ...asked, models: answer.models } : { ...asked, problem: answer.error };
  } catch (thrown) {
    const message = errorMessage(thrown);
    return { ...asked, problem: { code: 'services', message, nextStep: 'Reload the page.' } };
  }
};

/** The models of a provider: what it tells itself, else what the book knows. `version` asks again. */
export const useModels = (needs: SessionNeeds, provider: ProviderId, version: number): Models => {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    // The simulator serves the book; nothing has to be loaded for that.
    if (provider === 'simulator') return;
    const abort = new AbortController();
    const wait = async (): Promise<void> => {
      const answer = await ask(needs, provider, version, abort.signal);
      if (!abort.signal.aborted) setAsked(answer);
    };
    void wait();
    return () => abort.abort();
  }, [needs, provider, version]);
  const book = bookModels(provider);
  if (provider === 'simulator' || asked?.provider !== provider) return { ids: book, problem: undefined };
  if ('problem' in asked) return { ids: book, problem: asked.problem };
  return { ids: asked.models.length === 0 ? book : asked.models.map(({ id }) => id), problem: undefined };
};
