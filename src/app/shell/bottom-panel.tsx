import { type ReactNode, useSyncExternalStore } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { BOTTOM, type BottomId } from '../views/registry.ts';
import type { Layout } from './layout.ts';
import { HelpButton, PanelRegion, type RegionDeps } from './panel-region.tsx';

export type BottomPanelProps = {
  readonly deps: RegionDeps;
  readonly selected: BottomId | undefined;
  /** Also for the tab that is in front: the panel may be put away. */
  readonly onSelect: (id: BottomId) => void;
  /** Facts at the end of the tabs. */
  readonly end: ReactNode;
  /** Nothing where the window is narrow: it has all of it then. */
  readonly layout: Layout | undefined;
};

const nothing = () => () => {};

const FoldButtons = ({ layout }: { readonly layout: Layout }) => {
  const isFolded = useSyncExternalStore(layout.subscribe, () => layout.folded().has('bottom'));
  const isEnlarged = useSyncExternalStore(layout.subscribe, layout.isEnlarged);
  return (
    <>
      <IconButton
        label="Enlarge panel"
        tip={isEnlarged ? 'Restore view' : 'Enlarge panel'}
        icon={isEnlarged ? 'restore' : 'maximise'}
        aria-pressed={isEnlarged}
        onPress={layout.enlarge}
      />
      <IconButton
        label={isFolded ? 'Show the panel' : 'Hide the panel'}
        icon={isFolded ? 'chevron-up' : 'chevron-down'}
        onPress={() => layout.toggle('bottom')}
      />
    </>
  );
};

/** Below all views: one panel at a time, behind its tab. Put away, the tabs are left. */
export const BottomPanel = ({ deps, selected, onSelect, end, layout }: BottomPanelProps) => {
  const isFolded = useSyncExternalStore(layout?.subscribe ?? nothing, () => layout?.folded().has('bottom') ?? false);
  const inFront = BOTTOM.find(({ id }) => id === selected) ?? BOTTOM[1];
  return (
    <Tabs
      label="Panel"
      selected={inFront.id}
      onSelect={onSelect}
      onPress={onSelect}
      isFolded={isFolded}
      end={
        <>
          {end}
          <HelpButton panel={inFront} onHelp={deps.onHelp} />
          {layout && <FoldButtons layout={layout} />}
        </>
      }
      tabs={BOTTOM.map((panel) => ({
        id: panel.id,
        label: panel.tab ?? panel.label,
        count: deps.slots[panel.id]?.count,
        content: <PanelRegion panel={panel} deps={deps} isBare />,
      }))}
    />
  );
};
