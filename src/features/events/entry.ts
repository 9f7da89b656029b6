import { panel } from '../panel/panel.ts';

export const eventStream = panel({
  id: 'event-stream',
  label: 'Event stream',
  tab: 'Events',
  help: 'event-stream',
  empty: {
    about: 'A session’s events in order.',
    toCome: 'No events yet. Start a session to fill it.',
  },
});
