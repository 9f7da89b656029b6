import { useEffect, useRef } from 'react';
import type { Breakpoint } from '../../model/starlark/engine.ts';
import { cx } from '../../ui/cx.ts';
import { colourLine } from './colour-line.ts';
import styles from './source-view.module.css';

export type SourceViewProps = {
  readonly file: string;
  readonly text: string;
  readonly breakpoints: readonly Breakpoint[];
  readonly onToggle: (line: number) => void;
  /** The line that is being executed. */
  readonly line: number | undefined;
  readonly isPaused: boolean;
  /** What the locals hold, to stand behind the current line. */
  readonly hint?: string | undefined;
};

/** A program with its line numbers; a click on one sets or takes away a breakpoint. */
export const SourceView = ({ file, text, breakpoints, onToggle, line, isPaused, hint }: SourceViewProps) => {
  const current = useRef<HTMLDivElement>(null);
  const lines = text.replace(/\n$/, '').split('\n');
  const marked = new Set(breakpoints.map((point) => point.line));
  useEffect(() => {
    if (line !== undefined) current.current?.scrollIntoView({ block: 'nearest' });
  }, [line]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
    <div className={styles['source']} role="group" aria-label={`Source of ${file}`} tabIndex={0}>
      {lines.map((content, index) => {
        const number = index + 1;
        const isCurrent = number === line;
        return (
          <div
            // oxlint-disable-next-line react/no-array-index-key -- a line is known by its number
            key={number}
            ref={isCurrent ? current : undefined}
            className={cx(styles['line'], isCurrent && styles['current'])}
            data-paused={isCurrent && isPaused}
            {...(isCurrent && { 'aria-current': 'step' as const })}
          >
            <button
              type="button"
              tabIndex={-1}
              className={styles['gutter']}
              aria-label={`Breakpoint in line ${number}`}
              aria-pressed={marked.has(number)}
              onClick={() => onToggle(number)}
            >
              {number}
            </button>
            <code className={styles['code']}>
              {colourLine(content).map(({ kind, text: part }, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- words of a line have no other name
                <span key={at} data-kind={kind}>
                  {part}
                </span>
              ))}
              {isCurrent && isPaused && hint !== undefined && hint !== '' && (
                <span className={styles['hint']}>{`  # ${hint}`}</span>
              )}
            </code>
          </div>
        );
      })}
    </div>
  );
};
