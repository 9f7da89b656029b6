import { describe } from 'vitest';
import { createMemoryTabGuard } from './memory-tab-guard.ts';
import { guardContract } from './testing/guard-contract.ts';

describe('guard in memory', () => {
  guardContract(createMemoryTabGuard);
});
