import type { ReactNode } from 'react';
import { Switch } from 'react-aria-components/Switch';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import styles from './toggle.module.css';
import { Tooltip } from './tooltip.tsx';

export type ToggleProps = {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
};

/** Something that is on or off. */
export const Toggle = ({ isOn, onChange, children }: ToggleProps) => (
  <Switch className={styles['switch'] ?? ''} isSelected={isOn} onChange={onChange}>
    <span className={styles['track']} aria-hidden="true" />
    {children}
  </Switch>
);

/** A filter or a mode in a row of buttons; pressed means on. */
export const ToggleChip = ({ isOn, onChange, children, tip }: ToggleProps & { readonly tip?: string }) => (
  <Tooltip text={tip}>
    <ToggleButton className={styles['chip'] ?? ''} isSelected={isOn} onChange={onChange}>
      {children}
    </ToggleButton>
  </Tooltip>
);
