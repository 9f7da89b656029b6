import { MODEL_BOOK, modelFacts, type ModelBook } from './model-book.ts';
import { BREAKPOINT_MODES, TTLS, type Capabilities, type ProviderId, type Wire } from './types.ts';

/** The wire that a provider speaks when nobody says otherwise. The simulator speaks both native ones. */
export const defaultWire = (provider: ProviderId, model: string, book: ModelBook = MODEL_BOOK): Wire => {
  if (provider === 'anthropic') return 'anthropic-messages';
  if (provider === 'openai') return 'openai-responses';
  if (provider === 'simulator') {
    return modelFacts(model, book).family === 'openai' ? 'openai-responses' : 'anthropic-messages';
  }
  return 'openai-chat';
};

const isClaudeRoute = (provider: ProviderId, model: string): boolean =>
  provider === 'openrouter' && model.startsWith('anthropic/');

/** What a route can do, as far as it is known. */
export const capabilitiesOf = (
  provider: ProviderId,
  model: string,
  wire: Wire = defaultWire(provider, model),
  book: ModelBook = MODEL_BOOK,
): Capabilities => {
  const facts = modelFacts(model, book);
  const basics = { wire, streaming: true, tools: true, thinking: facts.thinking !== 'none' };
  if (wire === 'anthropic-messages') {
    return {
      ...basics,
      supportsPromptCaching: provider !== 'compatible',
      diagnostics: facts.hasDiagnostics,
      breakpoints: BREAKPOINT_MODES,
      ttls: TTLS,
    };
  }
  if (wire === 'openai-responses') {
    const hasBreakpoints = facts.caching === 'openai-breakpoints';
    return {
      ...basics,
      // Older models cache by themselves: nothing that the adapter places is honored.
      supportsPromptCaching: hasBreakpoints && provider !== 'compatible',
      diagnostics: facts.hasDiagnostics,
      breakpoints: hasBreakpoints ? BREAKPOINT_MODES : ['automatic'],
      ttls: hasBreakpoints ? TTLS : ['5m'],
    };
  }
  const isClaude = isClaudeRoute(provider, model);
  return {
    ...basics,
    // A router or a local server may drop markers and counts; what it reports is shown as reported.
    supportsPromptCaching: false,
    diagnostics: false,
    breakpoints: isClaude ? BREAKPOINT_MODES : ['automatic'],
    ttls: isClaude ? TTLS : ['5m'],
  };
};
