import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import styles from './tooltip.module.css';

export type TooltipProps = {
  /** Nothing: there is nothing to tell now, though there may be later. */
  readonly text: string | undefined;
  /** One focusable element of this folder, such as a Button. */
  readonly children: ReactElement;
};

/** A line on hover and on keyboard focus. It repeats or adds; what matters is never only here. */
export const Tooltip = ({ text, children }: TooltipProps) => (
  <TooltipTrigger delay={500} closeDelay={100} isDisabled={text === undefined}>
    {children}
    {text !== undefined && (
      <AriaTooltip className={styles['tooltip'] ?? ''} offset={6}>
        {text}
      </AriaTooltip>
    )}
  </TooltipTrigger>
);
