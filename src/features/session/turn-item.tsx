import { memo } from 'react';
import { plural } from '../../base/text.ts';
import { type TurnAction, turnEnd } from '../../model/session-view/turn-end.ts';
import type { TurnPart, TurnView } from '../../model/session-view/types.ts';
import type { LiveCall, PendingApproval } from '../../stores/session-types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { AnswerView } from './answer-view.tsx';
import type { TurnActions } from './turn-actions.ts';
import styles from './turn-item.module.css';

export type TurnItemProps = {
  readonly turn: TurnView;
  readonly live: readonly LiveCall[];
  readonly approvals: readonly PendingApproval[];
  /** The request that is selected, if it is in this turn. */
  readonly selectedCall: string | undefined;
  readonly isSelected: boolean;
  readonly actions: TurnActions;
};

const LABELS: Readonly<Record<TurnAction, string>> = {
  'try-again': 'Try again',
  'go-on': 'Continue',
  keys: 'Enter a key',
  limits: 'Change the limits',
  'new-session': 'New session',
};

const UserPart = ({ part }: { readonly part: TurnPart & { readonly kind: 'user' } }) => (
  <div className={styles['user']}>
    <p className={styles['said']}>{part.text}</p>
    {(part.images > 0 || part.attached.length > 0) && (
      <p className={styles['attached']}>
        {part.images > 0 && <Badge>{plural(part.images, 'image')}</Badge>}
        {part.attached.map((text) => (
          <Badge key={text} tone={text.startsWith('activation') ? 'error' : 'accent'} label={text.slice(0, 200)}>
            {text.startsWith('activation') ? 'a skill was refused' : 'includes a skill'}
          </Badge>
        ))}
      </p>
    )}
  </div>
);

const End = ({ turn, onEnd }: { readonly turn: TurnView; readonly onEnd: TurnActions['onEnd'] }) => {
  const end = turnEnd(turn);
  if (!end) return null;
  return (
    <div className={styles['end']} data-tone={end.tone} role={end.tone === 'error' ? 'alert' : 'note'}>
      <p>
        <strong>{end.title}.</strong> {end.text}
      </p>
      {turn.number > 0 && (
        <div className={styles['actions']}>
          {end.actions.map((action) => (
            <Button key={action} onPress={() => onEnd(action, turn)}>
              {LABELS[action]}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
};

/** One turn: a message, its answers, and how it ended. Nested turns are drawn by the same component. */
export const TurnItem = memo(({ turn, live, approvals, selectedCall, isSelected, actions }: TurnItemProps) => {
  const isNested = turn.number === 0;
  const renderTurn = (inner: TurnView) => (
    <TurnItem
      turn={inner}
      live={live}
      approvals={approvals}
      selectedCall={selectedCall}
      isSelected={false}
      actions={actions}
    />
  );
  return (
    <article
      className={styles['turn']}
      aria-label={isNested ? 'Nested turn' : `Turn ${turn.number}`}
      data-nested={isNested}
      data-selected={isSelected}
      data-turn={turn.id}
    >
      {!isNested && (
        <header className={styles['head']}>
          <button
            type="button"
            className={styles['number']}
            aria-pressed={isSelected}
            onClick={() => actions.onSelectTurn(turn.id)}
          >
            Turn {turn.number}
          </button>
          {turn.status !== 'running' && (
            <span className={styles['fork']}>
              <Button
                look="quiet"
                onPress={() => actions.onFork(turn.id)}
                tip="New session with this one’s turns up to here"
              >
                Fork
              </Button>
            </span>
          )}
        </header>
      )}
      {turn.parts.map((part) =>
        part.kind === 'user' ? (
          isNested ? (
            <p key={part.eventId} className={styles['asked']}>
              {part.text}
            </p>
          ) : (
            <UserPart key={part.eventId} part={part} />
          )
        ) : (
          <AnswerView
            key={part.key}
            answer={part}
            live={live.find(({ requestId }) => requestId === part.key)}
            approvals={approvals}
            selected={selectedCall}
            actions={actions}
            renderTurn={renderTurn}
          />
        ),
      )}
      <End turn={turn} onEnd={actions.onEnd} />
    </article>
  );
});
