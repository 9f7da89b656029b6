import { panel } from '../panel/panel.ts';

export const prefix = panel({
  id: 'prefix',
  label: 'Prefix',
  help: 'prefix',
  empty: {
    about:
      'The request as a strip of segments in wire order, to scale in tokens, with cache breakpoints and the cache floor.',
    toCome: 'No requests yet. Start a session to fill it.',
    legend: [
      { label: 'tools', colour: 'origin-tools' },
      { label: 'persona', colour: 'origin-persona' },
      { label: 'instructions', colour: 'origin-instructions' },
      { label: 'skill index', colour: 'origin-index' },
      { label: 'padding: preloaded skill', colour: 'origin-preloaded', hatched: true },
      { label: 'padding: context', colour: 'origin-context', hatched: true },
      { label: 'volatile', colour: 'volatile' },
      { label: 'messages', colour: 'origin-message' },
    ],
  },
});
