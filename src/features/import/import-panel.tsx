import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { plural } from '../../base/text.ts';
import { ARCHIVE_ENDINGS } from '../../model/files/archive-names.ts';
import type { ImportReport } from '../../model/importer/import-report.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Scroll } from '../../ui/panel.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AlarmCard, CapabilityCard } from './capability-card.tsx';
import { ExecutorList } from './executor-list.tsx';
import styles from './import-panel.module.css';
import type { ImportStore } from './import-store.ts';
import { InstalledList } from './installed-list.tsx';
import { KeysView, type KeysViewProps } from './keys-view.tsx';
import type { RoutingStore } from './routing-store.ts';
import { RoutingView } from './routing-view.tsx';
import { StageLine } from './stage-line.tsx';
import { TakeoverQuestion } from './takeover-question.tsx';

export type ImportPanelProps = {
  readonly store: ImportStore;
  readonly routing: RoutingStore;
  readonly keys: KeysViewProps['keys'];
  readonly copy: KeysViewProps['copy'];
};

const SourceBar = ({ store, isFirst }: Pick<ImportPanelProps, 'store'> & { readonly isFirst: boolean }) => {
  const [address, setAddress] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file) await store.fromFile(new Uint8Array(await file.arrayBuffer()), file.name);
  };
  return (
    <div className={styles['bar']} role="group" aria-label="Source">
      <TextField
        label="URL, such as https://github.com/owner/repository"
        value={address}
        onChange={setAddress}
        isMono
      />
      <Button
        look="primary"
        onPress={() => void store.fromAddress(address.trim())}
        {...(address.trim() === '' && {
          disabledReason: 'Enter a URL first, such as https://github.com/owner/repository.',
        })}
      >
        Import
      </Button>
      <Button onPress={() => input.current?.click()}>Archive</Button>
      <input
        ref={input}
        type="file"
        accept={ARCHIVE_ENDINGS}
        hidden
        aria-label="Archive file"
        onChange={(event) => void readFile(event.currentTarget.files?.[0])}
      />
      {store.canPickFolder && <Button onPress={() => void store.fromFolder()}>Folder</Button>}
      {!isFirst && (
        <Button look="quiet" onPress={() => void store.fromDemo()}>
          Demo skill
        </Button>
      )}
    </div>
  );
};

/** What an import has given, in one line. */
const answerOf = ({ kind, accepted, rejected }: ImportReport): string => {
  if (kind === 'plain') return 'Installed as a plain skill';
  const left = rejected.length === 0 ? '' : `, ${plural(rejected.length, 'command')} left out`;
  const here = accepted.filter(({ notHere }) => notHere.length === 0).length;
  const some = here === accepted.length ? plural(here, 'command') : `${here} of ${plural(accepted.length, 'command')}`;
  return `${some} can run here${left}`;
};

/** From a skill to signed executors: the source, the line of stages, and everything that can be inspected. */
export const ImportPanel = ({ store, routing, keys, copy }: ImportPanelProps) => {
  // oxlint-disable-next-line lathe/select-from-store -- the panel is the whole line of stages: there is no part that it does not draw
  const state = useStore(store);
  const {
    phase,
    address,
    source,
    stages,
    report,
    problem,
    choices,
    installedAt,
    installed,
    audit,
    unreadable,
    overrides,
  } = state;
  const isBusy = phase === 'fetching' || phase === 'running';
  const isFirst = phase === 'idle' && installed.length === 0;
  useEffect(() => {
    void store.refresh();
  }, [store]);
  // What waits for a person is in view, wherever an earlier import was scrolled to.
  const top = useRef<HTMLDivElement>(null);
  const waits = report?.kind === 'stopped' || report?.takeover ? report : phase === 'fetching';
  useEffect(() => {
    if (waits) top.current?.scrollIntoView({ block: 'start' });
  }, [waits]);
  return (
    <div className={styles['panel']}>
      <SourceBar store={store} isFirst={isFirst} />
      <Scroll label="Import">
        <div ref={top} />
        <div className={styles['columns']}>
          <div className={styles['main']}>
            {isFirst && (
              <EmptyState
                title="No import yet"
                actions={
                  <Button look="primary" onPress={() => void store.fromDemo()}>
                    Demo skill
                  </Button>
                }
              >
                Lathe converts a third-party skill into signed tools that run in the sandbox. Start with a URL, an
                archive, a folder, or the demo skill.
              </EmptyState>
            )}
            {report && (report.scan.alarms.length > 0 || report.kind === 'stopped') && (
              <AlarmCard
                scan={report.scan}
                isStopped={report.kind === 'stopped'}
                onAuthorise={() => void store.authorise()}
              />
            )}
            {report?.takeover && <TakeoverQuestion takeover={report.takeover} onReplace={() => void store.replace()} />}
            {installedAt !== undefined && report && (
              <section className={styles['first']} aria-label="Result">
                <h3 className={styles['answer']}>{answerOf(report)}</h3>
              </section>
            )}
            {phase !== 'idle' && <StageLine stages={stages} isRunning={isBusy} />}
            <div role="status" className={styles['status']}>
              {phase === 'fetching' && 'Fetching the skill…'}
              {phase === 'running' &&
                stages.at(-1)?.id === 'generate' &&
                'Testing each executor in the sandbox. Loading Python first takes a moment.'}
              {source?.note}
              {/* The alarms say it with their lines. */}
              {problem !== undefined && report?.kind !== 'stopped' && <p className={styles['problem']}>{problem}</p>}
              {report?.kind === 'failed' && report.source && (
                <Button onPress={() => void store.installPlain()}>Install as a plain skill</Button>
              )}
              {installedAt !== undefined && (
                <p>
                  Saved in <code>{installedAt}</code>. New sessions use it.
                </p>
              )}
            </div>
            {choices.length > 0 && (
              <ul className={styles['rows']} aria-label="Skills to choose from">
                {choices.map((choice) => (
                  <li key={choice}>
                    <Button look="link" onPress={() => void store.fromAddress(address, choice)}>
                      {choice}
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            {report &&
              (report.source?.subCommands.length ?? 0) > 0 &&
              report.kind !== 'stopped' &&
              !report.takeover && (
                <ExecutorList
                  report={report}
                  overrides={overrides}
                  onOverride={(change) => void store.override(change)}
                  onClear={() => void store.clearOverrides()}
                />
              )}
            <RoutingView store={routing} installed={installed} />
          </div>
          {installed.length > 0 && (
            <div className={styles['imported']}>
              <InstalledList
                installed={installed}
                audit={audit}
                unreadable={unreadable}
                onRevive={(name) => void store.revive(name)}
                onRemove={(skill) => void store.remove(skill)}
              />
            </div>
          )}
          <div className={styles['details']}>
            {report && <CapabilityCard scan={report.scan} />}
            {report && (
              <section className={styles['block']} aria-label="Layers">
                <details>
                  <summary>Protection layers</summary>
                  <ul className={styles['rows']}>
                    {report.layers.map(({ id, state: layer, detail }) => (
                      <li key={id} className={styles['entry']}>
                        <strong>{id}</strong> <span className={styles['quiet']}>{layer}</span> <span>{detail}</span>
                      </li>
                    ))}
                  </ul>
                </details>
              </section>
            )}
            <KeysView keys={keys} copy={copy} onChange={() => void store.refresh()} />
          </div>
        </div>
      </Scroll>
    </div>
  );
};
