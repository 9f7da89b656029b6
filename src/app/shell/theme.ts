import { type ChoiceStorage, createStoredChoice, type StoredChoice } from './stored-choice.ts';

/** What the user chose. `system` follows the system's color scheme and its wish for more contrast. */
export const THEMES = ['system', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  contrast: 'High contrast',
};

export type ThemeDeps = {
  readonly storage: ChoiceStorage;
  /** Writes `data-theme` on the root element, or removes it; the colors themselves are in tokens.css. */
  readonly show: (theme: 'light' | 'dark' | 'contrast' | undefined) => void;
  /** The media query `(prefers-contrast: more)`. */
  readonly moreContrast: {
    readonly matches: boolean;
    addEventListener(type: 'change', listener: () => void): void;
  };
};

export type ThemeStore = StoredChoice<Theme> & {
  /** Moves on to the next theme of the list, and after the last to the first. */
  readonly next: () => void;
};

export const createTheme = (deps: ThemeDeps): ThemeStore => {
  const show = (theme: Theme): void => {
    const followed = deps.moreContrast.matches ? 'contrast' : undefined;
    deps.show(theme === 'system' ? followed : theme);
  };
  const choice = createStoredChoice<Theme>({ storage: deps.storage, key: 'lathe.theme', values: THEMES, show });
  deps.moreContrast.addEventListener('change', () => show(choice.get()));
  return {
    ...choice,
    next: () => choice.set(THEMES[(THEMES.indexOf(choice.get()) + 1) % THEMES.length] ?? 'system'),
  };
};
