import { percent } from '../../base/figures.ts';
import type { ContextSource, ContextUse } from '../../model/session-view/context-meter.ts';
import { groupDigits, shortTokens } from '../../model/session-view/words.ts';
import styles from './context-meter.module.css';

const NAMES: Readonly<Record<ContextSource, string>> = {
  tools: 'Tools',
  persona: 'Persona',
  instructions: 'Project instructions',
  index: 'Skill index',
  padding: 'Padding',
  volatile: 'Volatile: date, USER.md, MEMORY.md',
  messages: 'Messages',
};

const COLOURS: Readonly<Record<ContextSource, string>> = {
  tools: 'origin-tools',
  persona: 'origin-persona',
  instructions: 'origin-instructions',
  index: 'origin-index',
  padding: 'origin-preloaded',
  volatile: 'volatile',
  messages: 'origin-message',
};

/** How full the window of the model is. Opened, it is a table. */
export const ContextMeter = ({ use }: { readonly use: ContextUse }) => {
  const { parts, used, counted, window, share, warning } = use;
  return (
    <div className={styles['meter']} data-warning={warning !== undefined}>
      {/* Outside of what folds: a warning that nobody has opened would warn nobody. */}
      {warning !== undefined && (
        <p className={styles['warning']} role="status">
          {warning}
        </p>
      )}
      <details>
        <summary
          className={styles['line']}
          aria-label={`Context: ${groupDigits(used)} tokens${share === undefined ? '' : `, ${percent(share)} of the window`}`}
        >
          <span className={styles['bar']} aria-hidden="true">
            {parts.map(({ source, tokens }) => (
              <span
                key={source}
                data-source={source}
                style={{
                  width: `${(tokens / Math.max(window ?? used, used, 1)) * 100}%`,
                  backgroundColor: `var(--${COLOURS[source]})`,
                }}
              />
            ))}
          </span>
          <span className={styles['figure']}>
            {shortTokens(used)}
            {window === undefined ? ' tokens, window unknown' : ` of ${shortTokens(window)}`}
          </span>
        </summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard */}
        <div className={styles['more']} role="group" aria-label="Context by source" tabIndex={0}>
          <table className={styles['table']}>
            <caption>
              The latest request by source.{' '}
              {counted
                ? 'The provider counted the total. The shares are estimates.'
                : 'Estimated. The provider hasn’t counted yet.'}
            </caption>
            <thead>
              <tr>
                <th scope="col">Source</th>
                <th scope="col">Tokens</th>
                <th scope="col">Share</th>
              </tr>
            </thead>
            <tbody>
              {parts.map(({ source, tokens }) => (
                <tr key={source}>
                  <th scope="row">
                    <span
                      className={styles['swatch']}
                      data-source={source}
                      style={{ backgroundColor: `var(--${COLOURS[source]})` }}
                    />
                    {NAMES[source]}
                  </th>
                  <td>{groupDigits(tokens)}</td>
                  <td>{percent(tokens / Math.max(used, 1))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
};
