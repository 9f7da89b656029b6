/** What the user chose. `system` follows the system's colour scheme and its wish for more contrast. */
const themes = ['system', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof themes)[number];

export type ThemeDeps = {
  /** Where the choice is kept. May refuse: a browser can block storage. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Writes `data-theme` on the root element, or removes it; the colours themselves are in tokens.css. */
  readonly show: (theme: 'light' | 'dark' | 'contrast' | undefined) => void;
  /** The media query `(prefers-contrast: more)`. */
  readonly moreContrast: {
    readonly matches: boolean;
    addEventListener(type: 'change', listener: () => void): void;
  };
};

export type ThemeStore = {
  readonly get: () => Theme;
  readonly subscribe: (listener: () => void) => () => void;
  /** Moves on to the next theme of the list, and after the last to the first. */
  readonly next: () => void;
};

const key = 'lathe.theme';

const attempt = <T>(action: () => T): T | undefined => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

/** Shows the stored theme at once, so that the first paint already has it. */
export const createTheme = (deps: ThemeDeps): ThemeStore => {
  const listeners = new Set<() => void>();
  const stored = attempt(() => deps.storage.getItem(key));
  let theme: Theme = themes.find((name) => name === stored) ?? 'system';

  const show = () => {
    const followed = deps.moreContrast.matches ? 'contrast' : undefined;
    deps.show(theme === 'system' ? followed : theme);
  };
  deps.moreContrast.addEventListener('change', show);
  show();

  return {
    get: () => theme,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    next: () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
      attempt(() => deps.storage.setItem(key, theme));
      show();
      for (const listener of listeners) listener();
    },
  };
};
