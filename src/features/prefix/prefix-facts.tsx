import type { ReactNode } from 'react';
import { grouped, percent } from '../../model/instruments/figures.ts';
import type { PrefixView } from '../../model/instruments/prefix-view.ts';
import { type Origin, originShares } from '../../model/instruments/strip-layout.ts';
import styles from './prefix-panel.module.css';

/** How long the prefix is, in one line. */
export const PrefixFacts = ({ view, model }: { readonly view: PrefixView; readonly model?: string }) => {
  const about = view.unit === 'estimate' ? 'about ' : '';
  const { lane } = view;
  return (
    <p className={styles['facts']}>
      <span>
        {about}
        <b>{grouped(view.before)}</b> tokens before the breakpoint, <b>{grouped(view.behind)}</b> after it
      </span>
      {view.padding > 0 && <span>{grouped(view.padding)} of them padding</span>}
      {lane && (
        <span>
          {lane.origin === 'predicted' ? 'expected: ' : ''}
          {grouped(lane.tokens.read)} read, {grouped(lane.tokens.written)} written
        </span>
      )}
      {model !== undefined && <span className={styles['model']}>{model}</span>}
    </p>
  );
};

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Why it is padded, or why not. */
export const PrefixNote = ({ view, children }: { readonly view: PrefixView; readonly children?: ReactNode }) =>
  view.note === undefined ? null : (
    <p className={styles['note']} data-padded={view.padding > 0}>
      {capital(view.note)}. Padding uses the estimate of four characters per token. {children}
    </p>
  );

const ORIGINS: Readonly<Record<Origin, readonly [name: string, colour: string]>> = {
  hidden: ['hidden tool prompt', 'origin-hidden'],
  tools: ['tools', 'origin-tools'],
  persona: ['persona', 'origin-persona'],
  instructions: ['instructions', 'origin-instructions'],
  index: ['skill index', 'origin-index'],
  preloaded: ['padding: preloaded', 'origin-preloaded'],
  context: ['padding: context', 'origin-context'],
  volatile: ['volatile', 'volatile'],
  message: ['messages', 'origin-message'],
  system: ['system prompt', 'origin-persona'],
};

/** The names of the colors that a view has. */
export const coloursOf = (view: PrefixView): ReadonlySet<string> =>
  new Set(originShares(view.segments).map(({ origin }) => ORIGINS[origin][1]));

/** What the request is made of, as numbers. */
export const Composition = ({ view }: { readonly view: PrefixView }) => (
  <table className={styles['composition']}>
    <caption>Segments</caption>
    <tbody>
      {originShares(view.segments).map(({ origin, segments, tokens, share }) => {
        const [name, colour] = ORIGINS[origin];
        const isPadding = origin === 'preloaded' || origin === 'context';
        return (
          <tr key={origin}>
            <th scope="row">
              <span
                className={styles['swatch']}
                data-padding={isPadding}
                style={{ backgroundColor: `var(--${colour})` }}
              />
              {name}
              {segments > 1 && <span className={styles['times']}> × {segments}</span>}
            </th>
            <td>{grouped(tokens)}</td>
            <td>{percent(share)}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);
