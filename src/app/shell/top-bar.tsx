import { type ReactNode, useSyncExternalStore } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { DropButton } from '../../ui/drop-button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { MenuButton, type MenuEntry, type MenuGroup } from '../../ui/menu.tsx';
import { CATEGORIES, type Category, type Command, type CommandRegistry, disabledReason } from '../commands/commands.ts';
import { type Platform, shortcutKeys } from '../commands/keymap.ts';
import { Brand } from './brand.tsx';

import { type Theme, THEME_LABELS, type ThemeStore } from './theme.ts';
import styles from './top-bar.module.css';

/** What others put into the bar. An empty slot takes no room. */
export type BarSlots = {
  /** Name and size of the open folder; its menu opens from it. */
  readonly workspace?: ReactNode;
  /** Provider and model, with their menu. */
  readonly model?: ReactNode;
  /** Turn and state of the session. */
  readonly session?: ReactNode;
  /** Tokens and cost so far. */
  readonly usage?: ReactNode;
};

export type TopBarProps = {
  readonly slots: BarSlots;
  readonly theme: ThemeStore;
  readonly commands: CommandRegistry;
  readonly platform: Platform;
  readonly onPalette: () => void;
};

const THEME_ICONS: Readonly<Record<Theme, IconName>> = {
  system: 'monitor',
  light: 'sun',
  dark: 'moon',
  contrast: 'contrast',
};

/** A fact in the bar. In a narrow window only the most needed ones are left. */
export const BarFact = ({ fact, children }: { readonly fact: keyof BarSlots; readonly children: ReactNode }) => (
  <p className={styles['fact']} data-fact={fact}>
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

const entriesOf = (category: Category, commands: CommandRegistry, platform: Platform): readonly MenuEntry[] =>
  commands
    .list()
    .filter((command) => command.category === category && command.inMenu !== false)
    .map((command) => menuEntry(command, commands, platform));

const menuGroups = (commands: CommandRegistry, platform: Platform): readonly MenuGroup[] =>
  CATEGORIES.flatMap((category) => {
    // The workspace has a menu of its own.
    const entries = category === 'File' ? [] : entriesOf(category, commands, platform);
    return entries.length === 0 ? [] : { label: category, entries };
  });

export const TopBar = ({ slots, theme, commands, platform, onPalette }: TopBarProps) => {
  const current = useSyncExternalStore(theme.subscribe, theme.get);
  return (
    <header className={styles['bar']}>
      <Brand />
      <MenuButton label="Workspace" groups={[{ entries: entriesOf('File', commands, platform) }]}>
        <DropButton icon="folder" about="Workspace">
          {slots.workspace ?? 'No workspace'}
        </DropButton>
      </MenuButton>
      {slots.model}
      {slots.session}
      <span className={styles['space']} />
      <button type="button" className={styles['palette']} aria-label="Commands" onClick={onPalette}>
        <Icon name="search" />
        <span className={styles['find']}>Find a command, skill, or file</span>
        <span className={styles['keys']}>
          <Kbd keys={shortcutKeys('Mod+K', platform)} />
        </span>
      </button>
      <span className={styles['space']} />
      {slots.usage}
      <div className={styles['tools']}>
        <IconButton
          label={`Theme: ${THEME_LABELS[current]}`}
          icon={THEME_ICONS[current]}
          tip={`Theme: ${THEME_LABELS[current]}. Select for the next one.`}
          onPress={theme.next}
        />
        <MenuButton label="Menu" groups={menuGroups(commands, platform)}>
          <IconButton label="Menu" icon="menu" />
        </MenuButton>
      </div>
    </header>
  );
};
