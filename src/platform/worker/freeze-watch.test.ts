import { describe, expect, it } from 'vitest';
import { ASK, answerFreezeWatch, createFreezeWatch, MOST_UNANSWERED } from './freeze-watch.ts';

/** A page that answers as long as it is not blocked. */
const watched = () => {
  const kept: unknown[] = [];
  let isBlocked = false;
  let ask: (message: unknown) => void = () => {};
  const watch = createFreezeWatch({
    ask: () => {
      if (!isBlocked) ask(ASK);
    },
    keep: (what) => kept.push(what),
  });
  const opening = answerFreezeWatch({
    post: (message) => watch.hear(message as Parameters<typeof watch.hear>[0]),
    onMessage: (handler) => {
      ask = handler;
    },
  });
  const seconds = (count: number): void => {
    for (let second = 0; second < count; second++) watch.tick();
  };
  return {
    kept,
    opening,
    seconds,
    block: (blocked: boolean) => {
      isBlocked = blocked;
      if (!blocked) ask(ASK);
    },
  };
};

describe('the watch over a page', () => {
  it('FRZ1: keeps what was opened last when the page stops answering, once', () => {
    const { kept, opening, seconds, block } = watched();
    opening('a');
    seconds(60);
    expect(kept).toEqual([]);
    opening('b');
    block(true);
    seconds(MOST_UNANSWERED * 3);
    expect(kept).toEqual(['b']);
  });

  it('FRZ1: says nothing of a page that is only busy for a while', () => {
    const { kept, opening, seconds, block } = watched();
    opening('a');
    for (let time = 0; time < 5; time++) {
      block(true);
      seconds(MOST_UNANSWERED - 1);
      block(false);
    }
    expect(kept).toEqual([]);
  });

  it('FRZ1: has nothing to keep before anything was opened', () => {
    const { kept, seconds, block } = watched();
    block(true);
    seconds(MOST_UNANSWERED * 2);
    expect(kept).toEqual([]);
  });
});
