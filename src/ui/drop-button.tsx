import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import styles from './drop-button.module.css';
import { Icon, type IconName } from './icon.tsx';

export type DropButtonProps = {
  readonly icon?: IconName;
  /** What it is about; read out before the content, which is the current choice. */
  readonly about: string;
  readonly children: ReactNode;
};

/** Shows a choice, and opens what it can be changed with. Goes into a `MenuButton` or a `DropForm`. */
export const DropButton = ({ icon, about, children }: DropButtonProps) => (
  <AriaButton className={styles['button'] ?? ''} data-about={about}>
    {icon && <Icon name={icon} />}
    <span className={styles['about']}>{about}: </span>
    <span className={styles['choice']}>{children}</span>
    <Icon name="chevron-down" />
  </AriaButton>
);

export type DropFormProps = DropButtonProps & { readonly form: ReactNode };

/** The button, and below it fields. Escape and a click elsewhere close them. */
export const DropForm = ({ form, ...button }: DropFormProps) => (
  <DialogTrigger>
    <DropButton {...button} />
    <Popover className={styles['popover'] ?? ''}>
      <Dialog aria-label={button.about} className={styles['form'] ?? ''}>
        {form}
      </Dialog>
    </Popover>
  </DialogTrigger>
);
