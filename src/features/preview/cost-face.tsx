import { useEffect, useMemo, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { writtenIn } from '../../model/cache/forecast.ts';
import { calibratedTokens, skillCost, type SkillCost } from '../../model/preview/cost.ts';
import { compareAlone, editCost, type CompareStarts, type EditCost } from '../../model/preview/edit-cost.ts';
import type { EditedLibrary } from '../../model/preview/edited.ts';
import { modelFacts } from '../../model/provider/model-book.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import { Badge } from '../../ui/badge.tsx';
import styles from './cost-face.module.css';
import { grouped, percent } from '../../base/figures.ts';

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

const Figure = ({
  tokens,
  calibrated,
  label,
  note,
}: {
  readonly tokens: number;
  readonly calibrated: number | undefined;
  readonly label: string;
  readonly note: string;
}) => (
  <div className={styles['figure']}>
    <p className={styles['number']}>
      {grouped(tokens)} <span className={styles['unit']}>tokens</span>
    </p>
    <p className={styles['label']}>{label}</p>
    <p className={styles['note']}>{note}</p>
    <p className={styles['calibrated']}>
      {calibrated === undefined ? ' ' : `≈ ${grouped(calibrated)} as the model counts`}
    </p>
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
          ? `With ${grouped(body.tokens)} tokens it can never be activated: a session refuses what reaches ${grouped(capTokens)}.`
          : `Loading it takes ${percent(shareOfCap)} of what a session may load (${grouped(capTokens)} tokens), and ${percent(shareOfWarning)} of what it loads without a warning.`}
        {body.tokens > cost.bodyAdvice && ` Bodies under ${grouped(cost.bodyAdvice)} tokens are recommended.`}
      </p>
    </section>
  );
};

const Edit = ({ edit }: { readonly edit: EditCost }) => {
  const { after } = edit.change;
  const [read, written] = [after.usage.read, writtenIn(after)];
  const share = read + written === 0 ? 0 : written / (read + written);
  return (
    <>
      <p className={styles['edit']}>
        <b>{edit.answer}</b>
      </p>
      {read + written > 0 && (
        <>
          <div className={styles['strip']} aria-hidden="true">
            <div className={styles['kept']} style={{ width: `${(1 - share) * 100}%` }} />
            <div className={styles['lost']} style={{ width: `${share * 100}%` }} />
          </div>
          <p className={styles['legend']}>
            <span className={styles['kept']} /> {grouped(read)} read
            <span className={styles['lost']} /> {grouped(written)} written
          </p>
        </>
      )}
      <p className={styles['text']}>{edit.note}</p>
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
      // Without counts the other figures say why.
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
  if (!cost) return null;
  return (
    <div className={styles['face']}>
      <section className={styles['section']} aria-label="What this edit breaks">
        <h3 className={styles['title']}>What this edit breaks</h3>
        {edit ? (
          <Edit edit={edit} />
        ) : (
          <p className={styles['text']}>
            {before && !isSame
              ? compared
                ? 'Counting the tokens…'
                : 'The cost of this edit is unknown because no tokenizer is available.'
              : before
                ? 'Nothing: the text is as it is on disk. Change it, and the tokens and the money that the next request loses are shown here.'
                : 'The file is new: there is nothing in a cache yet.'}
          </p>
        )}
        <p className={styles['small']}>
          For the first request of a session with {modelFacts(cost.model).label}, before your message, if the saved text
          is still in the cache.
          {calibrated.failure !== undefined && ` The model’s own count is not available: ${calibrated.failure}.`}
        </p>
      </section>
      <div className={styles['figures']}>
        <Figure
          tokens={cost.indexLine.tokens}
          calibrated={calibrated.counts?.[0]}
          label="Index line"
          note="on every request of every session"
        />
        <Figure tokens={cost.body.tokens} calibrated={calibrated.counts?.[1]} label="Body" note="once it is loaded" />
      </div>
      <Budget cost={cost} />
      <section className={styles['section']} aria-label="Preloaded">
        <h3 className={styles['title']}>
          Would it be preloaded? {cost.preloading.kind === 'preloaded' && <Badge tone="preloaded">preloaded</Badge>}
        </h3>
        <p className={styles['text']}>
          {cost.preloading.kind === 'preloaded' ? 'Yes. ' : 'No. '}
          {cost.preloading.why}
        </p>
      </section>
    </div>
  );
};
