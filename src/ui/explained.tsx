import type { ReactNode } from 'react';
import { Focusable } from 'react-aria-components/Focusable';
import { Tooltip } from './tooltip.tsx';

export type ExplainedProps = {
  /** What the figure stands for, in one sentence. */
  readonly about: string;
  readonly className?: string | undefined;
  readonly tone?: string | undefined;
  readonly children: ReactNode;
};

/** A figure that says what it stands for, on hover and on keyboard focus. */
export const Explained = ({ about, className, tone, children }: ExplainedProps) => (
  <Tooltip text={about}>
    <Focusable>
      {/* A group has a description, which a plain text must not have. */}
      <span role="group" className={className} data-tone={tone}>
        {children}
      </span>
    </Focusable>
  </Tooltip>
);
