import { describe, expect, it } from 'vitest';
import { paddingPlot } from './padding-view.ts';

// Claude Haiku 4.5 caches from 4,096 tokens on, Claude Sonnet 4.5 from 1,024.
const ask = { turns: 12, ttl: '5m', policy: 'model' } as const;

describe('paddingPlot', () => {
  it('PA2: a prefix that is cached as it is needs no padding', () => {
    const plot = paddingPlot({ ...ask, model: 'claude-sonnet-4-5', natural: 2561 });
    expect(plot.answer).toBe('needless');
    expect(plot.why).toBe('The prefix has 2,561 tokens, and this model caches from 1,024 on.');
    expect(plot.withPadding).toEqual(plot.withoutPadding);
    const longer = paddingPlot({ ...ask, model: 'claude-sonnet-4-5', natural: 2561, policy: 'spec' });
    expect(longer.answer).toBe('needless');
    expect(longer.why).toContain('would only cost more');
  });

  it('PA2: a prefix below the floor pays from some turn on, or never', () => {
    expect(paddingPlot({ ...ask, model: 'claude-haiku-4-5', natural: 2561 }).answer).toBe('pays');
    const short = paddingPlot({ ...ask, model: 'claude-haiku-4-5', natural: 300 });
    expect(short.answer).toBe('never');
    expect(short.why).toMatch(/^Reading /);
  });
});
