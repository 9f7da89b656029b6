import { useEffect, useId, useMemo, useState } from 'react';
import { grouped, money } from '../../model/instruments/figures.ts';
import { type PaddingPlot, paddingPlot } from '../../model/instruments/padding-view.ts';
import type { PaddingPolicy } from '../../model/prompt/types.ts';
import { MODEL_BOOK } from '../../model/provider/model-book.ts';
import type { Ttl } from '../../model/provider/types.ts';
import type { PaddingBasis } from '../../model/session/padding-basis.ts';
import type { PaddingChoice } from '../../stores/session-types.ts';
import { Choice } from '../../ui/choice.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ExplainedLegend } from '../../ui/explained-legend.tsx';
import { Select } from '../../ui/select.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { useWidth } from '../../ui/use-width.ts';
import styles from './padding-calculator.module.css';

export type PaddingCalculatorProps = {
  readonly model: string;
  /** The first request of a session that would start now, with padding and without; see `SessionStore.paddingBasis`. */
  readonly basisOf: (choice: PaddingChoice) => Promise<PaddingBasis | undefined>;
  /** Turns so far: the calculator starts with a few more. */
  readonly turns?: number;
  /** What the session pads by; the calculator starts with it. */
  readonly policy?: PaddingPolicy | undefined;
};

const MODELS = [...MODEL_BOOK.values()]
  .filter(({ price }) => price !== undefined)
  .map(({ id, label, floor }) => ({
    value: id,
    label,
    description: floor === undefined ? 'floor unknown' : `cache floor ${grouped(floor)}`,
  }));

const HEIGHT = 260;
const EDGE = { left: 62, right: 16, top: 14, bottom: 34 };

