import type { ReactNode } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { Panel } from '../ui/panel.tsx';
import { Brand } from './brand.tsx';
import { Instruments, type InstrumentsProps } from './instruments.tsx';
import styles from './shell.module.css';
import { ThemeButton } from './theme-button.tsx';
import type { ThemeStore } from './theme.ts';

type Workspace = {
  readonly name: string;
  /** One short fact beside the name, such as `14 skills`. */
  readonly summary?: string;
};

export type ShellProps = InstrumentsProps & {
  readonly theme: ThemeStore;
  readonly workspace?: Workspace;
  /** The content of a region. A region without content says what would be there. */
  readonly library?: ReactNode;
  readonly libraryActions?: ReactNode;
  readonly editor?: ReactNode;
  readonly editorActions?: ReactNode;
  readonly session?: ReactNode;
};

const emptyLibrary = (
  <EmptyState title="No folder is open">
    The skills of the open folder are listed here by layer, each with its problems. The page starts with the demo
    folder.
  </EmptyState>
);

const emptyEditor = (
  <EmptyState title="No file is open">Choose a skill in the Library, and its files are shown here.</EmptyState>
);

const emptySession = (
  <EmptyState title="No session">
    A session with a model, and the box to write to it, will be here. This version reads and checks skills; it cannot
    run a session yet.
  </EmptyState>
);

/** The window: a bar on top, four regions, a line below. It places things and knows nothing about skills. */
export const Shell = ({ theme, workspace, ...slots }: ShellProps) => (
  <div className={styles['shell']}>
    <header className={styles['bar']}>
      <Brand />
      {workspace && (
        <p className={styles['chip']}>
          <b>{workspace.name}</b> {workspace.summary}
        </p>
      )}
      <div className={styles['space']} />
      <ThemeButton theme={theme} />
    </header>
    <main className={styles['main']}>
      <Panel name="Library" actions={slots.libraryActions}>
        {slots.library ?? emptyLibrary}
      </Panel>
      <Panel name="Editor" actions={slots.editorActions}>
        {slots.editor ?? emptyEditor}
      </Panel>
      <Panel name="Session">{slots.session ?? emptySession}</Panel>
      <section className={styles['instruments']} aria-label="Instruments">
        <Instruments problems={slots.problems} problemCount={slots.problemCount} />
      </section>
    </main>
    <footer className={styles['status']}>
      <span>{workspace ? workspace.name : 'No workspace'}</span>
      <span>Network: none. This version sends nothing to any other host.</span>
    </footer>
  </div>
);
