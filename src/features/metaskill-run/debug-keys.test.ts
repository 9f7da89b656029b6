import { expect, it } from 'vitest';
import { debugKey } from './debug-keys.ts';

const press = (key: string, more: Partial<Parameters<typeof debugKey>[0]> = {}) => ({
  key,
  code: key,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...more,
});
const alt = (letter: string) => press(letter, { code: `Key${letter.toUpperCase()}`, altKey: true });

it('MR1: the keys of VS Code, each with a second one, do what the run allows', () => {
  for (const run of [press('F5'), alt('r')]) {
    expect(debugKey(run, false, false)).toBe('start');
    expect(debugKey(run, true, true)).toBe('continue');
    // A reload would end the run.
    expect(debugKey(run, true, false)).toBe('nothing');
  }
  for (const [one, other, act] of [
    [press('F10'), alt('o'), 'stepOver'],
    [press('F11'), alt('i'), 'stepIn'],
    [press('F11', { shiftKey: true }), alt('u'), 'stepOut'],
  ] as const) {
    expect([debugKey(one, true, true), debugKey(other, true, true)]).toEqual([act, act]);
    expect(debugKey(one, true, false)).toBeUndefined();
  }
  // Where nothing runs, a step starts the program and stops before its first line.
  expect([debugKey(press('F10'), false, false), debugKey(alt('i'), false, false)]).toEqual([
    'startPaused',
    'startPaused',
  ]);
  expect(debugKey(press('F11', { shiftKey: true }), false, false)).toBeUndefined();
  expect([debugKey(press('F5', { shiftKey: true }), true, false), debugKey(alt('x'), true, true)]).toEqual([
    'stop',
    'stop',
  ]);
  expect(debugKey(press('F5', { ctrlKey: true }), false, false)).toBeUndefined();
  expect(debugKey(press('r'), false, false)).toBeUndefined();
});
