import { bodyDifference, type BodyDifference, type Excerpt } from '../../model/instruments/body-difference.ts';
import type { BodySegments } from '../../model/instruments/body-segments.ts';
import { plural } from '../../base/text.ts';
import { grouped } from '../../model/instruments/figures.ts';
import { alignedRows, type Line } from '../../model/instruments/aligned-lines.ts';
import { segmentName, verdictWords } from '../../model/instruments/verdict-words.ts';
import type { Verdict } from '../../model/instruments/waterfall-view.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './difference-dialog.module.css';
import { VisibleText } from './visible-text.tsx';

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

const Part = ({ line, mark }: { readonly line: Line; readonly mark: 'del' | 'ins' }) => {
  const Mark = mark;
  return line?.map(({ text, isChanged }, index) => {
    const key = `${index}`;
    return isChanged ? (
      <Mark key={key} className={styles[mark]}>
        <VisibleText text={text} />
      </Mark>
    ) : (
      <span key={key}>
        <VisibleText text={text} />
      </span>
    );
  });
};

type SideProps = { readonly name: string; readonly place: string; readonly excerpt: Excerpt | undefined };

const SideName = ({ name, place, excerpt }: SideProps) => (
  <th scope="col">
    <b>{name}</b> {place}
    {excerpt ? `, byte ${grouped(excerpt.byte)}` : ''}
  </th>
);

/** Both texts, line by line beside each other. */
const Sides = ({
  names,
  place,
  difference: { before, after },
}: {
  readonly names: readonly [string, string];
  readonly place: string;
  readonly difference: Extract<BodyDifference, { kind: 'block' }>;
}) => {
  const rows = alignedRows(before, after);
  const isCutBefore = before?.isCutBefore === true || after?.isCutBefore === true;
  const isCutBehind = before?.isCutBehind === true || after?.isCutBehind === true;
  const cut = (
    <tr className={styles['cut']}>
      <td>…</td>
      <td>…</td>
    </tr>
  );
  return (
    <div
      className={styles['text']}
      role="group"
      aria-label={`Text of ${names[0]} and ${names[1]} around the difference`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
      tabIndex={0}
    >
      <table className={styles['sides']}>
        <thead>
          <tr>
            <SideName name={names[0]} place={place} excerpt={before} />
            <SideName name={names[1]} place={place} excerpt={after} />
          </tr>
        </thead>
        <tbody>
          {isCutBefore && cut}
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a line has nothing but its place
            <tr key={index} data-same={row.isSame}>
              <td data-side={row.before && 'del'}>
                <Part line={row.before} mark="del" />
              </td>
              <td data-side={row.after && 'ins'}>
                <Part line={row.after} mark="ins" />
              </td>
            </tr>
          ))}
          {(!before || !after) && (
            <tr>
              <td className={styles['nothing']}>{before ? '' : 'This request ends here.'}</td>
              <td className={styles['nothing']}>{after ? '' : 'This request ends here.'}</td>
            </tr>
          )}
          {isCutBehind && cut}
        </tbody>
      </table>
    </div>
  );
};

const explanation = (difference: BodyDifference): string =>
  difference.kind === 'none'
    ? `The text hasn’t changed. The later request starts with the whole earlier one${difference.added > 0 ? ` and adds ${plural(difference.added, 'block')}` : ''}. The difference is the time, a parameter, or the destination.`
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
              : 'The earlier request belongs to a session that is no longer saved. They diverge here.'}
        </p>
        {difference?.kind === 'block' && (
          <Sides
            names={names}
            place={position?.segment ? segmentName(position.segment) : difference.label}
            difference={difference}
          />
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
