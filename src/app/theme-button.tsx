import { useSyncExternalStore } from 'react';
import { Button } from '../ui/button.tsx';
import type { Theme, ThemeStore } from './theme.ts';

const labels: Record<Theme, string> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  contrast: 'High contrast',
};

export const ThemeButton = ({ theme }: { readonly theme: ThemeStore }) => {
  const current = useSyncExternalStore(theme.subscribe, theme.get);
  return (
    <Button onClick={theme.next} title="Change the theme: system, light, dark, high contrast">
      Theme: {labels[current]}
    </Button>
  );
};
