import { type CSSProperties, useEffect, useMemo, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { writtenIn } from '../../model/cache/forecast.ts';
import { calibratedTokens, skillCost, type SkillCost } from '../../model/preview/cost.ts';
import { compareAlone, editCost, type CompareStarts, type EditCost } from '../../model/preview/edit-cost.ts';
import type { EditedLibrary } from '../../model/preview/edited.ts';
import { modelFacts } from '../../model/provider/model-book.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import styles from './cost-face.module.css';
import { grouped, money, percent } from '../../base/figures.ts';
import { originOf } from '../../model/instruments/strip-layout.ts';
import { editStrip, readUpTo, type EditStrip } from '../../model/preview/edit-strip.ts';

/** Counts of the model for these texts, once they are there. */
const useCalibrated = (texts: readonly string[], model: string, tokenizer: Tokenizer | undefined) => {
  const [known, setKnown] = useState<{ readonly key: string; readonly counts: readonly number[] }>();
  const [failure, setFailure] = useState<string>();
  const key = JSON.stringify([model, ...texts]);
  useEffect(() => {
    if (!tokenizer) return undefined;
    let isHere = true;
    const [name = '', ...wanted] = JSON.parse(key) as string[];
    const count = async (): Promise<void> => {
      try {
        const counts = await calibratedTokens(wanted, name, tokenizer);
        if (isHere) setKnown({ key, counts });
      } catch (thrown) {
        if (isHere) setFailure(errorMessage(thrown));
      }
    };
    void count();
    return () => {
      isHere = false;
    };
  }, [key, tokenizer]);
  return { counts: known?.key === key ? known.counts : undefined, failure };
};

/** One fact of the skill, with the number first. */
const Fact = ({ figure, label, note }: { readonly figure: string; readonly label: string; readonly note: string }) => (
  <div className={styles['fact']}>
    <dt>
      {label} <span className={styles['note']}>{note}</span>
    </dt>
    <dd>{figure}</dd>
  </div>
);

const Budget = ({ cost }: { readonly cost: SkillCost }) => {
  const { body, warnTokens, capTokens, shareOfCap, shareOfWarning } = cost;
  return (
    <section className={styles['section']} aria-label="Share of the activation budget">
      <h3 className={styles['title']}>Share of the activation budget</h3>
      <div className={styles['track']} aria-hidden="true">
        <div className={styles['fill']} style={{ width: `${Math.min(1, shareOfCap) * 100}%` }} />
        <div className={styles['mark']} style={{ left: `${(warnTokens / capTokens) * 100}%` }} />
      </div>
      <div className={styles['scale']} aria-hidden="true">
        <span>0</span>
        <span style={{ left: `${(warnTokens / capTokens) * 100}%` }}>{grouped(warnTokens)} warns</span>
        <span>{grouped(capTokens)} refuses</span>
      </div>
      <p className={styles['text']}>
        {shareOfCap >= 1
          ? `Too large to load: ${grouped(body.tokens)} tokens, limit ${grouped(capTokens)}.`
          : `One load uses ${percent(shareOfCap)} of the limit (${grouped(capTokens)} tokens) and ${percent(shareOfWarning)} of the warning level.`}
        {body.tokens > cost.bodyAdvice && ` Bodies under ${grouped(cost.bodyAdvice)} tokens are recommended.`}
      </p>
    </section>
  );
};

/** The answer in large type: what the edit costs, or what the skill costs where nothing was edited. */
const headline = (cost: SkillCost, edit: EditCost | undefined): { readonly figure: string; readonly about: string } => {
  if (!edit) return { figure: `${grouped(cost.indexLine.tokens)} tokens`, about: 'in every request' };
  const { extraUsd, lost } = edit.change;
  if (edit.firstDifference === undefined) return { figure: 'Free', about: 'until a session loads the skill' };
  if (extraUsd === undefined)
    return { figure: `${grouped(lost)} tokens`, about: 'rewritten once. The price is unknown' };
  return {
    figure: money(Math.abs(extraUsd)),
    about: `${extraUsd < 0 ? 'less' : 'more'}, once`,
  };
};

/** Tools and stable prompt as they would be sent. From the edited place on they are rewritten. */
const Strip = ({ strip, edit }: { readonly strip: EditStrip; readonly edit: EditCost | undefined }) => {
  const { parts, line, editedAt } = strip;
  const { after, before } = edit?.change ?? {};
  const [read, written] = after ? [after.usage.read, writtenIn(after)] : [0, 0];
  const all = before?.usage.read ?? 0;
  const kept = editedAt === undefined ? 1 : readUpTo(strip, all === 0 ? 0 : read / all);
  const drawn = parts.map(({ kind, from, to }) => (
    <span
      key={from}
      data-origin={originOf({ kind })}
      style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
    />
  ));
  return (
    <>
      <div
        className={styles['strip']}
        aria-hidden="true"
        data-edited={editedAt !== undefined}
        style={{ '--at': `${(editedAt ?? 1) * 100}%` } as CSSProperties}
      >
        <div className={styles['whole']}>{drawn}</div>
        <div className={styles['eroded']}>{drawn}</div>
        {line && (
          <span
            className={styles['line']}
            style={{ left: `${line.from * 100}%`, width: `${(line.to - line.from) * 100}%` }}
          />
        )}
        {editedAt !== undefined && <span className={styles['place']} />}
      </div>
      {read + written > 0 && (
        <>
          <div className={styles['lane']} aria-hidden="true">
            <div className={styles['kept']} style={{ width: `${kept * 100}%` }} />
            <div className={styles['lost']} style={{ width: `${(1 - kept) * 100}%` }} />
          </div>
          <p className={styles['legend']}>
            <span className={styles['kept']} /> {grouped(read)} read
            <span className={styles['lost']} /> {grouped(written)} rewritten
          </p>
        </>
      )}
    </>
  );
};

/** What the edit costs, once it is counted; the last answer stays until then. */
const useEditCost = (
  before: EditedLibrary | undefined,
  edited: EditedLibrary,
  compare: CompareStarts | undefined,
): EditCost | undefined => {
  const [known, setKnown] = useState<EditCost>();
  useEffect(() => {
    if (!before || !compare) return undefined;
    let isHere = true;
    const ask = async (): Promise<void> => {
      // Without counts the other numbers say why.
      const cost = await editCost(before, edited, compare).catch(() => undefined);
      if (isHere) setKnown(cost);
    };
    void ask();
    return () => {
      isHere = false;
    };
  }, [before, edited, compare]);
  return before && compare ? known : undefined;
};

export type CostFaceProps = {
  readonly edited: EditedLibrary;
  /** As it is saved; nothing where there is no file yet. */
  readonly before: EditedLibrary | undefined;
  /** The text is as it is on disk. */
  readonly isSame: boolean;
  readonly tokenizer: Tokenizer | undefined;
  /** Knows what sessions have left in a cache; absent: nothing is known of any. */
  readonly compare: CompareStarts | undefined;
};

export const CostFace = ({ edited, before, isSame, tokenizer, compare }: CostFaceProps) => {
  const cost = useMemo(() => skillCost(edited), [edited]);
  const compared = useMemo(() => compare ?? (tokenizer && compareAlone(tokenizer)), [compare, tokenizer]);
  const edit = useEditCost(isSame ? undefined : before, edited, compared);
  const calibrated = useCalibrated(
    cost ? [cost.indexLine.text, cost.body.text] : [],
    cost?.model ?? '',
    cost && tokenizer,
  );
  const strip = useMemo(() => editStrip(isSame ? undefined : before, edited), [isSame, before, edited]);
  if (!cost) return null;
  const { figure, about } = headline(cost, edit);
  const [line, body] = calibrated.counts ?? [];
  return (
    <div className={styles['face']}>
      <section className={styles['section']} aria-label="What this edit breaks">
        <p className={styles['lead']}>
          <b>{figure}</b> {about}
        </p>
        <p className={styles['text']}>
          {edit
            ? edit.answer
            : isSame
              ? 'This file has no unsaved changes. Edit it, and the cost of the edit appears here as you type.'
              : before
                ? compared
                  ? 'Counting tokens…'
                  : 'The cost of this edit is unknown because no tokenizer is available.'
                : 'The file is new, so it isn’t cached yet.'}
        </p>
        <Strip strip={strip} edit={edit} />
        {edit && <p className={styles['text']}>{edit.note}</p>}
      </section>
      <dl className={styles['facts']}>
        <Fact label="Index line" note="in every request" figure={`${grouped(cost.indexLine.tokens)} tokens`} />
        <Fact label="Body" note="after it loads" figure={`${grouped(cost.body.tokens)} tokens`} />
        <Fact label="Activation budget" note="per load" figure={percent(cost.shareOfCap)} />
        <Fact label="Preloaded" note="as padding" figure={cost.preloading.kind === 'preloaded' ? 'yes' : 'no'} />
      </dl>
      <details className={styles['details']}>
        <summary>Details</summary>
        <Budget cost={cost} />
        <p className={styles['text']}>
          {cost.preloading.kind === 'preloaded' ? 'Preloaded. ' : 'Not preloaded. '}
          {cost.preloading.why}
        </p>
        <p className={styles['small']}>
          {line !== undefined && body !== undefined && (
            <>
              {modelFacts(cost.model).label} counts about {grouped(line)} tokens for the index line and {grouped(body)}{' '}
              for the body.{' '}
            </>
          )}
          The price is for the first request of a session with {modelFacts(cost.model).label}, before your message,
          while the saved text is still cached.
          {calibrated.failure !== undefined && ` The model’s own count isn’t available: ${calibrated.failure}.`}
        </p>
      </details>
    </div>
  );
};
