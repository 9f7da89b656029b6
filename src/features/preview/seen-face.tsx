import { useMemo } from 'react';
import type { EditedLibrary } from '../../model/preview/edited.ts';
import { modelSees } from '../../model/preview/seen.ts';
import { DEFAULT_SETTINGS } from '../../model/session/start.ts';
import { Badge } from '../../ui/badge.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { AgentLine } from './agent-line.tsx';
import type { PreviewSettings } from './preview-settings.ts';
import styles from './seen-face.module.css';

const NAMES = { metis: 'Dialect metis', agents: 'Dialect agents' } as const;

/** The exact bytes, in both dialects, and what an agent makes of it. */
export const SeenFace = ({
  edited,
  listing,
}: {
  readonly edited: EditedLibrary;
  readonly listing: PreviewSettings['listing'];
}) => {
  const seen = useMemo(() => modelSees(edited), [edited]);
  const current = edited.plan.dialect ?? 'metis';
  return (
    <div className={styles['dialects']}>
      {seen.map(({ dialect, tool, indexLine, loadText, preloaded }) => (
        <section key={dialect} className={styles['dialect']} aria-label={NAMES[dialect]}>
          <h3 className={styles['title']}>
            {NAMES[dialect]} {dialect === current && <Badge tone="accent">this session</Badge>}
          </h3>
          <h4 className={styles['head']}>In every request: its index line</h4>
          <CodeText block={`Index line, ${NAMES[dialect]}`}>{indexLine}</CodeText>
          {preloaded !== undefined && (
            <>
              <h4 className={styles['head']}>
                In every request: its body, <Badge tone="preloaded">preloaded</Badge>
              </h4>
              <CodeText block={`Preloaded body, ${NAMES[dialect]}`}>{preloaded}</CodeText>
            </>
          )}
          <h4 className={styles['head']}>
            After loading: the result of <code>{tool}</code>
          </h4>
          <CodeText block={`Result of ${tool}`}>{loadText}</CodeText>
        </section>
      ))}
      <AgentLine edited={edited} listing={listing} />
      <p className={styles['note']}>
        The exact text that Lathe sends, with padding <b>{edited.plan.padding ?? 'spec'}</b> for{' '}
        {edited.plan.settings?.model ?? DEFAULT_SETTINGS.model}.
      </p>
    </div>
  );
};
