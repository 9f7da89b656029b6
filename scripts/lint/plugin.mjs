// Rules of this project that no linter brings along. `.oxlintrc.json` says where each of them holds.
import { reasonToDisable } from './reason-to-disable.mjs';
import { selectFromStore } from './select-from-store.mjs';

export default {
  meta: { name: 'lathe' },
  rules: {
    'reason-to-disable': reasonToDisable,
    'select-from-store': selectFromStore,
  },
};
