/** The answers of a run’s asks, one below the other, held against what the check looked for. */
import { useEffect, useRef } from 'react';
import { plural } from '../../base/text.ts';
import { took } from '../../model/instruments/figures.ts';
import { type Draft, holdsWord } from '../../model/instruments/run-drafts.ts';
import { Badge } from '../../ui/badge.tsx';
import { RunSection } from './run-section.tsx';
import styles from './run-drafts.module.css';

const escaped = (word: string): string =>
  word
    .trim()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^\\p{L}\\p{N}\\n]+');

/** A line with the words that the check looks for marked. */
const Marked = ({ text, words }: { readonly text: string; readonly words: readonly string[] }) => {
  const found = words
    .filter((word) => holdsWord(text, word))
    .map(escaped)
    .filter((word) => word !== '');
  if (found.length === 0) return <>{text}</>;
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${found.join('|')})(?![\\p{L}\\p{N}])`, 'giu'));
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          // oxlint-disable-next-line react/no-array-index-key -- a part is known by its place
          <mark key={index}>{part}</mark>
        ) : (
          part
        ),
      )}
    </>
  );
};

const verdictOf = (
  draft: Draft,
): { readonly text: string; readonly tone: 'plain' | 'accent' | 'error' | 'warning' } => {
  if (draft.state === 'writing') return { text: 'writing', tone: 'accent' };
  if (draft.state === 'failed') return { text: 'failed', tone: 'error' };
  if (draft.repeats !== undefined) return { text: `same as draft ${draft.repeats}`, tone: 'warning' };
  const missing = draft.words.filter(({ isFound }) => !isFound);
  if (draft.words.length === 0) return { text: 'new', tone: 'plain' };
  return missing.length === 0
    ? { text: 'nothing missing', tone: 'plain' }
    : { text: `missing ${missing.map(({ word }) => word).join(', ')}`, tone: 'error' };
};

const MOST_LINES = 400;

const DraftCard = ({ draft, isShown }: { readonly draft: Draft; readonly isShown: boolean }) => {
  const card = useRef<HTMLDetailsElement>(null);
  const { text, tone } = verdictOf(draft);
  const words = draft.words.map(({ word }) => word);
  const isWriting = draft.state === 'writing';
  useEffect(() => {
    if (isShown) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const lines = draft.lines.slice(0, MOST_LINES);
  return (
    <details ref={card} className={styles['draft']} data-shown={isShown} open={draft.repeats === undefined}>
      <summary>
        <b>Draft {draft.number}</b>
        <span className={styles['sub']}>
          {isWriting ? '' : plural(draft.text === '' ? 0 : draft.lines.length, 'line')}
          {draft.durationMs === undefined ? '' : `, ${took(draft.durationMs)}`}
        </span>
        <Badge tone={tone}>{text}</Badge>
      </summary>
      <div className={styles['text']} {...(isWriting && { 'aria-live': 'off' as const })}>
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line is known by its number
          <p key={index} data-new={line.isNew || isWriting}>
            <Marked text={line.text} words={words} />
          </p>
        ))}
        {draft.lines.length > MOST_LINES && <p>and {plural(draft.lines.length - MOST_LINES, 'more line')}</p>}
        {isWriting && <span className={styles['caret']} aria-hidden="true" />}
      </div>
      {draft.words
        .filter(({ isFound }) => !isFound && !isWriting)
        .map(({ word }) => (
          <p key={word} className={styles['missing']}>
            no line has “{word}”
          </p>
        ))}
      {draft.found.length > 0 && (
        <p className={styles['found']}>
          The program noted{' '}
          {draft.found.map(({ key, value }) => (
            <span key={key}>
              <code>{key}</code> {value}
            </span>
          ))}
        </p>
      )}
    </details>
  );
};

export type RunDraftsProps = {
  readonly drafts: readonly Draft[];
  /** The draft of the moment that is looked at. */
  readonly shown: string | undefined;
};

export const RunDrafts = ({ drafts, shown }: RunDraftsProps) => {
  const hasWords = drafts.some(({ words }) => words.length > 0);
  return (
    <RunSection title="Drafts" note={hasWords ? 'Words from the input are marked' : 'New lines are bright'}>
      {drafts.map((draft) => (
        <DraftCard key={draft.id} draft={draft} isShown={draft.id === shown} />
      ))}
    </RunSection>
  );
};
