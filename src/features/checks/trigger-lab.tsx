/** The trigger lab: runs the queries of a skill under a listing, and compares what is typed with what is saved. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { errorMessage } from '../../base/errors.ts';
import { percent, signedPercent } from '../../base/figures.ts';
import { plural } from '../../base/text.ts';
import { CLIENT_IDS } from '../../model/clients/types.ts';
import { reportEval } from '../../model/evals/report.ts';
import { tallyOf } from '../../model/evals/run/tally.ts';
import { readJournal, type EvalJournal } from '../../model/evals/run/journal.ts';
import type { Suite } from '../../model/evals/suite/types.ts';
import { differenceWords, moreWords, ONE_RUN, rateWords, VERDICT_WORDS } from '../../model/evals/words.ts';
import type { EditedLibrary } from '../../model/preview/edited.ts';
import type { FilesStore } from '../../stores/files-types.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import type { LabAsk, LabRun, TriggerLabStore } from '../../stores/trigger-lab-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { OWN, REPEATS, useLabChoices, type LabChoices, type LabStorage } from './lab-choices.ts';
import { SuiteEditor } from './suite-editor.tsx';
import styles from './trigger-lab.module.css';
import { TriggerMatrix } from './trigger-matrix.tsx';
import type { ListingSource } from './use-listing.ts';
import { useSuite } from './use-suite.ts';

export interface LabPage {
  readonly lab: TriggerLabStore;
  readonly files: Pick<FilesStore, 'create' | 'change'>;
  readonly sessions: Pick<SessionStore, 'getState' | 'getInitialState' | 'subscribe'>;
  readonly save: (name: string, text: string, type?: string) => void;
}

const REPEAT_OPTIONS = REPEATS.map((count) => ({ value: count, label: count }));
const LISTINGS: readonly { readonly value: LabChoices['listing']; readonly label: string }[] = [
  { value: OWN, label: 'Lathe’s own' },
  ...CLIENT_IDS.map((id) => ({ value: id, label: id })),
];
const NOISE = { scale: 1, seed: 'lab' };
const NO_THRESHOLD = 0.5;

const usd = (amount: number | undefined): string =>
  amount === undefined ? 'an unknown amount' : `$${amount.toFixed(4)}`;

/** A comparison ends at the first look that tells: what is missing then is never run. */
const isDecided = (run: LabRun | undefined): boolean =>
  run?.verdict !== undefined && run.verdict.comparison.verdict !== 'cannot-tell';

/** The estimate is of prompts alone, so it is held against theirs. */
const billWords = ({ bill }: LabRun, isBusy: boolean): string => {
  if (!bill || bill.estimatedUsd === undefined) return '';
  const estimated = ` Prompts of this part: estimated ${usd(bill.estimatedUsd)}`;
  return isBusy ? `${estimated}.` : `${estimated}, actual ${usd(bill.promptUsd)}.`;
};

const byWords = ({ head }: LabRun['edited']): string =>
  head.provider === 'simulator'
    ? `The simulator picks by word overlap${head.noise === undefined ? '' : ' with seeded noise'}. These rates don’t describe a model.`
    : `Picked by ${head.model} (${head.provider}).`;

const limitOf = (text: string): number | undefined | 'wrong' => {
  if (text.trim() === '') return undefined;
  const amount = Number(text);
  return amount >= 0 ? amount : 'wrong';
};

const Verdict = ({ run }: { readonly run: LabRun }) => {
  if (!run.verdict) return null;
  const { comparison, look, isLast } = run.verdict;
  const { verdict } = comparison;
  return (
    <section aria-label="Comparison with the saved version" className={styles['verdict']} data-verdict={verdict}>
      <p className={styles['answer']}>
        {VERDICT_WORDS[verdict]}: {differenceWords(comparison)}
      </p>
      <p className={styles['note']}>
        {look}.{' '}
        {verdict === 'cannot-tell'
          ? isLast
            ? moreWords(comparison)
            : 'The comparison continues.'
          : `Two runs of one version differ by up to ${percent(comparison.floor)}.`}
      </p>
      {run.details?.sideEffects.map(({ skill, difference }) => (
        <p key={skill} className={styles['note']}>
          Side effect: {skill} is picked {signedPercent(difference)}.
        </p>
      ))}
    </section>
  );
};

/** A journal of `lathe eval`, such as one of batches. */
const OpenedJournal = ({
  journal,
  suite,
  skills,
  own,
  onClose,
}: {
  readonly journal: EvalJournal & { readonly name: string };
  readonly suite: Suite;
  readonly skills: Parameters<typeof TriggerMatrix>[0]['skills'];
  readonly own: string | undefined;
  readonly onClose: () => void;
}) => {
  const records = [...journal.records.values()];
  const asked = new Set(records.map(({ query }) => query));
  const known = { ...suite, queries: suite.queries.filter(({ id }) => asked.has(id)) };
  const missing = asked.size - known.queries.length;
  return (
    <section aria-label={`Results in ${journal.name}`} className={styles['part']}>
      <p className={styles['answer']}>
        {journal.name}: {plural(records.length, 'run')}, listing {journal.head.listing}
      </p>
      <p className={styles['note']}>
        {byWords({ head: journal.head, records })}
        {missing > 0 ? ` ${plural(missing, 'query', 'queries')} aren’t in this suite. They are left out.` : ''}
        {journal.unread > 0 ? ` ${plural(journal.unread, 'line')} couldn’t be read.` : ''}
      </p>
      <TriggerMatrix
        report={reportEval(known, tallyOf(records), records.length, NO_THRESHOLD)}
        records={records}
        own={own}
        skills={skills}
      />
      <Button look="quiet" onPress={onClose}>
        Close these results
      </Button>
    </section>
  );
};

