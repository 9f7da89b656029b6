/**
 * Sees from beside the page whether the page still answers. A page that is blocked can't write down what blocked it; its worker can, and a
 * reload finds it.
 */
import type { Port } from './port.ts';

/** From the page. `opening` comes before the work that it names begins. */
export type PageNews = { readonly kind: 'opening'; readonly what: unknown } | { readonly kind: 'here' };
/** To the page, which answers `here`. */
export const ASK = 'ask';

/** Questions in a row without an answer. A page that reads a large folder on a slow machine is busy for a few seconds, too. */
export const MOST_UNANSWERED = 10;

export interface FreezeWatch {
  readonly hear: (news: PageNews) => void;
  /** Once a second. Counted, not timed: a computer that slept doesn't make a page look blocked. */
  readonly tick: () => void;
}

export const createFreezeWatch = (deps: {
  readonly ask: () => void;
  /** Once for each time that the page is blocked. */
  readonly keep: (what: unknown) => void;
}): FreezeWatch => {
  let what: unknown;
  let unanswered = 0;
  return {
    hear: (news) => {
      if (news.kind === 'opening') ({ what } = news);
      else unanswered = 0;
    },
    tick: () => {
      unanswered++;
      if (unanswered === MOST_UNANSWERED && what !== undefined) deps.keep(what);
      deps.ask();
    },
  };
};

/** The page's side. */
export const answerFreezeWatch = (port: Pick<Port, 'post' | 'onMessage'>): ((what: unknown) => void) => {
  const tell = (news: PageNews): void => port.post(news);
  port.onMessage((message) => {
    if (message === ASK) tell({ kind: 'here' });
  });
  return (what) => tell({ kind: 'opening', what });
};
