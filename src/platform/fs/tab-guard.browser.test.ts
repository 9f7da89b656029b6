import { describe } from 'vitest';
import { createTabGuard } from './tab-guard.ts';
import { guardContract } from './testing/guard-contract.ts';

describe('guard by Web Locks', () => {
  guardContract(() => createTabGuard(navigator.locks));
});