const Results = ({
  run,
  skills,
  own,
}: {
  readonly run: LabRun;
  readonly skills: Parameters<typeof TriggerMatrix>[0]['skills'];
  readonly own: string | undefined;
}) => {
  const { records, head } = run.edited;
  const report = useMemo(
    () => reportEval(run.suite, tallyOf(records), run.planned, NO_THRESHOLD),
    [run.suite, records, run.planned],
  );
  if (records.length === 0) return null;
  const { overall } = report;
  return (
    <>
      <p className={styles['answer']}>
        Right in {overall.right.hits} of {plural(overall.right.runs, 'run')}: {rateWords(overall.rate)}
        {run.done < run.planned && !isDecided(run) ? ', so far' : ''}
      </p>
      <p className={styles['note']}>
        {byWords(run.edited)} Listing: {head.listing}. The interval is for queries like these.
        {overall.floor === undefined || overall.floor === 0
          ? ''
          : ` Two runs of the same descriptions differ by up to ${percent(overall.floor)}.`}
      </p>
      <TriggerMatrix report={report} records={records} own={own} skills={skills} />
    </>
  );
};

export const TriggerLab = ({
  page: { lab, files, sessions, save },
  source,
  edited,
  before,
  isSame,
  storage,
}: {
  readonly page: LabPage;
  readonly source: ListingSource;
  readonly edited: EditedLibrary & { readonly name: string };
  readonly before: EditedLibrary | undefined;
  readonly isSame: boolean;
  /** Where choices are kept; absent: only while the page is open. */
  readonly storage?: LabStorage;
}) => {
  const status = useStore(lab, (state) => state.status);
  const run = useStore(lab, (state) => state.run);
  const labFault = useStore(lab, (state) => state.fault);
  const { provider, model } = useStore(sessions, (state) => state.next.settings);
  const [{ repeats, listing, isNoisy }, choose] = useLabChoices(storage);
  const [limit, setLimit] = useState('');
  const [isComparing, setIsComparing] = useState(false);
  const [opened, setOpened] = useState<EvalJournal & { readonly name: string }>();
  const [fault, setFault] = useState<string>();
  const [isExpanded, setIsExpanded] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const shown = useRef<LabAsk>(undefined);
  const { name, item, plan } = edited;
  const skills = useMemo(
    () =>
      plan.workspace.library.store.list().map(({ skill }) => ({ name: skill.name, description: skill.description })),
    [plan],
  );
  const suite = useSuite(source, files, item?.path ?? '', name, skills);
  const { draft } = suite;
  const amount = limitOf(limit);
  const isCompared = isComparing && !isSame && before !== undefined;
  const ask = useMemo((): LabAsk | undefined => {
    const queries = draft?.suite.queries.filter(({ query }) => query.trim() !== '') ?? [];
    if (!draft || queries.length === 0) return undefined;
    return {
      suite: { ...draft.suite, queries },
      name: draft.file,
      repeats: Number(repeats),
      edited: plan,
      ...(isCompared && before && { saved: before.plan }),
      ...(listing !== OWN && { client: listing }),
      ...(isNoisy && provider === 'simulator' && { noise: NOISE }),
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another model has other results
  }, [draft?.suite, draft?.file, repeats, plan, isCompared, before, listing, isNoisy, provider, model]);
  useEffect(() => {
    if (status !== 'idle' || !ask || shown.current === ask) return;
    shown.current = ask;
    void lab.look(ask);
  }, [lab, ask, status]);

  const start = (wanted: LabAsk | undefined): void => {
    if (!wanted || amount === 'wrong') return;
    setOpened(undefined);
    shown.current = wanted;
    void lab.start({ ...wanted, ...(amount !== undefined && { limitUsd: amount }) });
  };
  const compare = (): void => {
    if (!ask || !before) return;
    setIsComparing(true);
    // The same as what is asked for at the next drawing.
    void lab.start({ ...ask, saved: before.plan, ...(typeof amount === 'number' && { limitUsd: amount }) });
  };
  const openFile = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const journal = readJournal(await file.text());
    setFault(journal.ok ? undefined : `${file.name}: ${journal.error}`);
    setOpened(journal.ok ? { ...journal.value, name: file.name } : undefined);
  };
  const isBusy = status !== 'idle';
  const left = run ? run.planned - run.done : 0;
  const cases = (ask?.suite.queries.length ?? 0) * Number(repeats);
  const cannotRun =
    ask === undefined
      ? 'Add a query first.'
      : amount === 'wrong'
        ? 'Enter the limit as an amount, such as 0.50.'
        : undefined;
  const isOver = isDecided(run);
  const isContinued = run !== undefined && run.done > 0 && left > 0 && !isOver;
  const isDone = run !== undefined && run.done > 0 && (left === 0 || isOver);
  const whyOver = isDone
    ? isOver
      ? 'This comparison is decided. Edit the description, or remove the results to start again.'
      : 'These runs are done. Choose more runs of each query, or remove the results to start again.'
    : undefined;
  const body = (
    <section aria-label="Trigger lab" className={styles['lab']}>
      <SuiteEditor
        suite={suite}
        skill={name}
        model={model}
        {...(provider !== 'simulator' && { write: () => lab.propose(skills, name) })}
      />
      <div className={styles['choices']}>
        <Select
          label="Runs of each query"
          options={REPEAT_OPTIONS}
          value={repeats}
          onChange={(count) => choose({ repeats: count })}
        />
        <Select label="Listing" options={LISTINGS} value={listing} onChange={(id) => choose({ listing: id })} />
        <TextField
          label="Limit in USD"
          value={limit}
          onChange={setLimit}
          error={amount === 'wrong' ? 'An amount such as 0.50, or blank.' : undefined}
        />
        {provider === 'simulator' && (
          <Toggle isOn={isNoisy} onChange={(isOn) => choose({ isNoisy: isOn })}>
            Seeded noise
          </Toggle>
        )}
      </div>
      {repeats === '1' && <p className={styles['warning']}>{ONE_RUN}</p>}
      <div className={styles['row']}>
        {isBusy ? (
          <Button look="primary" onPress={lab.pause} disabledReason={status === 'running' ? undefined : 'Starting…'}>
            Pause
          </Button>
        ) : (
          <>
            <Button look="primary" onPress={() => start(ask)} disabledReason={cannotRun ?? whyOver}>
              {isContinued
                ? `Continue, ${plural(left, 'run')} left`
                : isDone
                  ? isOver
                    ? 'Decided'
                    : 'All runs done'
                  : `Run ${plural(isCompared ? 2 * cases : cases, 'time')}`}
            </Button>
            <Button
              onPress={compare}
              disabledReason={
                cannotRun ?? (isSame ? 'The description has no unsaved changes. Edit it first.' : undefined)
              }
            >
              Compare with the saved version
            </Button>
            <Button look="quiet" onPress={() => chooser.current?.click()}>
              Open result file
            </Button>
            {run && run.edited.records.length > 0 && (
              <>
                <Button look="quiet" onPress={() => save(`triggers-${name}.jsonl`, lab.journal())}>
                  Save results
                </Button>
                <Button look="quiet" onPress={() => ask && void lab.forget(ask)}>
                  Remove results
                </Button>
              </>
            )}
          </>
        )}
        <input
          ref={chooser}
          type="file"
          accept=".jsonl"
          aria-label="Result file of lathe eval"
          className={styles['chooser']}
          tabIndex={-1}
          onChange={({ currentTarget }) => {
            openFile(currentTarget.files?.[0]).catch((thrown: unknown) => setFault(errorMessage(thrown)));
            currentTarget.value = '';
          }}
        />
      </div>
      {fault !== undefined && <p className={styles['fault']}>{fault}</p>}
      {run?.estimateUsd !== undefined && !isBusy && !isOver && (
        <p className={styles['note']}>
          Estimated prompt cost of {plural(left, 'run')}: {usd(run.estimateUsd)}.
          {provider === 'simulator' && run.done === 0
            ? ' This is what the model would cost. The simulator is free.'
            : ''}
        </p>
      )}
      {run && (isBusy || run.done > 0) && (
        <>
          <ProgressBar label="Runs" done={run.done} total={run.planned} />
          <p className={styles['note']} aria-live="polite">
            Cost so far {usd(run.spentUsd)}.{billWords(run, isBusy)}
            {provider === 'simulator' ? ' This is what the model would cost. The simulator is free.' : ''}
          </p>
        </>
      )}
      {labFault !== undefined && <p className={styles['fault']}>{labFault}</p>}
      {run?.message !== undefined && <p className={styles['warning']}>{run.message}</p>}
      {run && <Verdict run={run} />}
      {opened && draft ? (
        <OpenedJournal
          journal={opened}
          suite={draft.suite}
          skills={skills}
          own={name}
          onClose={() => setOpened(undefined)}
        />
      ) : (
        run && <Results run={run} skills={skills} own={name} />
      )}
    </section>
  );
  return isExpanded ? (
    <Dialog title={`Trigger test of ${name}`} isOpen onClose={() => setIsExpanded(false)} size="whole">
      {body}
    </Dialog>
  ) : (
    <>
      <header className={styles['lab-head']}>
        <h3>Trigger lab</h3>
        <IconButton label="Open trigger lab" icon="maximise" onPress={() => setIsExpanded(true)} />
      </header>
      {body}
    </>
  );
};
