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

  const faults = (text: string): readonly string[] => {
    const read = parseScript(text);
    return read.ok ? [] : read.error;
  };
  const turns = (...steps: readonly string[]): string =>
    `folder: x\nturns:\n  - say: Hi\n  - ${steps.join('\n  - ')}\n`;

  it.each([
    ['{change: {provider: foo}}', /^line 4: turns\.1\.change\.provider: .*simulator/],
    ['{change: {thinking: on}}', /^line 4: turns\.1\.change\.thinking: is off, adaptive or/],
    ['{change: {thinking: {budget: 0}}}', /^line 4: turns\.1\.change\.thinking\.budget: /],
    ['{say: 5}', /^line 4: turns\.1\.say: /],
    ['{advance: 5}', /^line 4: turns\.1\.advance: is a duration such as/],
    ['{change: {run_token_limit: -1}}', /^line 4: turns\.1\.change\.run_token_limit: /],
    ['{shout: x}', /^line 4: turns\.1: is one of/],
    ['{say: a, advance: 1s}', /^line 4: turns\.1: is one of/],
    ['{write: {path: ../x, text: a}}', /^line 4: turns\.1\.write\.path: .*outside/],
    ['{write: {path: /etc/x, text: a}}', /^line 4: turns\.1\.write\.path: .*outside/],
    ['{write: {path: ., text: a}}', /^line 4: turns\.1\.write\.path: is the path of a file/],
    ['{advance: 99999999999h}', /^line 4: turns\.1\.advance: is at most ten years/],
    [`{advance: ${'9'.repeat(400)}h}`, /^line 4: turns\.1\.advance: is at most ten years/],
    ['{say: *nobody}', /^line 4: there is no anchor “&nobody” before this/],
    ['&a {say: [*a]}', /^line 4: “\*a” holds itself/],
  ])('SE70: %s is reported with its line', (step, said) => {
    const told = faults(turns(step));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(said);
  });

  it('SE70: tools that cannot be left out are named', () => {
    expect(faults('folder: x\nwithout_tools: [skill_load]\nturns:\n  - say: Hi\n')[0]).toMatch(
      /^line 2: without_tools\.0: .*read_file/,
    );
  });

  it('SE70: what follows after the end of a document is not skipped', () => {
    expect(faults('folder: x\nturns:\n  - say: Hi\n---\nturns:\n  - say: Lost\n')[0]).toMatch(
      /^line \d: the file holds several documents/,
    );
  });

  it('SE70: all mistakes are reported, first line first', () => {
    const told = faults('modle: x\nfolder: x\nturns:\n  - shout: x\n  - advance: soon\ntitel: y\n');
    expect(told.map((line) => Number(/^line (\d+)/.exec(line)?.[1]))).toEqual([1, 4, 5]);
  });
});
