import { useState } from 'react';
import type { SettingRemedy } from '../../model/instruments/remedy.ts';
import { remedyTitle, remedyToPaste } from '../../model/instruments/remedy.ts';
import { type Avoidable, savesNothing } from '../../model/instruments/avoidable.ts';
import { money } from '../../model/instruments/figures.ts';
import { segmentName, verdictWords } from '../../model/instruments/verdict-words.ts';
import { isLoss, type Verdict, type WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import { adviceOf } from '../../model/whatif/advice.ts';
import { repairOf } from '../../model/whatif/answer.ts';
import type { Policy } from '../../model/whatif/types.ts';
import { Button } from '../../ui/button.tsx';
import { type CauseSegment, isInFile, type OpenSegment } from './open-segment.ts';
import { readShare, WithChange } from './request-facts.tsx';
import styles from './request-panel.module.css';

const stateWords = (row: WaterfallRow): string => {
  if (row.status === 'failed') return row.failure ?? 'The request failed.';
  if (row.status === 'running') return 'The model is responding. The bar shows the forecast.';
  return 'The provider reported no usage, so the cost is unknown. The bar shows the forecast.';
};

const amountText = (avoidable: Avoidable): string =>
  avoidable.kind === 'pending'
    ? 'Forecasting…'
    : avoidable.kind === 'unknown'
      ? 'Price unknown'
      : avoidable.usd === 0
        ? 'Nothing avoidable'
        : `${money(avoidable.usd)} avoidable`;

/** Where nothing is lost, or not known to be yet, nothing is red. */
const hasNone = (avoidable: Avoidable): boolean =>
  avoidable.kind === 'pending' || (avoidable.kind === 'known' && avoidable.usd === 0);

/** Why less is avoidable than this request lost, or more. */
const otherText = (avoidable: Avoidable): string => {
  if (avoidable.kind !== 'known') return '';
  const { lost, usd } = avoidable;
  // A difference that nobody sees needs no sentence.
  if (money(lost) === money(usd)) return '';
  return usd < lost
    ? `This request lost ${money(lost)}. The change costs cache writes of its own.`
    : `This request lost ${money(lost)}. The change also saves in others.`;
};

/** What happened, in one line of large type: the money first. */
export const VerdictLead = ({ row, avoidable }: { readonly row: WaterfallRow; readonly avoidable: Avoidable }) => {
  const { verdict } = row;
  if (!verdict || !row.actual)
    return (
      <>
        <p className={styles['lead']}>
          {row.status === 'running'
            ? 'Waiting for response…'
            : row.status === 'failed'
              ? 'Failed'
              : 'No usage reported'}
        </p>
        <p className={styles['about']}>{stateWords(row)}</p>
      </>
    );
  const { title, about } = verdictWords(verdict.cause, verdict.position?.label);
  const isMoney = isLoss(row);
  return (
    <>
      <p className={styles['lead']}>
        {isMoney && <b data-none={hasNone(avoidable)}>{amountText(avoidable)}</b>}
        {isMoney ? ': ' : ''}
        {title}
      </p>
      <p className={styles['about']}>
        {isMoney ? (verdict.evidence[0] ?? about) : about} {isMoney ? otherText(avoidable) : readShare(row)}
      </p>
      {verdict.certainty === 'likely' && isMoney && (
        <p className={styles['about']}>This cause is likely, not proven.</p>
      )}
    </>
  );
};

export type WhatToDoProps = {
  readonly row: WaterfallRow;
  readonly verdict: Verdict;
  readonly avoidable: Avoidable;
  /** Of a session that is one’s own. */
  readonly setting: SettingRemedy | undefined;
  readonly onSet: (remedy: SettingRemedy) => void;
  readonly onOpenSegment: OpenSegment | undefined;
  readonly onSettings: (() => void) | undefined;
  readonly onCopy: (text: string) => void;
  /** The agent that sent it, if it is known. */
  readonly harness?: string | undefined;
  /** Of a recording. */
  readonly onTry: ((policy: Policy) => void) | undefined;
  readonly onDifference: (() => void) | undefined;
};

const repairFor = ({ cause, position }: Verdict): Policy | undefined => repairOf(cause, position?.label ?? '');

/** A known agent has a setting of its own; what to paste into a request is for any other. */
const pasteFor = (verdict: Verdict, harness: string | undefined): string | undefined => {
  const repair = harness === undefined ? undefined : repairFor(verdict);
  return repair ? adviceOf(harness, repair).find(({ paste }) => paste !== undefined)?.paste : remedyToPaste(verdict);
};

/** In a session of one’s own: one press. In a recording: what to paste. */
const Do = ({ verdict, setting, onSet, onOpenSegment, onSettings, onCopy, onTry, harness }: WhatToDoProps) => {
  const [wasSet, setWasSet] = useState(false);
  const segment: CauseSegment | undefined = verdict.position?.segment;
  if (setting?.isSet === true)
    return <p className={styles['done']}>{wasSet ? 'Done. ' : ''}It applies from the next request.</p>;
  if (setting)
    return (
      <Button
        look="primary"
        onPress={() => {
          setWasSet(true);
          onSet(setting);
        }}
      >
        {setting.label}
      </Button>
    );
  if (onOpenSegment && segment && isInFile(segment))
    return (
      <Button look="primary" onPress={() => onOpenSegment(segment)}>
        Open {segmentName(segment)}
      </Button>
    );
  if (onSettings)
    return (
      <Button look="primary" onPress={onSettings}>
        Open session settings
      </Button>
    );
  const repair = onTry && repairFor(verdict);
  const paste = pasteFor(verdict, harness);
  const what = paste === undefined ? 'advice' : 'setting';
  return (
    <Button
      look="primary"
      onPress={() => {
        onCopy(paste ?? verdict.repair);
        if (repair) onTry(repair);
      }}
    >
      {repair ? `Try in What if and copy the ${what}` : `Copy the ${what}`}
    </Button>
  );
};

/** The advice with the button that does it; never cut. */
export const WhatToDo = (props: WhatToDoProps) => {
  const { row, verdict, onDifference } = props;
  const title = remedyTitle(verdict);
  const paste = props.onSettings === undefined ? pasteFor(verdict, props.harness) : undefined;
  const isVain = savesNothing(props.avoidable);
  const hasAdvice = isLoss(row) && !isVain && (title !== undefined || verdict.repair !== '');
  if (!hasAdvice && !isVain && !onDifference) return null;
  return (
    <section className={hasAdvice ? styles['todo'] : styles['part']} aria-label="What to do">
      {isVain && <p className={styles['about']}>Nothing to do: the change would cost as much as it saves.</p>}
      {hasAdvice && (
        <>
          <h4 className={styles['todo-name']}>What to do</h4>
          {title !== undefined && <p className={styles['todo-title']}>{title}</p>}
          {verdict.repair !== '' && <p className={styles['about']}>{verdict.repair}</p>}
          {paste !== undefined && <code className={styles['paste']}>{paste}</code>}
          <WithChange row={row} avoidable={props.avoidable} />
        </>
      )}
      <div className={styles['actions']}>
        {hasAdvice && <Do {...props} key={row.key} />}
        {onDifference && <Button onPress={onDifference}>Show the difference</Button>}
      </div>
    </section>
  );
};
