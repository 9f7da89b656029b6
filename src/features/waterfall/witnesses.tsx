import { grouped, money, percent } from '../../model/instruments/figures.ts';
import { requestTitle } from '../../model/instruments/request-names.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import { isLoss, splitTotal, type WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import { witnessWords } from '../../model/instruments/witness-words.ts';
import { Button } from '../../ui/button.tsx';
import styles from './witnesses.module.css';

export type WitnessesProps = {
  readonly row: WaterfallRow;
  readonly onDifference?: (() => void) | undefined;
  /** Absent where what is shown is no session of this folder. */
  readonly onOpenSegment?: OpenSegment | undefined;
};

type Segment = NonNullable<NonNullable<NonNullable<WaterfallRow['verdict']>['position']>['segment']>;
/** Opens the file that a part of the prompt comes from. */
export type OpenSegment = (segment: Segment) => void;

/** What comes from a file; everything else is a setting of the session. */
const IN_FILES: ReadonlySet<string> = new Set(['skill-index', 'preloaded', 'instructions', 'user', 'memory']);

const segmentName = ({ name, file, line }: Segment): string =>
  `${file ?? name}${line === undefined ? '' : `, line ${line}`}`;

const Figure = ({
  name,
  colour,
  tokens,
  total,
}: {
  readonly name: string;
  readonly colour: string;
  readonly tokens: number;
  readonly total: number;
}) => (
  <div className={styles['figure']}>
    <span className={styles['swatch']} style={{ background: `var(--${colour})` }} />
    <span>{name}</span>
    <b>{grouped(tokens)}</b>
    <span className={styles['share']}>{total > 0 ? percent(tokens / total) : ''}</span>
  </div>
);

/** A request and its verdict: our own comparison, the provider's word, and the counters, each for itself. */
export const Witnesses = ({ row, onDifference, onOpenSegment }: WitnessesProps) => {
  const { verdict, actual, predicted } = row;
  const segment = verdict?.position?.segment;
  const canOpen = segment !== undefined && IN_FILES.has(segment.kind);
  const words = verdict && verdictWords(verdict.cause, verdict.position?.label);
  const said = verdict && witnessWords(verdict);
  const total = actual ? splitTotal(actual) : 0;
  return (
    <div className={styles['card']}>
      <h3 className={styles['title']}>
        {requestTitle(row.number)}
        <span className={styles['model']}>{row.model}</span>
      </h3>
      {verdict && words && (
        <p className={styles['cause']} data-miss={row.kind === 'miss'}>
          <b>{words.title}.</b> {words.about}
        </p>
      )}
      {actual ? (
        <div className={styles['figures']}>
          <Figure name="read" colour="read" tokens={actual.read} total={total} />
          <Figure name="written" colour="write" tokens={actual.written} total={total} />
          <Figure name="uncached" colour="uncached" tokens={actual.uncached} total={total} />
          <Figure name="output" colour="output" tokens={actual.output} total={0} />
        </div>
      ) : (
        <p className={styles['text']}>
          {row.status === 'failed'
            ? row.failure
            : row.status === 'running'
              ? 'On its way: the bar shows what is expected.'
              : 'The server reported no usage: what was read and what it cost is unknown. The bar shows what was expected.'}
        </p>
      )}
      {predicted && (
        <p className={styles['text']}>
          Predicted: {grouped(predicted.read)} read, {grouped(predicted.written)} written, {grouped(predicted.uncached)}{' '}
          uncached{row.isUncertain ? ', within the error of an estimate' : ''}.
        </p>
      )}
      {actual && <p className={styles['text']}>Cost: {money(row.costUsd)}</p>}
      {verdict && said && (
        <>
          <dl className={styles['witnesses']}>
            <dt>Our comparison</dt>
            <dd>{said.comparison}</dd>
            <dt>The provider</dt>
            <dd>{said.provider}</dd>
            <dt>The usage</dt>
            <dd>{said.usage}</dd>
            {verdict.lost_tokens > 0 && (
              <>
                <dt>Lost</dt>
                <dd>
                  {grouped(verdict.lost_tokens)} tokens, {money(verdict.lost_usd)}
                </dd>
              </>
            )}
            {verdict.repair !== '' && (
              <>
                <dt>What to do</dt>
                <dd className={styles['repair']}>{verdict.repair}</dd>
              </>
            )}
          </dl>
          {verdict.certainty === 'likely' && isLoss(row) && (
            <p className={styles['text']}>This is the likeliest cause, not a proven one.</p>
          )}
          <div className={styles['actions']}>
            {onOpenSegment && canOpen && (
              <Button onPress={() => onOpenSegment(segment)}>Open {segmentName(segment)}</Button>
            )}
            {onDifference && verdict.previous_request_id !== null && (
              <Button onPress={onDifference}>Show the difference</Button>
            )}
          </div>
        </>
      )}
    </div>
  );
};
