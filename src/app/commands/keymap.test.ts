import { describe, expect, it } from 'vitest';
import { findConflicts, isTypable, type KeyPress, matchesStroke, parseShortcut, shortcutKeys } from './keymap.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...more,
});

describe('shortcuts', () => {
  it('KM1: Mod is Command on a Mac and Control elsewhere', () => {
    expect(parseShortcut('Mod+K', 'mac')).toEqual({ key: 'k', ctrl: false, alt: false, shift: false, meta: true });
    expect(parseShortcut('Mod+K', 'other')).toEqual({ key: 'k', ctrl: true, alt: false, shift: false, meta: false });
    const pair = { mac: 'Meta+Alt+B', other: 'Ctrl+Alt+B' };
    expect(parseShortcut(pair, 'mac')).toMatchObject({ meta: true, alt: true, key: 'b' });
    expect(parseShortcut(pair, 'other')).toMatchObject({ ctrl: true, alt: true, key: 'b' });
    expect(parseShortcut('Mod++', 'other')).toMatchObject({ ctrl: true, key: '+' });
  });

  it.each(['', 'Mod', 'Mod+Shift', 'Hyper+K'])('KM1: %j is not a shortcut', (text) => {
    expect(() => parseShortcut(text, 'mac')).toThrow('is not a shortcut');
  });

  it('KM2: a press matches by what it types, in any case', () => {
    const stroke = parseShortcut('Mod+Shift+M', 'other');
    expect(matchesStroke(stroke, press('M', { ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(matchesStroke(stroke, press('m', { ctrlKey: true, shiftKey: true }))).toBe(true);
  });

  it('KM2: with Option, and in another alphabet, by the place of the key', () => {
    const option = parseShortcut('Mod+Alt+B', 'mac');
    expect(matchesStroke(option, press('∫', { code: 'KeyB', metaKey: true, altKey: true }))).toBe(true);
    const palette = parseShortcut('Mod+K', 'other');
    expect(matchesStroke(palette, press('л', { code: 'KeyK', ctrlKey: true }))).toBe(true);
    // A Latin letter elsewhere on the keyboard is what it types.
    expect(matchesStroke(palette, press('t', { code: 'KeyK', ctrlKey: true }))).toBe(false);
  });

  it('KM3: all modifiers count', () => {
    const stroke = parseShortcut('Mod+K', 'other');
    expect(matchesStroke(stroke, press('k', { ctrlKey: true }))).toBe(true);
    for (const name of ['shiftKey', 'altKey', 'metaKey'] as const) {
      expect(matchesStroke(stroke, press('k', { ctrlKey: true, [name]: true })), name).toBe(false);
    }
    expect(matchesStroke(stroke, press('k'))).toBe(false);
  });

  it('KM4: AltGr and a running composition never match', () => {
    const stroke = parseShortcut('Ctrl+Alt+Q', 'other');
    const keys = press('q', { ctrlKey: true, altKey: true });
    expect(matchesStroke(stroke, keys)).toBe(true);
    expect(matchesStroke(stroke, { ...keys, getModifierState: (name) => name === 'AltGraph' })).toBe(false);
    expect(matchesStroke(stroke, { ...keys, isComposing: true })).toBe(false);
  });

  it('KM6: tells what could be typed', () => {
    const typable = (text: string) => isTypable(parseShortcut(text, 'other'));
    expect([typable('A'), typable('Shift+A'), typable('Escape')]).toEqual([true, true, true]);
    expect([typable('F8'), typable('Shift+F6'), typable('Mod+A'), typable('Alt+A')]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('shows the keys as each platform prints them', () => {
    expect(shortcutKeys('Mod+Shift+M', 'other')).toEqual(['Ctrl', 'Shift', 'M']);
    expect(shortcutKeys('Mod+Shift+M', 'mac')).toEqual(['⌘', '⇧', 'M']);
    expect(shortcutKeys('Alt+ArrowUp', 'mac')).toEqual(['⌥', '↑']);
  });

  it('finds what two commands share, on the platform where they do', () => {
    const commands = [
      { id: 'a', shortcut: 'Mod+K' },
      { id: 'b', shortcut: 'Ctrl+K' },
      { id: 'c', shortcut: 'Shift+Mod+K' },
      { id: 'd' },
    ];
    expect(findConflicts(commands, 'other')).toEqual([{ shortcut: 'Mod+K', ids: ['a', 'b'] }]);
    expect(findConflicts(commands, 'mac')).toEqual([]);
  });
});
