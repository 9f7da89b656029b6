import { useStore } from 'zustand';
import { errorMessage } from '../../base/errors.ts';
import { awayText } from '../../model/session/home.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import type { SessionNeeds } from './needs.ts';
import { Explained } from '../../ui/explained.tsx';
import styles from './session-head.module.css';
import type { SessionUi } from './session-ui.ts';
import { useIsRunning } from './use-session.ts';

export type SessionHeadProps = {
  readonly store: SessionStore;
  readonly ui: SessionUi;
  readonly needs: SessionNeeds;
};

/** Small facts for the head of the region: what the session was started with. */
export const SessionFacts = ({ store }: Pick<SessionHeadProps, 'store'>) => {
  const next = useStore(store, (state) => state.next);
  useStore(store, (state) => state.revision);
  const config = store.state()?.config;
  const padding = config?.padding ?? next.padding ?? (next.settings.provider === 'simulator' ? 'spec' : 'model');
  return (
    <span className={styles['facts']}>
      <Explained about="Dialect: the skill tools the model gets.">{config?.dialect ?? next.dialect}</Explained>
      <Explained about="Padding: how Lathe fills the cached prefix.">padding: {padding}</Explained>
    </span>
  );
};

const RUNNING = 'A turn is running. Stop it first.';

const fileName = (title: string, content: 'all' | 'catalog'): string => {
  const plain = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
  return `lathe-${plain || 'session'}${content === 'catalog' ? '-catalog' : ''}.jsonl`;
};

/** Buttons for the head of the region. */
export const SessionActions = ({ store, ui, needs }: SessionHeadProps) => {
  const isRunning = useIsRunning(store);
  const hasSession = useStore(store, (state) => state.currentId !== undefined);
  useStore(store, (state) => state.revision);
  const title = store.state()?.title ?? '';
  const turnId = store
    .state()
    ?.turns.findLast(({ status, nestedIn }) => status !== 'running' && nestedIn === undefined)?.id;
  const noSession = hasSession ? undefined : 'No session has started.';
  const busy = isRunning ? RUNNING : undefined;
  const away = useStore(store, (state) => state.away);
  const elsewhere = away && awayText(away);
  const exportHar = async (): Promise<void> => {
    const text = await store.exportHar();
    needs.download(fileName(title, 'all').replace(/\.jsonl$/, '.har'), text);
  };
  const exportAs = (content: 'all' | 'catalog'): void =>
    needs.download(fileName(title, content), store.exportJournal(content));

  return (
    <>
      <Button
        icon="plus"
        onPress={store.newSession}
        {...(!hasSession && { disabledReason: 'The current session is empty.' })}
      >
        New session
      </Button>
      <MenuButton
        label="Session menu"
        groups={[
          {
            entries: [
              {
                id: 'rename',
                label: 'Rename…',
                disabledReason: noSession ?? elsewhere,
                onAction: () => ui.show({ kind: 'rename' }),
              },
              {
                id: 'fork',
                label: 'Fork from the last turn',
                disabledReason:
                  noSession ?? busy ?? elsewhere ?? (turnId === undefined ? 'No turn has ended yet.' : undefined),
                onAction: () => {
                  if (turnId !== undefined)
                    store.fork(turnId).catch((thrown: unknown) => ui.fail(errorMessage(thrown)));
                },
              },
              {
                id: 'sessions',
                label: 'Saved sessions…',
                disabledReason: busy,
                onAction: () => ui.show({ kind: 'sessions' }),
              },
            ],
          },
          {
            entries: [
              {
                id: 'export',
                label: 'Export with content',
                disabledReason: noSession,
                onAction: () => exportAs('all'),
              },
              {
                id: 'export-catalog',
                label: 'Export without content',
                disabledReason: noSession,
                onAction: () => exportAs('catalog'),
              },
              { id: 'export-har', label: 'Export as HAR', disabledReason: noSession, onAction: () => void exportHar() },
              { id: 'import', label: 'Import…', disabledReason: busy, onAction: () => ui.show({ kind: 'import' }) },
            ],
          },
          {
            entries: [
              { id: 'settings', label: 'Session settings', onAction: () => needs.openSettings?.() },
              { id: 'keys', label: 'Keys…', onAction: () => ui.show({ kind: 'keys' }) },
            ],
          },
          {
            entries: [
              {
                id: 'delete',
                label: 'Delete this session…',
                isDanger: true,
                disabledReason: noSession ?? busy,
                onAction: () => ui.show({ kind: 'delete' }),
              },
            ],
          },
        ]}
      >
        <IconButton label="Session menu" icon="more" />
      </MenuButton>
    </>
  );
};
