import { describe, expect, it } from 'vitest';
import { parseScript, SCRIPT_EXAMPLE } from './script.ts';

describe('scripts', () => {
  it('SE70: the example is a script, and so is every line of it that is switched off', () => {
    expect(parseScript(SCRIPT_EXAMPLE).ok).toBe(true);
    const switchedOn = SCRIPT_EXAMPLE.replace(/^(\s*)# (?=[a-z-])/gm, '$1');
    const read = parseScript(switchedOn);
    expect(read.ok ? [] : read.error).toEqual([]);
    expect(read.ok && Object.keys(read.value).length).toBeGreaterThan(15);
    expect(read.ok && read.value.turns).toHaveLength(6);
  });

  it('SE70: durations are milliseconds', () => {
    const read = parseScript('folder: x\nturns: [{advance: 1.5m}, {advance: 2h}, {advance: 30s}]');
    expect(read.ok && read.value.turns).toEqual([{ advance: 90_000 }, { advance: 7_200_000 }, { advance: 30_000 }]);
  });
});
