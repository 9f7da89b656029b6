import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import styles from './button.module.css';

export type ButtonProps = ComponentProps<'button'>;

export const Button = ({ className, ...rest }: ButtonProps) => (
  <button type="button" {...rest} className={cx(styles['button'], className)} />
);
