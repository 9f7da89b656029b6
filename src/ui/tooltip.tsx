import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import styles from './tooltip.module.css';

export type TooltipProps = {
  readonly text: string;
  /** One focusable element of this folder, such as a Button. */
  readonly children: ReactElement;
};

/** A line on hover and on keyboard focus. It repeats or adds; what matters is never only here. */
export const Tooltip = ({ text, children }: TooltipProps) => (
  <TooltipTrigger delay={500} closeDelay={100}>
    {children}
    <AriaTooltip className={styles['tooltip'] ?? ''} offset={6}>
      {text}
    </AriaTooltip>
  </TooltipTrigger>
);
