/** Shortcuts: how they are written, matched against the keyboard and shown to people. */

export type Platform = 'mac' | 'other';

/**
 * Keys joined by `+`, the last one the key itself: `Mod+Shift+M`, `F8`. `Mod` is Command on a Mac and Control elsewhere.
 * A pair where the two differ by more than that.
 */
export type Shortcut = string | { readonly mac: string; readonly other: string };

export interface Stroke {
  /** As `KeyboardEvent.key`, in lower case. */
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly meta: boolean;
}

/** The part of a KeyboardEvent that decides. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing?: boolean;
  readonly getModifierState?: (name: string) => boolean;
}

const textOf = (shortcut: Shortcut, platform: Platform): string =>
  typeof shortcut === 'string' ? shortcut : shortcut[platform];

const splitKeys = (text: string): readonly string[] => {
  // `Mod++` is the plus key.
  const keys = text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+');
  return keys.filter((key) => key !== '');
};

const MODIFIERS = ['Mod', 'Ctrl', 'Alt', 'Shift', 'Meta'] as const;
type Modifier = (typeof MODIFIERS)[number];
const isModifier = (key: string): key is Modifier => (MODIFIERS as readonly string[]).includes(key);

/** Throws for a shortcut that is written wrongly: shortcuts are written by us. */
export const parseShortcut = (shortcut: Shortcut, platform: Platform): Stroke => {
  const text = textOf(shortcut, platform);
  const keys = splitKeys(text);
  const key = keys.at(-1);
  const modifiers = keys.slice(0, -1);
  if (key === undefined || isModifier(key) || !modifiers.every(isModifier))
    throw new Error(`"${text}" is not a shortcut`);
  const has = (name: Modifier): boolean => modifiers.includes(name);
  const mac = platform === 'mac';
  return {
    key: key.toLowerCase(),
    ctrl: has('Ctrl') || (has('Mod') && !mac),
    alt: has('Alt'),
    shift: has('Shift'),
    meta: has('Meta') || (has('Mod') && mac),
  };
};

/** The key that is printed on a Latin keyboard, where what it types is something else. */
const latinKey = (code: string): string | undefined => /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase();

export const matchesStroke = (stroke: Stroke, press: KeyPress): boolean => {
  // AltGr types a character and reports itself as Ctrl+Alt on some systems.
  if (press.isComposing === true || press.getModifierState?.('AltGraph') === true) return false;
  if (stroke.ctrl !== press.ctrlKey || stroke.alt !== press.altKey) return false;
  if (stroke.meta !== press.metaKey || stroke.shift !== press.shiftKey) return false;
  const typed = press.key.toLowerCase();
  if (typed === stroke.key) return true;
  // Option changes what a key types on a Mac; another alphabet changes it everywhere.
  const isOther = press.altKey || (typed.length === 1 && typed.charCodeAt(0) > 127);
  return isOther && latinKey(press.code) === stroke.key;
};

/** Whether a press could be text: such a shortcut would steal from anyone who is typing. */
export const isTypable = (stroke: Stroke): boolean =>
  !stroke.ctrl && !stroke.meta && !stroke.alt && !/^f\d+$/.test(stroke.key);

const MAC_NAMES: Readonly<Record<string, string>> = { Mod: '⌘', Meta: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };
const NAMES: Readonly<Record<string, string>> = { Mod: 'Ctrl', Meta: 'Meta' };
const KEY_NAMES: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** The keys as people read them, one by one. */
export const shortcutKeys = (shortcut: Shortcut, platform: Platform): readonly string[] =>
  splitKeys(textOf(shortcut, platform)).map((key) => {
    const names = platform === 'mac' ? MAC_NAMES : NAMES;
    return names[key] ?? KEY_NAMES[key] ?? key;
  });

const strokeId = ({ key, ctrl, alt, shift, meta }: Stroke): string => [ctrl, alt, shift, meta, key].join(' ');

/** Shortcuts that two commands share on a platform, each with the commands that want it. */
export const findConflicts = (
  commands: readonly { readonly id: string; readonly shortcut?: Shortcut }[],
  platform: Platform,
): readonly { readonly shortcut: string; readonly ids: readonly string[] }[] => {
  const found = new Map<string, { shortcut: string; ids: string[] }>();
  for (const { id, shortcut } of commands) {
    if (shortcut === undefined) continue;
    const key = strokeId(parseShortcut(shortcut, platform));
    const entry = found.get(key) ?? { shortcut: textOf(shortcut, platform), ids: [] };
    entry.ids.push(id);
    found.set(key, entry);
  }
  return [...found.values()].filter(({ ids }) => ids.length > 1);
};
