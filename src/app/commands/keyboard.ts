/** From a key press to a command. */
import type { Command } from './commands.ts';
import { isTypable, type KeyPress, matchesStroke, parseShortcut, type Platform } from './keymap.ts';

export interface Situation {
  /** The focus is where text is typed. */
  readonly isInField: boolean;
  /** A dialog is open: nothing happens outside it. */
  readonly isInDialog: boolean;
}

export const commandFor = (
  press: KeyPress,
  commands: readonly Command[],
  platform: Platform,
  { isInField, isInDialog }: Situation,
): Command | undefined => {
  if (isInDialog) return undefined;
  return commands.find(({ shortcut }) => {
    if (shortcut === undefined) return false;
    const stroke = parseShortcut(shortcut, platform);
    return matchesStroke(stroke, press) && !(isInField && isTypable(stroke));
  });
};
