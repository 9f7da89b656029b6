import { describe, expect, it } from 'vitest';
import { createTheme } from './theme.ts';

const setup = ({ stored, more = false }: { stored?: string; more?: boolean } = {}) => {
  const kept = new Map<string, string>(stored ? [['lathe.theme', stored]] : []);
  const shown: (string | undefined)[] = [];
  const moreContrast = {
    matches: more,
    listener: () => {},
    addEventListener: (_type: 'change', listener: () => void) => {
      moreContrast.listener = listener;
    },
  };
  const theme = createTheme({
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    show: (name) => shown.push(name),
    moreContrast,
  });
  return { theme, kept, shown, moreContrast };
};

describe('createTheme', () => {
  it('follows the system until the user chooses', () => {
    const { theme, shown } = setup();
    expect(theme.get()).toBe('system');
    expect(shown).toEqual([undefined]);
  });

  it('goes round, shows, keeps and tells each choice', () => {
    const { theme, kept, shown } = setup();
    let told = 0;
    const stop = theme.subscribe(() => {
      told += 1;
    });
    const seen = [1, 2, 3, 4].map(() => {
      theme.next();
      return [theme.get(), kept.get('lathe.theme')];
    });
    expect(seen).toEqual([
      ['light', 'light'],
      ['dark', 'dark'],
      ['contrast', 'contrast'],
      ['system', 'system'],
    ]);
    expect(shown).toEqual([undefined, 'light', 'dark', 'contrast', undefined]);
    stop();
    theme.next();
    expect(told).toBe(4);
  });

  it('starts with the kept choice, and with the system for a word it does not know', () => {
    expect(setup({ stored: 'dark' }).shown).toEqual(['dark']);
    expect(setup({ stored: 'sepia' }).theme.get()).toBe('system');
  });

  it('turns to high contrast while the system asks for more, unless the user chose otherwise', () => {
    const { shown, moreContrast } = setup({ more: true });
    moreContrast.matches = false;
    moreContrast.listener();
    expect(shown).toEqual(['contrast', undefined]);
    expect(setup({ more: true, stored: 'light' }).shown).toEqual(['light']);
  });

  it('works where storage is blocked', () => {
    const blocked = () => {
      throw new Error('blocked');
    };
    const theme = createTheme({
      storage: { getItem: blocked, setItem: blocked },
      show: () => {},
      moreContrast: { matches: false, addEventListener: () => {} },
    });
    theme.next();
    expect(theme.get()).toBe('light');
  });
});
