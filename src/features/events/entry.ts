import { panel } from '../panel/panel.ts';

export const eventStream = panel({
  id: 'event-stream',
  label: 'Event stream',
  tab: 'Events',
  help: 'event-stream',
  empty: {
    about: 'Every event of a session, in order.',
    toCome: 'No events. A session fills it.',
  },
});
