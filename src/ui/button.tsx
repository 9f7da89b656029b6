import type { ReactElement, ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import styles from './button.module.css';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

type Shared = Pick<
  AriaButtonProps,
  | 'onPress'
  | 'isDisabled'
  | 'isPending'
  | 'autoFocus'
  | 'aria-label'
  | 'aria-pressed'
  | 'aria-expanded'
  | 'aria-describedby'
  | 'slot'
  | 'id'
> & {
  /** Why it cannot be used now. It stays in the tab order and says so. */
  readonly disabledReason?: string | undefined;
};

export type ButtonProps = Shared & {
  /** `primary` once per place; `danger` for what cannot be taken back; `quiet` without a border. */
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet' | 'link';
  readonly icon?: IconName;
  /** More than the label says; shown on hover and focus. */
  readonly tip?: string | undefined;
  readonly children: ReactNode;
};

/**
 * A button whose tip comes and goes keeps its place, so every button has room for one: another one below the pointer would
 * lose the focus, and open a tip for a press that has just been made.
 */
const withTip = (tip: string | undefined, button: ReactElement): ReactElement => <Tooltip text={tip}>{button}</Tooltip>;

/** What a reason does to a button. */
const reasonProps = ({ disabledReason, onPress, ...rest }: Shared): AriaButtonProps => ({
  ...rest,
  ...(disabledReason === undefined ? onPress && { onPress } : { 'aria-disabled': true }),
});

export const Button = ({ look = 'plain', icon, tip, children, ...shared }: ButtonProps) =>
  withTip(
    shared.disabledReason ?? tip,
    <AriaButton {...reasonProps(shared)} className={styles['button'] ?? ''} data-look={look}>
      {icon && <Icon name={icon} />}
      {children}
    </AriaButton>,
  );

export type IconButtonProps = Shared & {
  /** The accessible name, and the tooltip. */
  readonly label: string;
  readonly icon: IconName;
  /** For a tooltip that says more than the name. */
  readonly tip?: string | undefined;
};

export const IconButton = ({ label, icon, tip, ...shared }: IconButtonProps) =>
  withTip(
    shared.disabledReason ?? tip ?? label,
    <AriaButton {...reasonProps(shared)} aria-label={label} className={cx(styles['button'], styles['square'])}>
      <Icon name={icon} />
    </AriaButton>,
  );
