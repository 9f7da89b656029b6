/** A new session that begins like another one, up to the end of one of its turns (D26). */
import type { EventOf, LatheEvent } from '../event/types.ts';

const endsTurn = (event: LatheEvent, turnId: string): boolean =>
  event.turn_id === turnId && (event.type === 'turn.completed' || event.type === 'turn.cancelled');

/**
 * The events of the fork's journal. Nothing if there is no such turn, or it has not ended. Everything that a session knows
 * comes from its events, so the registry and the budget of the fork are those of that moment.
 */
export const forkEvents = (
  events: readonly LatheEvent[],
  turnId: string,
  sessionId: string,
): readonly LatheEvent[] | undefined => {
  const end = events.findIndex((event) => endsTurn(event, turnId));
  const origin = events[0]?.session_id;
  if (end === -1 || origin === undefined) return undefined;
  return events.slice(0, end + 1).flatMap((event): LatheEvent[] => {
    if (event.type === 'session.ended' || event.type === 'session.resumed') return [];
    if (event.type !== 'session.configured') return [{ ...event, session_id: sessionId }];
    const configured: EventOf<'session.configured'> = {
      ...event,
      session_id: sessionId,
      payload: { ...event.payload, forked_from: { session_id: origin, turn_id: turnId } },
    };
    return [configured];
  });
};
