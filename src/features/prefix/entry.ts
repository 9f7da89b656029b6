import { panel } from '../panel/panel.ts';

export const prefix = panel({
  id: 'prefix',
  label: 'Prefix',
  help: 'prefix',
  empty: {
    about:
      'The request as a strip of segments in wire order, each as wide as its tokens, with the breakpoints and the floor of the cache.',
    toCome: 'No request yet. The first request of a session fills it.',
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
