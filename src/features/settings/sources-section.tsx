/** Where skills of the open folder come from beside the folder itself, as `.agents/config.yaml` says (D9). */
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { SourceAddress, SourcesStore } from '../../stores/sources-store.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import styles from './sources-section.module.css';

/** May be broken behind a slash, in place of anywhere. */
const breakable = (url: string): ReactNode[] => url.split(/(?<=[^/:]\/)/).flatMap((part) => [part, <wbr key={part} />]);

const stateOf = ({ isAllowed, isAsking, isHere, problem }: SourceAddress): string => {
  if (isAsking) return 'Fetching…';
  if (problem !== undefined) return problem;
  if (!isAllowed) return 'Not fetched. Lathe needs your consent.';
  return isHere ? 'Saved in this browser. Checked again when a session starts.' : 'Nothing saved yet.';
};

export const SourcesSection = ({ store }: { readonly store: SourcesStore }) => {
  const addresses = useStore(store, (state) => state.addresses);
  const folders = useStore(store, (state) => state.folders);
  const problem = useStore(store, (state) => state.problem);
  if (addresses.length + folders.length === 0)
    return (
      <p className={styles['note']}>
        This folder has no other skill sources. Its file <CodeText>.agents/config.yaml</CodeText> can add them with{' '}
        <CodeText>skills.urls</CodeText> and <CodeText>skills.paths</CodeText>.
      </p>
    );
  return (
    <div className={styles['sources']}>
      <p className={styles['note']}>
        Listed in <CodeText>.agents/config.yaml</CodeText> in this folder. The server only sees the request.
      </p>
      <ul className={styles['list']} aria-label="Skill sources">
        {addresses.map((address) => {
          const { url, isAllowed, isAsking, problem: fault } = address;
          return (
            <li key={url} className={styles['source']}>
              <span className={styles['address']}>{breakable(url)}</span>
              <span className={styles['state']} data-problem={fault !== undefined && !isAsking} role="status">
                {stateOf(address)}
              </span>
              <span className={styles['actions']}>
                <Button
                  aria-label={`${isAllowed ? 'Refresh' : 'Fetch'} ${url}`}
                  disabledReason={isAsking ? 'Fetching…' : undefined}
                  onPress={() => void store.allow([url])}
                >
                  {isAllowed ? 'Refresh' : 'Fetch'}
                </Button>
                {isAllowed && (
                  <Button
                    look="quiet"
                    aria-label={`Remove ${url}`}
                    disabledReason={isAsking ? 'Fetching…' : undefined}
                    onPress={() => void store.forget(url)}
                  >
                    Remove
                  </Button>
                )}
              </span>
            </li>
          );
        })}
        {folders.map(({ name, isOpen }) => (
          <li key={`folder ${name}`} className={styles['source']}>
            <span className={styles['address']}>{name}</span>
            <span className={styles['state']} role="status">
              {isOpen ? 'Open.' : 'A web page can’t find a folder by its name, so open it once.'}
            </span>
            <span className={styles['actions']}>
              {isOpen ? (
                <Button look="quiet" aria-label={`Close ${name}`} onPress={() => void store.closeFolder(name)}>
                  Close
                </Button>
              ) : (
                <Button aria-label={`Open ${name}`} onPress={() => void store.openFolder(name)}>
                  Open folder
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p className={styles['state']} data-problem="true" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
};
