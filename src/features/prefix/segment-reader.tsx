import { useEffect, useRef, useState } from 'react';
import { type BodySegments, selectedBytes, shownText } from '../../model/instruments/body-segments.ts';
import { grouped } from '../../model/instruments/figures.ts';
import type { PrefixSegment } from '../../model/instruments/prefix-view.ts';
import styles from './segment-reader.module.css';

export type SegmentReaderProps = {
  readonly whole: BodySegments;
  readonly segment: PrefixSegment;
  /** Shows the text, too. */
  readonly isOpen: boolean;
};

type Bytes = { readonly start: number; readonly end: number };

const KINDS: Readonly<Record<string, string>> = {
  hidden: 'hidden tool prompt',
  tool: 'tool',
  persona: 'persona',
  instructions: 'instructions',
  'skill-index': 'skill index',
  preloaded: 'padding: preloaded skill',
  'operating-context': 'padding: context',
  environment: 'volatile: environment',
  user: 'volatile: USER.md',
  memory: 'volatile: MEMORY.md',
  message: 'message',
  system: 'system prompt',
};

/** What of an element's text is selected; a triple click, or Select all, ends beside the text and not in it. */
const selectedInside = (
  element: HTMLElement,
  range: Range,
): { readonly start: number; readonly end: number } | undefined => {
  if (range.collapsed || !range.intersectsNode(element)) return undefined;
  const before = document.createRange();
  before.selectNodeContents(element);
  const length = before.toString().length;
  const offsetOf = (node: Node, offset: number, outside: number): number => {
    if (!element.contains(node)) return outside;
    before.setEnd(node, offset);
    return before.toString().length;
  };
  const start = offsetOf(range.startContainer, range.startOffset, 0);
  const end = offsetOf(range.endContainer, range.endOffset, length);
  return start < end ? { start, end } : undefined;
};

/** The bytes that are selected inside one element; nothing where the selection is elsewhere or empty. */
const useSelectedBytes = (whole: BodySegments, segment: PrefixSegment) => {
  const text = useRef<HTMLPreElement>(null);
  const [bytes, setBytes] = useState<Bytes>();
  useEffect(() => {
    const look = (): void => {
      const selection = document.getSelection();
      const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
      const element = text.current;
      const selected = range && element ? selectedInside(element, range) : undefined;
      setBytes(selected && selectedBytes(whole.body, segment, selected.start, selected.end));
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [whole, segment]);
  return { text, bytes };
};

/** What a segment is, and what it says. */
export const SegmentReader = ({ whole, segment, isOpen }: SegmentReaderProps) => {
  const { text, bytes } = useSelectedBytes(whole, segment);
  const [from, to] = bytes ? [bytes.start, bytes.end] : [segment.byteStart, segment.byteEnd];
  const isHidden = segment.kind === 'hidden';
  return (
    <div className={styles['reader']}>
      <h3 className={styles['title']}>{segment.title}</h3>
      <dl className={styles['facts']}>
        <div>
          <dt>kind</dt>
          <dd>{KINDS[segment.kind] ?? segment.kind}</dd>
        </div>
        <div>
          <dt>id</dt>
          <dd className={styles['mono']}>{segment.id}</dd>
        </div>
        <div>
          <dt>tokens</dt>
          <dd>
            {segment.counted === undefined ? null : <>{grouped(segment.counted)} counted</>}
            {segment.counted !== undefined && !isHidden && ' · '}
            {!isHidden && <>{grouped(segment.estimate)} estimated</>}
          </dd>
        </div>
        {!isHidden && (
          <div>
            <dt>{bytes ? 'selected bytes' : 'bytes'}</dt>
            <dd className={styles['mono']} aria-live="polite">
              {grouped(from)}–{grouped(to)} ({grouped(to - from)}) of <code>{segment.label}</code>
            </dd>
          </div>
        )}
      </dl>
      {isHidden && (
        <p>The provider adds these tokens when a request has tools. They are billed and cached with the first tool.</p>
      )}
      {isOpen && !isHidden && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
        <pre ref={text} className={styles['text']} role="group" aria-label={`Text of ${segment.title}`} tabIndex={0}>
          {shownText(whole.body, segment)}
        </pre>
      )}
    </div>
  );
};
