import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './code-text.module.css';

export type CodeTextProps = {
  readonly children: ReactNode;
  /** As a block that keeps its lines and scrolls by itself; it needs a name then. */
  readonly block?: string;
};

/** Anything that goes over the wire or is in a file: monospaced, as it is. */
export const CodeText = ({ children, block }: CodeTextProps) =>
  block === undefined ? (
    <code className={styles['code']}>{children}</code>
  ) : (
    <pre className={cx(styles['code'], styles['block'])} role="group" aria-label={block} tabIndex={0}>
      {children}
    </pre>
  );

/** A sentence in which `code` stands between backticks. */
export const SentenceWithCode = ({ children }: { readonly children: string }) =>
  children
    .split('`')
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one sentence never change their places
    .map((part, index) => (index % 2 === 0 ? part : <CodeText key={index}>{part}</CodeText>));
