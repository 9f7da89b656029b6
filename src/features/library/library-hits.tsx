/** Lines of skills that hold what is searched for. */
import { useEffect, useState } from 'react';
import { plural } from '../../base/text.ts';
import type { TextHit } from '../../model/workspace/text-search.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import styles from './library-hits.module.css';
import type { LibraryTarget } from './library-view.ts';

type Found = {
  readonly query: string;
  readonly hits: readonly TextHit[];
  readonly isDone: boolean;
  readonly isCut: boolean;
};

/** After the last key. */
const DELAY = 150;
const SHORTEST = 2;

const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });

export const useHits = (
  query: string,
  skills: readonly WorkspaceSkill[],
  read: ((path: string) => Promise<string | undefined>) | undefined,
): Found | undefined => {
  const [found, setFound] = useState<Found>();
  const wanted = query.trim();
  const isWanted = wanted.length >= SHORTEST;
  useEffect(() => {
    if (!isWanted) return undefined;
    const stop = new AbortController();
    const search = async (): Promise<void> => {
      const { searchTexts } = await import('../../model/workspace/text-search.ts');
      let hits: readonly TextHit[] = [];
      const { isCut } = await searchTexts(wanted, {
        skills,
        read,
        pause: nextTask,
        signal: stop.signal,
        onHits: (so) => {
          hits = so;
          setFound({ query: wanted, hits, isDone: false, isCut: false });
        },
      });
      if (!stop.signal.aborted) setFound({ query: wanted, hits, isDone: true, isCut });
    };
    // A folder that is being closed gives no more files: what was found stays.
    const timer = setTimeout(() => void search().catch(() => {}), DELAY);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [wanted, isWanted, skills, read]);
  return isWanted && found?.query === wanted ? found : undefined;
};

export type HitsProps = {
  readonly found: Found;
  readonly onSelect: (target: LibraryTarget, at?: string) => void;
};

export const LibraryHits = ({ found: { hits, isDone, isCut }, onSelect }: HitsProps) => (
  <section className={styles['hits']} aria-label="Matches in files">
    <h3 className={styles['title']} role="status">
      {isCut ? `The first ${hits.length} lines` : plural(hits.length, 'line')} in files{isDone ? '' : '…'}
    </h3>
    <ul className={styles['list']}>
      {hits.map((hit) => (
        <li key={`${hit.skill}/${hit.file}:${hit.line}`}>
          <button
            type="button"
            onClick={() => onSelect({ skill: hit.skill, file: hit.file }, `${hit.line}:${hit.column}`)}
          >
            <span className={styles['place']}>
              {hit.name}/{hit.file}:{hit.line}
            </span>
            <span className={styles['line']}>
              {hit.before.length > 24 ? `…${hit.before.slice(-24)}` : hit.before}
              <mark>{hit.match}</mark>
              {hit.after}
            </span>
          </button>
        </li>
      ))}
    </ul>
  </section>
);