const Chart = ({ plot, turns }: { readonly plot: PaddingPlot; readonly turns: number }) => {
  const title = useId();
  const [box, measured] = useWidth<HTMLDivElement>();
  // Drawn in pixels, so that text keeps its size.
  const width = Math.max(320, measured);
  const x = (turn: number): number =>
    EDGE.left + (turns <= 1 ? 0 : (turn - 1) / (turns - 1)) * (width - EDGE.left - EDGE.right);
  const y = (value: number): number =>
    HEIGHT - EDGE.bottom - (plot.most === 0 ? 0 : value / plot.most) * (HEIGHT - EDGE.top - EDGE.bottom);
  const line = (values: readonly number[]): string =>
    values
      .map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index + 1).toFixed(1)} ${y(value).toFixed(1)}`)
      .join('');
  const { crossing } = plot;
  const [lastWith, lastWithout] = [plot.withPadding.at(-1) ?? 0, plot.withoutPadding.at(-1) ?? 0];
  return (
    <div ref={box}>
      <svg className={styles['chart']} width={width} height={HEIGHT} role="img" aria-labelledby={title}>
        <title id={title}>{`Cost of the prompt over turns. ${plot.why}`}</title>
        {plot.yTicks.map((tick) => (
          <g key={tick}>
            <line className={styles['grid']} x1={EDGE.left} x2={width - EDGE.right} y1={y(tick)} y2={y(tick)} />
            <text className={styles['tick']} x={EDGE.left - 8} y={y(tick) + 4} textAnchor="end">
              {money(tick)}
            </text>
          </g>
        ))}
        {plot.xTicks.map((tick) => (
          <text key={tick} className={styles['tick']} x={x(tick)} y={HEIGHT - 16} textAnchor="middle">
            {tick}
          </text>
        ))}
        <text className={styles['tick']} x={width - EDGE.right} y={HEIGHT - 2} textAnchor="end">
          turns
        </text>
        <path className={styles['without']} d={line(plot.withoutPadding)} />
        <path className={styles['with']} d={line(plot.withPadding)} />
        {crossing && (
          <g>
            <line
              className={styles['crossing']}
              x1={x(crossing.turn)}
              x2={x(crossing.turn)}
              y1={EDGE.top}
              y2={HEIGHT - EDGE.bottom}
            />
            <circle className={styles['point']} cx={x(crossing.turn)} cy={y(crossing.value)} r={4.5} />
            <text
              className={styles['answer']}
              x={x(crossing.turn) + (crossing.turn > turns * 0.7 ? -8 : 8)}
              y={EDGE.top + 10}
              textAnchor={crossing.turn > turns * 0.7 ? 'end' : 'start'}
            >
              {`pays from turn ${plot.cost.paysFrom ?? ''}`}
            </text>
          </g>
        )}
        {lastWith === lastWithout ? (
          <text className={styles['name']} x={width - EDGE.right} y={y(lastWith) + 34} textAnchor="end">
            the same with and without
          </text>
        ) : (
          <>
            <text
              className={styles['name']}
              x={width - EDGE.right}
              y={y(lastWithout) + (lastWithout > lastWith ? -7 : 34)}
              textAnchor="end"
            >
              without padding
            </text>
            <text
              className={styles['name']}
              x={width - EDGE.right}
              y={y(lastWith) + (lastWith > lastWithout ? -7 : 34)}
              textAnchor="end"
            >
              with padding
            </text>
          </>
        )}
      </svg>
    </div>
  );
};

const Slider = ({
  label,
  value,
  most,
  least,
  step,
  onChange,
  text,
}: {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
  readonly text: string;
}) => {
  const id = useId();
  return (
    <div className={styles['slider']}>
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id}>{text}</output>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </div>
  );
};

const LEAST = 50;

const NOT_COUNTED = 'Can’t count the prefix tokens. See the log for the reason.';

type Basis = { readonly basis?: PaddingBasis | undefined; readonly problem?: string };

/** The last answer stays until there is another. */
const useBasis = (
  basisOf: PaddingCalculatorProps['basisOf'],
  model: string,
  policy: PaddingChoice['policy'],
  ttl: Ttl,
): Basis => {
  const [known, setKnown] = useState<Basis>({});
  useEffect(() => {
    let isWanted = true;
    const load = async (): Promise<void> => {
      const basis = await basisOf({ model, policy, ttl }).catch(() => undefined);
      if (isWanted) setKnown(basis ? { basis } : { problem: NOT_COUNTED });
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, [basisOf, model, policy, ttl]);
  return known;
};

const ANSWERS = {
  pays: 'Padding pays off.',
  later: 'Padding pays off, but not within these turns.',
  never: 'Padding never pays off here.',
  needless: 'No padding is needed.',
} as const;

/** What a request costs over turns, as it is and padded up to where the model caches it. */
const PaddingCalculator = ({ model: first, basisOf, turns: soFar = 0, policy: used }: PaddingCalculatorProps) => {
  const [model, setModel] = useState(first);
  // Nothing: the prefix as it is.
  const [natural, setNatural] = useState<number>();
  const [turns, setTurns] = useState(Math.max(12, soFar + 6));
  const [policy, setPolicy] = useState<'model' | 'spec'>(used === 'spec' ? 'spec' : 'model');
  const [ttl, setTtl] = useState<Ttl>('5m');
  const [isTable, setIsTable] = useState(false);
  const { basis, problem } = useBasis(basisOf, model, policy, ttl);
  const plot = useMemo(() => basis && paddingPlot({ basis, natural, turns }), [basis, natural, turns]);
  const own = basis?.natural.prefix ?? LEAST;
  const size = natural ?? own;
  const models = MODELS.some(({ value }) => value === model)
    ? MODELS
    : [{ value: model, label: model, description: 'price unknown' }, ...MODELS];
  return (
    <div className={styles['calculator']}>
      <div className={styles['controls']}>
        <Select label="Model" options={models} value={model} onChange={setModel} />
        <Slider
          label="Prefix without padding"
          value={size}
          least={LEAST}
          most={Math.max(8000, own)}
          step={1}
          onChange={setNatural}
          text={basis ? `${grouped(size)} tokens${size === own ? '' : ', imagined'}` : 'Counting…'}
        />
        <Slider
          label="Turns before the entry expires"
          value={turns}
          least={2}
          most={40}
          step={1}
          onChange={setTurns}
          text={`${turns}`}
        />
        <Choice
          label="Padded up to"
          options={[
            { value: 'model', label: 'the model’s floor' },
            { value: 'spec', label: '4,500 always' },
          ]}
          value={policy}
          onChange={setPolicy}
        />
        <Choice
          label="Cache TTL"
          options={[
            { value: '5m', label: '5 minutes' },
            { value: '1h', label: '1 hour' },
          ]}
          value={ttl}
          onChange={setTtl}
        />
      </div>
      <div className={styles['result']}>
        <div className={styles['verdict']} data-answer={plot?.answer} aria-live="polite">
          {plot ? (
            <>
              <p>
                <b>{ANSWERS[plot.answer]}</b> {plot.why}
              </p>
              <p className={styles['sizes']}>{plot.sizes}</p>
            </>
          ) : (
            <p>{problem ?? 'Counting prefix tokens…'}</p>
          )}
        </div>
        {!plot || plot.cost.series.length === 0 ? null : isTable ? (
          <div className={styles['twin']}>
            <DataTable
              label="Cost of the prompt by turn"
              rows={plot.cost.series}
              rowKey={({ turn }) => String(turn)}
              columns={[
                { id: 'turn', header: 'Turn', isFigure: true, cell: ({ turn }) => turn },
                {
                  id: 'without',
                  header: 'Without padding',
                  isFigure: true,
                  cell: ({ withoutPadding }) => money(withoutPadding),
                },
                {
                  id: 'with',
                  header: 'With padding',
                  isFigure: true,
                  cell: ({ withPadding }) => money(withPadding),
                },
              ]}
            />
          </div>
        ) : (
          <Chart plot={plot} turns={turns} />
        )}
        <div className={styles['foot']}>
          <ExplainedLegend
            isShort
            items={[
              {
                label: 'with padding',
                colour: 'origin-preloaded',
                shape: 'line',
                about: 'The padded first request, sent once per turn.',
              },
              {
                label: 'without padding',
                colour: 'uncached',
                shape: 'line',
                about: 'The same requests without padding.',
              },
            ]}
          />
          <ToggleChip isOn={isTable} onChange={setIsTable}>
            Table
          </ToggleChip>
        </div>
      </div>
    </div>
  );
};

export type PaddingDialogProps = PaddingCalculatorProps & {
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

export const PaddingDialog = ({ isOpen, onClose, ...rest }: PaddingDialogProps) => (
  <Dialog title="Padding calculator" isOpen={isOpen} onClose={onClose} size="large">
    <PaddingCalculator {...rest} />
  </Dialog>
);
