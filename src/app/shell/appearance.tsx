import { useSyncExternalStore } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { DENSITIES, type Density } from '../../ui/density.ts';
import type { StoredChoice } from './stored-choice.ts';
import { THEME_LABELS, THEMES, type ThemeStore } from './theme.ts';

const DENSITY_LABELS: Readonly<Record<Density, string>> = { comfortable: 'Comfortable', compact: 'Compact' };

export type AppearanceProps = { readonly theme: ThemeStore; readonly density: StoredChoice<Density> };

/** The part of the settings that the shell keeps. */
export const Appearance = ({ theme, density }: AppearanceProps) => {
  const currentTheme = useSyncExternalStore(theme.subscribe, theme.get);
  const currentDensity = useSyncExternalStore(density.subscribe, density.get);
  return (
    <>
      <Choice
        label="Theme"
        options={THEMES.map((value) => ({ value, label: THEME_LABELS[value] }))}
        value={currentTheme}
        onChange={theme.set}
        description="System follows your system’s theme and contrast."
      />
      <Choice
        label="Density"
        options={DENSITIES.map((value) => ({ value, label: DENSITY_LABELS[value] }))}
        value={currentDensity}
        onChange={density.set}
        description="Compact shows more rows at the same text size."
      />
    </>
  );
};
