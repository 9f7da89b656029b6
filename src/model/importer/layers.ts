/** The layers of D34, and which of them an import ran. */
import type { ImportDeps, Layer } from './import-report.ts';

export const layersOf = (deps: ImportDeps, smoked: string): readonly Layer[] => [
  { id: 'L1', state: 'active', detail: 'signature and digest on every load' },
  { id: 'L2', state: 'active', detail: 'overlap with other executors' },
  { id: 'L3', state: 'active', detail: 'unused executors age by their audit dates' },
  { id: 'L5', state: deps.smoke ? 'active' : 'not run', detail: smoked },
  {
    id: 'L6',
    state: deps.model ? 'active' : 'not run',
    detail: deps.model
      ? `description and code were compared by ${deps.model.name}`
      : 'no model was asked; Lathe compared declared and detected capabilities',
  },
  { id: 'guard', state: 'active', detail: 'before every call' },
  { id: 'audit', state: 'active', detail: 'every call, with hashes of its arguments' },
];

/** Of an import that made no executors: what could not run says why. */
export const idleLayers = (deps: ImportDeps, isPlain: boolean): readonly Layer[] =>
  layersOf(deps, '').map((layer) =>
    isPlain && layer.id === 'L1'
      ? layer
      : { id: layer.id, state: 'not run', detail: isPlain ? 'a plain skill has no executors' : 'nothing was imported' },
  );
