import { describe, expect, it } from 'vitest';
import { createSessionUi } from './session-ui.ts';

const memory = (content = new Map<string, string>()) => ({
  content,
  getItem: (key: string) => content.get(key) ?? null,
  setItem: (key: string, value: string) => void content.set(key, value),
});

describe('the session panel itself', () => {
  it('SU1: on the first start an example is in the composer; later it is empty', () => {
    const storage = memory();
    const first = createSessionUi({ storage, firstDraft: 'Try this' });
    expect(first.getState()).toMatchObject({ draft: 'Try this', isFirstStart: true, example: 'full' });
    first.begun();
    expect(createSessionUi({ storage, firstDraft: 'Try this' }).getState()).toMatchObject({
      draft: '',
      isFirstStart: false,
    });
  });

  it('SU2: whether Enter sends is remembered; a draft never is', () => {
    const storage = memory();
    const ui = createSessionUi({ storage, firstDraft: '' });
    ui.write('my secret plan');
    ui.setEnterSends(true);
    expect(createSessionUi({ storage, firstDraft: '' }).getState().enterSends).toBe(true);
    expect([...storage.content.values()].join('')).not.toContain('secret');
  });

  it('SU2: storage that is blocked or broken is not an obstacle', () => {
    const broken = createSessionUi({ storage: memory(new Map([['lathe.session', '{']])), firstDraft: 'x' });
    expect(broken.getState().isFirstStart).toBe(true);
    const blocked = createSessionUi({
      storage: {
        getItem: () => {
          throw new Error('blocked');
        },
        setItem: () => {
          throw new Error('blocked');
        },
      },
      firstDraft: 'x',
    });
    blocked.begun();
    expect(blocked.getState().isFirstStart).toBe(false);
  });
});
