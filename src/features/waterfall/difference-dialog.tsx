import { bodyDifference, type BodyDifference, type Excerpt } from '../../model/instruments/body-difference.ts';
import type { BodySegments } from '../../model/instruments/body-segments.ts';
import { grouped } from '../../model/instruments/figures.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import type { Verdict } from '../../model/instruments/waterfall-view.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './difference-dialog.module.css';

export type DifferenceDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Names of both requests, such as `#2` and `#3`. */
  readonly names: readonly [before: string, after: string];
  readonly before: BodySegments | undefined;
  readonly after: BodySegments | undefined;
  /** The earlier one is being looked for. */
  readonly isReading?: boolean;
  readonly verdict: Verdict | undefined;
};

const Side = ({
  name,
  excerpt,
  mark,
}: {
  readonly name: string;
  readonly excerpt: Excerpt | undefined;
  readonly mark: 'del' | 'ins';
}) => {
  const Mark = mark;
  return (
    <figure className={styles['side']}>
      <figcaption className={styles['caption']}>
        <b>{name}</b>
        {excerpt && <span>first difference at byte {grouped(excerpt.byte)}</span>}
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard */}
      <pre className={styles['text']} role="group" aria-label={`Text of ${name} around the difference`} tabIndex={0}>
        {excerpt ? (
          <>
            {excerpt.isCutBefore && <span className={styles['cut']}>… </span>}
            <span className={styles['same']}>{excerpt.lead}</span>
            {excerpt.middle === '' ? (
              <span className={styles['nothing']}>nothing stands here</span>
            ) : (
              <Mark className={styles[mark]}>{excerpt.middle}</Mark>
            )}
            <span className={styles['same']}>{excerpt.tail}</span>
            {excerpt.isCutBehind && <span className={styles['cut']}> …</span>}
          </>
        ) : (
          <span className={styles['nothing']}>This request ends before.</span>
        )}
      </pre>
    </figure>
  );
};

const explanation = (difference: BodyDifference): string =>
  difference.kind === 'none'
    ? `Nothing that was sent before has changed: the later request begins with the whole of the earlier one${difference.added > 0 ? ` and adds ${grouped(difference.added)} blocks` : ''}. What differs is time, a parameter, or where it was sent.`
    : `The first block that differs is ${difference.label}. Everything before it is the same, byte for byte.`;

/** Two requests side by side, around the first character that differs. */
export const DifferenceDialog = (props: DifferenceDialogProps) => {
  const { isOpen, onClose, names, before, after, isReading = false, verdict } = props;
  const difference = before && after ? bodyDifference(before, after) : undefined;
  const position = verdict?.position;
  return (
    <Dialog title={`What changed between ${names[0]} and ${names[1]}`} isOpen={isOpen} onClose={onClose} size="large">
      <div className={styles['content']}>
        {verdict && (
          <p>
            <b>{verdictWords(verdict.cause, verdict.position?.label).title}.</b> {verdict.evidence.join(' ')}
          </p>
        )}
        <p className={styles['about']}>
          {difference
            ? explanation(difference)
            : isReading
              ? 'Reading the earlier request…'
              : 'The earlier request belongs to another session, which is not kept any more. This is the place at which they part.'}
        </p>
        {difference?.kind === 'block' && (
          <div className={styles['sides']}>
            <Side name={names[0]} excerpt={difference.before} mark="del" />
            <Side name={names[1]} excerpt={difference.after} mark="ins" />
          </div>
        )}
        {(!difference || difference.kind === 'none') && position && position.before !== position.after && (
          <dl className={styles['parameter']}>
            <dt>{position.label}</dt>
            <dd>
              <del className={styles['del']}>{position.before || 'not set'}</del>{' '}
              <ins className={styles['ins']}>{position.after || 'not set'}</ins>
            </dd>
          </dl>
        )}
        {verdict && verdict.repair !== '' && (
          <p className={styles['repair']}>
            <b>What to do.</b> {verdict.repair}
          </p>
        )}
      </div>
    </Dialog>
  );
};
