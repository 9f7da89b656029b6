/** The health of the library in one line, with a button for each group, and its skills as a map. */
import { useEffect, useState } from 'react';
import { plural } from '../../base/text.ts';
import type { LibraryHealth } from '../../model/workspace/health.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './library-health.module.css';

export type HealthGroup = 'unloaded' | 'competing';

/** What is known of the skills; nothing until it was computed. */
export const useHealth = (skills: readonly WorkspaceSkill[]): LibraryHealth | undefined => {
  const [known, setKnown] = useState<{ readonly of: readonly WorkspaceSkill[]; readonly health: LibraryHealth }>();
  useEffect(() => {
    let isHere = true;
    const compute = async (): Promise<void> => {
      const { libraryHealth } = await import('../../model/workspace/health.ts');
      if (isHere) setKnown({ of: skills, health: libraryHealth(skills) });
    };
    // Of a large folder many lists come quickly one after the other.
    const timer = setTimeout(() => void compute().catch(() => {}), 120);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [skills]);
  return known?.health;
};

export type HealthProps = {
  readonly skills: readonly WorkspaceSkill[];
  readonly health: LibraryHealth | undefined;
  readonly group: HealthGroup | undefined;
  readonly onGroup: (group: HealthGroup | undefined) => void;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
};

const stateOf = (health: LibraryHealth | undefined, id: string): string =>
  health?.unloaded.has(id) === true ? 'unloaded' : health?.competing?.has(id) === true ? 'competing' : 'fine';

const WORDS: Readonly<Record<string, string>> = { unloaded: ', will not load', competing: ', competes', fine: '' };
/** A map of more cells than this would only be noise, and slow. */
const MOST_CELLS = 1500;

const GroupButton = ({
  group,
  count,
  words,
  isOn,
  onGroup,
}: {
  readonly group: HealthGroup;
  readonly count: number;
  readonly words: string;
  readonly isOn: boolean;
  readonly onGroup: HealthProps['onGroup'];
}) => (
  <button
    type="button"
    className={styles['group']}
    data-group={group}
    aria-pressed={isOn}
    onClick={() => onGroup(isOn ? undefined : group)}
  >
    <Icon name={group === 'unloaded' ? 'error' : 'warning'} />
    {count} {words}
  </button>
);

export const HealthLine = ({ skills, health, group, onGroup, selected, onSelect }: HealthProps) => {
  const [isMapHidden, setMapHidden] = useState(false);
  const unloaded = health?.unloaded.size ?? 0;
  const competing = health?.competing?.size ?? 0;
  const cells = skills.length > 1 && skills.length <= MOST_CELLS;
  return (
    <div className={styles['health']}>
      <p className={styles['total']}>{plural(skills.length, 'skill')}</p>
      <div className={styles['groups']}>
        {unloaded > 0 && (
          <GroupButton
            group="unloaded"
            count={unloaded}
            words="will not load"
            isOn={group === 'unloaded'}
            onGroup={onGroup}
          />
        )}
        {competing > 0 && (
          <GroupButton
            group="competing"
            count={competing}
            words={competing === 1 ? 'competes' : 'compete'}
            isOn={group === 'competing'}
            onGroup={onGroup}
          />
        )}
        {health && unloaded + competing === 0 && <span className={styles['fine']}>All load, none compete</span>}
      </div>
      {cells && !isMapHidden && (
        // The tree below is its twin for the keyboard and for screen readers.
        <div className={styles['map']} aria-hidden="true">
          {skills.map(({ id, name, tokens }) => {
            const state = stateOf(health, id);
            return (
              <button
                key={id}
                type="button"
                tabIndex={-1}
                className={styles['cell']}
                data-state={state}
                data-selected={id === selected}
                aria-label={name}
                title={`${name}${WORDS[state] ?? ''}`}
                style={{ flexGrow: Math.max(60, Math.min(3000, tokens)) }}
                onClick={() => onSelect(id)}
              />
            );
          })}
        </div>
      )}
      {cells && (
        <p className={styles['note']}>
          {isMapHidden ? <span /> : <span>Area: body tokens</span>}
          <button type="button" aria-pressed={!isMapHidden} onClick={() => setMapHidden(!isMapHidden)}>
            {isMapHidden ? 'Show map' : 'Hide map'}
          </button>
        </p>
      )}
    </div>
  );
};
