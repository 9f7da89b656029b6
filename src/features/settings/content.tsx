import { lazy, type ReactNode, Suspense, use, useMemo } from 'react';
import type { SettingsStore } from '../../stores/settings-store.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { SettingsPanelProps } from './settings-panel.tsx';

/** What of the panel comes with the folder. */
export type SettingsParts = Pick<SettingsPanelProps, 'session' | 'keys' | 'sources' | 'trusted'>;

interface Needs extends Pick<SettingsPanelProps, 'appearance' | 'data'> {
  readonly settings: () => Promise<SettingsStore>;
  readonly settingsParts: SettingsParts | undefined;
}

const LazySettings = lazy(async () => ({ default: (await import('./settings-panel.tsx')).SettingsPanel }));

const Loaded = ({ store, ...rest }: Omit<SettingsPanelProps, 'store'> & { readonly store: Promise<SettingsStore> }) => (
  <LazySettings {...rest} store={use(store)} />
);

const Content = ({ settings, data, appearance, settingsParts }: Needs): ReactNode => {
  // Kept: a promise made again at each render would never be done.
  const [store] = useMemo(() => [settings()], [settings]);
  return (
    <Suspense fallback={<EmptyState title="Settings">Loading settings…</EmptyState>}>
      <Loaded store={store} data={data} appearance={appearance} {...settingsParts} />
    </Suspense>
  );
};

export const settingsContent = { Content };
