import { describe, expect, it } from 'vitest';
import { savesNothing } from './avoidable.ts';

describe('what a repair saves', () => {
  it('RM4: a repair that costs as much as it saves is no advice, one without a forecast or a loss is not judged', () => {
    expect(savesNothing({ kind: 'known', usd: 0, lost: 0.002 })).toBe(true);
    expect(savesNothing({ kind: 'known', usd: 0.001, lost: 0.002 })).toBe(false);
    expect(savesNothing({ kind: 'known', usd: 0, lost: 0 })).toBe(false);
    expect(savesNothing({ kind: 'pending' })).toBe(false);
    expect(savesNothing({ kind: 'unknown' })).toBe(false);
  });
});
