/** A call of a tool outside of any session. */
import type { ToolContext } from '../../tool/types.ts';

export const toolContext = (): ToolContext => ({
  toolUseId: 't1',
  turnId: 'turn',
  signal: new AbortController().signal,
  depth: 0,
  eventId: 'e',
  emit: () => 'e',
  setWaiting: () => undefined,
});
