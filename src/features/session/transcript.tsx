import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { TranscriptItem, TurnView } from '../../model/session-view/types.ts';
import type { LiveCall, PendingApproval, SessionStore } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import styles from './transcript.module.css';
import type { TurnActions } from './turn-actions.ts';
import { TurnItem } from './turn-item.tsx';

export type TranscriptProps = {
  readonly store: SessionStore;
  readonly items: readonly TranscriptItem[];
  readonly actions: TurnActions;
};

/** As far as this from its end, a transcript still follows it. */
const NEAR_END = 48;

/** A move of the text this soon after a gesture is a person's, in milliseconds. */
const GESTURE = 1000;
const UP_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home', ' ']);

const NO_LIVE: readonly LiveCall[] = [];
const NO_APPROVALS: readonly PendingApproval[] = [];

const hasCall = (turn: TurnView, requestId: string): boolean =>
  turn.parts.some(
    (part) =>
      part.kind === 'answer' &&
      (part.call?.requestId === requestId ||
        part.blocks.some(
          (block) => block.kind === 'tool' && block.tool.nested.some((inner) => hasCall(inner, requestId)),
        )),
  );

export const Transcript = ({ store, items, actions }: TranscriptProps) => {
  const live = useStore(store, (state) => state.live);
  const approvals = useStore(store, (state) => state.approvals);
  const selection = useStore(store, (state) => state.selection);
  const scroll = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const lastGesture = useRef(-Infinity);
  const [isFollowing, setFollowing] = useState(true);

  // Content also grows when no turn is drawn again: text that is deferred, cards that are opened.
  useLayoutEffect(() => {
    const box = scroll.current;
    const content = box?.firstElementChild;
    if (!box || !content || !isFollowing) return;
    const toEnd = (): void => {
      box.scrollTop = box.scrollHeight;
      // A text that became shorter moves its end up: nobody scrolled.
      lastTop.current = box.scrollTop;
    };
    toEnd();
    const observer = new ResizeObserver(toEnd);
    observer.observe(content);
    observer.observe(box);
    return () => observer.disconnect();
  }, [isFollowing]);

  useEffect(() => {
    if (selection.turnId === undefined) return;
    const turn = scroll.current?.querySelector(`[data-turn="${CSS.escape(selection.turnId)}"]`);
    turn?.scrollIntoView({ block: 'nearest' });
    const box = scroll.current;
    // An earlier turn was chosen: it stays in view.
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight > NEAR_END) setFollowing(false);
  }, [selection.turnId]);

  return (
    <div className={styles['frame']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notices who scrolls */}
      <div
        ref={scroll}
        className={styles['scroll']}
        role="group"
        aria-label="Transcript"
        // It scrolls by keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
        tabIndex={0}
        onWheel={({ timeStamp, deltaY }) => {
          if (deltaY < 0) lastGesture.current = timeStamp;
        }}
        onPointerDown={({ timeStamp }) => {
          lastGesture.current = timeStamp;
        }}
        onTouchMove={({ timeStamp }) => {
          lastGesture.current = timeStamp;
        }}
        onKeyDown={({ timeStamp, key }) => {
          if (UP_KEYS.has(key)) lastGesture.current = timeStamp;
        }}
        onScroll={({ currentTarget: box, timeStamp }) => {
          const isUp = box.scrollTop < lastTop.current;
          lastTop.current = box.scrollTop;
          if (box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END) setFollowing(true);
          // Only a person who goes up leaves the end. A response that is drawn anew is shorter for a moment, and moves the text up as well.
          else if (isUp && timeStamp - lastGesture.current < GESTURE) setFollowing(false);
        }}
      >
        <div>
          {items.map((item) =>
            item.kind === 'mark' ? (
              <div key={item.id} className={styles['mark']} role="note">
                {item.lines.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </div>
            ) : (
              <TurnItem
                key={item.id}
                turn={item}
                live={item.status === 'running' ? live : NO_LIVE}
                approvals={item.status === 'running' ? approvals : NO_APPROVALS}
                selectedCall={
                  selection.requestId !== undefined && hasCall(item, selection.requestId)
                    ? selection.requestId
                    : undefined
                }
                isSelected={item.id === selection.turnId}
                actions={actions}
              />
            ),
          )}
        </div>
      </div>
      {!isFollowing && (
        <div className={styles['end']}>
          <Button icon="chevron-down" onPress={() => setFollowing(true)}>
            Jump to latest
          </Button>
        </div>
      )}
    </div>
  );
};
