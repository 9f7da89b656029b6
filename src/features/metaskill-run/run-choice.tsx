import type { RunView } from '../../model/instruments/run-view.ts';
import type { MetaskillRun } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './metaskill-run.module.css';

export type RunChoiceProps = {
  readonly views: readonly RunView[];
  readonly view: RunView;
  readonly live: readonly MetaskillRun[];
  readonly comparedWith: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onCompare: (id: string | undefined) => void;
  /** Enters the input of the run into the form; not there while it has none. */
  readonly onTake: (() => void) | undefined;
};

const liveStatus = (run: MetaskillRun | undefined, status: string | undefined): string =>
  run?.status === 'paused' ? 'paused' : (status ?? 'running');

/** Which run is looked at, and which one it is held against. */
export const RunChoice = (props: RunChoiceProps) => {
  const { views, view, live, comparedWith, onChoose, onCompare, onTake } = props;
  return (
    <div className={styles['runs']}>
      <Select
        label="Run"
        options={views
          .map((item) => ({
            value: item.id,
            label: `${item.number}. ${item.name}: ${liveStatus(
              live.find(({ toolUseId }) => toolUseId === item.id),
              item.status,
            )}`,
            description: item.isDirect ? 'started by you' : 'started by the model',
          }))
          .toReversed()}
        value={view.id}
        onChange={onChoose}
      />
      {onTake && <Button onPress={onTake}>Take its input</Button>}
      {views.length > 1 && (
        <Select
          label="Compare with"
          options={[
            { value: '', label: 'nothing' },
            ...views
              .filter(({ id }) => id !== view.id)
              .map((item) => ({ value: item.id, label: `run ${item.number}` })),
          ]}
          value={comparedWith ?? ''}
          onChange={(id) => onCompare(id === '' ? undefined : id)}
        />
      )}
    </div>
  );
};
