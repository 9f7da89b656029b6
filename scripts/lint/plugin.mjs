// Rules of this project that no linter brings along. `.oxlintrc.json` says where each of them holds.
import { noFixedSleep } from './no-fixed-sleep.mjs';
import { noRetry } from './no-retry.mjs';
import { reasonToDisable } from './reason-to-disable.mjs';
import { selectFromStore } from './select-from-store.mjs';

export default {
  meta: { name: 'lathe' },
  rules: {
    'no-fixed-sleep': noFixedSleep,
    'no-retry': noRetry,
    'reason-to-disable': reasonToDisable,
    'select-from-store': selectFromStore,
  },
};
