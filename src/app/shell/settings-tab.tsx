import { lazy, type ReactNode, Suspense, use, useMemo } from 'react';
import type { MyData } from '../../features/settings/my-data.tsx';
import type { SettingsStore } from '../../stores/settings-store.ts';
import type { Density } from '../../ui/density.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Appearance } from './appearance.tsx';
import type { PanelSlot } from './panel-region.tsx';
import type { StoredChoice } from './stored-choice.ts';
import type { ThemeStore } from './theme.ts';

export interface SettingsDeps {
  readonly theme: ThemeStore;
  readonly density: StoredChoice<Density>;
  readonly settings: () => Promise<SettingsStore>;
  readonly data: MyData;
}

const LazySettings = lazy(async () => {
  const { SettingsPanel } = await import('../../features/settings/settings-panel.tsx');
  return { default: SettingsPanel };
});

/** What comes with the folder. */
export interface SettingsParts {
  readonly session?: ReactNode;
  readonly keys?: ReactNode;
  readonly sources?: ReactNode;
  readonly trusted?: ReactNode;
}

type SettingsTabProps = {
  readonly promise: Promise<SettingsStore>;
  readonly deps: SettingsDeps;
  readonly parts: SettingsParts;
};

const SettingsTab = ({ promise, deps, parts }: SettingsTabProps) => (
  <LazySettings
    store={use(promise)}
    data={deps.data}
    {...parts}
    appearance={<Appearance theme={deps.theme} density={deps.density} />}
  />
);

/** Kept: a promise made anew at each render would never be done. */
export const useSettings = (deps: SettingsDeps, parts: SettingsParts = {}): PanelSlot => {
  const [promise] = useMemo(() => [deps.settings()], [deps]);
  return {
    content: (
      <Suspense fallback={<EmptyState title="Settings">Loading settings…</EmptyState>}>
        <SettingsTab promise={promise} deps={deps} parts={parts} />
      </Suspense>
    ),
  };
};
