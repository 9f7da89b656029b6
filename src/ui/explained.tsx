import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Tooltip as AriaTooltip, TooltipTriggerStateContext } from 'react-aria-components/Tooltip';
import styles from './tooltip.module.css';

export type ExplainedProps = {
  /** What the number stands for, in one sentence. */
  readonly about: string;
  readonly className?: string | undefined;
  readonly tone?: string | undefined;
  readonly children: ReactNode;
};

/** In milliseconds, as at a control. */
const DELAY = 500;

/**
 * A number that says what it stands for, on hover, on keyboard focus, and on a tap. It does nothing, so it is not a control:
 * a tooltip trigger of the library would want one.
 */
export const Explained = ({ about, className, tone, children }: ExplainedProps) => {
  const id = useId();
  const figure = useRef<HTMLSpanElement>(null);
  const timer = useRef<number>(undefined);
  const [isOpen, setIsOpen] = useState(false);
  const show = (isShown: boolean, delay = 0): void => {
    window.clearTimeout(timer.current);
    if (delay === 0) setIsOpen(isShown);
    else timer.current = window.setTimeout(() => setIsOpen(isShown), delay);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const state = useMemo(
    () => ({ isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false), shouldSkipAnimation: true }),
    [isOpen],
  );
  return (
    <>
      {/* A group has a description, which a plain text must not have. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is explained, and does nothing */}
      <span
        ref={figure}
        role="group"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the explanation is for the keyboard as well
        tabIndex={0}
        className={className}
        data-tone={tone}
        aria-describedby={isOpen ? id : undefined}
        onPointerEnter={({ pointerType }) => show(true, pointerType === 'mouse' ? DELAY : 0)}
        onPointerLeave={() => show(false)}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) show(true);
        }}
        onBlur={() => show(false)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') show(false);
        }}
      >
        {children}
      </span>
      <TooltipTriggerStateContext value={state}>
        <AriaTooltip triggerRef={figure} className={styles['tooltip'] ?? ''} offset={6}>
          <span id={id}>{about}</span>
        </AriaTooltip>
      </TooltipTriggerStateContext>
    </>
  );
};
