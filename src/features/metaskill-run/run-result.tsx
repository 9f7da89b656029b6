import { useState } from 'react';
import { readEnvelope } from '../../model/instruments/run-view.ts';
import { Badge } from '../../ui/badge.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import styles from './metaskill-run.module.css';

/** The string at the tool boundary, read for people or as it is. */
export const RunResult = ({ result }: { readonly result: string }) => {
  const [isRaw, setIsRaw] = useState(false);
  const envelope = readEnvelope(result);
  return (
    <section className={styles['result']} aria-label="Result">
      <header className={styles['result-head']}>
        <h4>Result</h4>
        <Badge tone={envelope.isError ? 'error' : 'accent'}>{envelope.status}</Badge>
        <span className={styles['spring']} />
        <ToggleChip isOn={isRaw} onChange={setIsRaw}>
          Raw
        </ToggleChip>
      </header>
      {isRaw ? (
        <CodeText block="Result as the model gets it">{result}</CodeText>
      ) : envelope.isError ? (
        <p className={styles['failed']}>{envelope.message}</p>
      ) : (
        <dl className={styles['envelope']}>
          {envelope.fields
            .filter(([key]) => key !== 'status' && key !== 'trace')
            .map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
        </dl>
      )}
    </section>
  );
};
