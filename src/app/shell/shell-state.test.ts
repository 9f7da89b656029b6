import { describe, expect, it } from 'vitest';
import { createShellStore } from './shell-state.ts';

const storageWith = (value: string | null) => {
  const kept = { value };
  return { kept, getItem: () => kept.value, setItem: (_key: string, next: string) => void (kept.value = next) };
};

describe('the shell', () => {
  it('shows the tour at the first start only, and again when asked', () => {
    const storage = storageWith(null);
    const shell = createShellStore(storage);
    expect(shell.getState().tour).toBe(0);
    shell.showTour(1);
    expect(storage.kept.value).toBeNull();
    shell.showTour(undefined);
    expect(createShellStore(storage).getState().tour).toBeUndefined();
    shell.showTour(0);
    expect(shell.getState().tour).toBe(0);
  });

  it('shows no tour where nobody could remember that it was seen', () => {
    const refuse = () => {
      throw new Error('blocked');
    };
    const shell = createShellStore({ getItem: refuse, setItem: refuse });
    expect(shell.getState().tour).toBeUndefined();
    shell.showTour(0);
    shell.showTour(undefined);
    expect(shell.getState().tour).toBeUndefined();
  });

  it('keeps one notice of a kind until it is dismissed', () => {
    const shell = createShellStore(storageWith('seen'));
    shell.notify({ id: 'a', tone: 'info', text: 'first' });
    shell.notify({ id: 'b', tone: 'error', text: 'other' });
    shell.notify({ id: 'a', tone: 'info', text: 'second' });
    expect(shell.getState().notices.map(({ text }) => text)).toEqual(['other', 'second']);
    shell.dismiss('b');
    expect(shell.getState().notices.map(({ id }) => id)).toEqual(['a']);
  });
});
