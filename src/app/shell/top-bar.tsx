import { type ReactNode, useSyncExternalStore } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { MenuButton, type MenuEntry, type MenuGroup } from '../../ui/menu.tsx';
import { Brand } from './brand.tsx';
import { CATEGORIES, type Command, type CommandRegistry, disabledReason } from '../commands/commands.ts';
import { type Platform, shortcutKeys } from '../commands/keymap.ts';
import type { Foldable, Layout } from './layout.ts';
import { type Theme, THEME_LABELS, type ThemeStore } from './theme.ts';
import styles from './top-bar.module.css';

/** What others put into the bar. An empty slot takes no room. */
export type BarSlots = {
  readonly workspace?: ReactNode;
  /** Provider and model. */
  readonly model?: ReactNode;
  /** Turn and state of the session. */
  readonly session?: ReactNode;
  /** Tokens and cost so far. */
  readonly usage?: ReactNode;
};

export type TopBarProps = {
  readonly slots: BarSlots;
  readonly theme: ThemeStore;
  readonly layout: Layout;
  readonly commands: CommandRegistry;
  readonly platform: Platform;
  readonly isNarrow: boolean;
  readonly onPalette: () => void;
};

const THEME_ICONS: Readonly<Record<Theme, IconName>> = {
  system: 'monitor',
  light: 'sun',
  dark: 'moon',
  contrast: 'contrast',
};

const FOLD_BUTTONS: readonly { readonly name: Foldable; readonly label: string; readonly icon: IconName }[] = [
  { name: 'library', label: 'Library', icon: 'panel-left' },
  { name: 'instruments', label: 'Instruments', icon: 'panel-bottom' },
  { name: 'session', label: 'Session', icon: 'panel-right' },
];

/** A fact in the bar. In a narrow window only the most needed ones are left. */
export const BarChip = ({ fact, children }: { readonly fact: keyof BarSlots; readonly children: ReactNode }) => (
  <p className={styles['chip']} data-fact={fact}>
    {children}
  </p>
);

const menuEntry = (command: Command, commands: CommandRegistry, platform: Platform): MenuEntry => ({
  id: command.id,
  label: command.title,
  disabledReason: disabledReason(command),
  keys: command.shortcut === undefined ? undefined : shortcutKeys(command.shortcut, platform),
  onAction: () => void commands.run(command.id),
});

const menuGroups = (commands: CommandRegistry, platform: Platform): MenuGroup[] =>
  CATEGORIES.flatMap((category) => {
    const entries = commands
      .list()
      .filter((command) => command.category === category && command.inMenu !== false)
      .map((command) => menuEntry(command, commands, platform));
    return entries.length === 0 ? [] : { label: category, entries };
  });

export const TopBar = ({ slots, theme, layout, commands, platform, isNarrow, onPalette }: TopBarProps) => {
  const current = useSyncExternalStore(theme.subscribe, theme.get);
  const folded = useSyncExternalStore(layout.subscribe, layout.folded);
  return (
    <header className={styles['bar']}>
      <Brand />
      {slots.workspace}
      {slots.model}
      {slots.session}
      <div className={styles['space']} />
      {slots.usage}
      <div className={styles['commands']}>
        <Button onPress={onPalette} aria-label="Commands">
          Commands
          <span className={styles['keys']}>
            <Kbd keys={shortcutKeys('Mod+K', platform)} />
          </span>
        </Button>
      </div>
      <div className={styles['tools']}>
        {!isNarrow &&
          FOLD_BUTTONS.map(({ name, label, icon }) => (
            <IconButton
              key={name}
              label={label}
              icon={icon}
              tip={`${folded.has(name) ? 'Show' : 'Hide'} ${label}`}
              aria-pressed={!folded.has(name)}
              onPress={() => layout.toggle(name)}
            />
          ))}
        <IconButton
          label={`Theme: ${THEME_LABELS[current]}`}
          icon={THEME_ICONS[current]}
          tip={`Theme: ${THEME_LABELS[current]}. Press for the next one.`}
          onPress={theme.next}
        />
        <MenuButton label="Menu" groups={menuGroups(commands, platform)}>
          <IconButton label="Menu" icon="menu" />
        </MenuButton>
      </div>
    </header>
  );
};
