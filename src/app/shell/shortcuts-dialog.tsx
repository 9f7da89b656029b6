import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { CATEGORIES, type CommandRegistry } from '../commands/commands.ts';
import { type Platform, type Shortcut, shortcutKeys } from '../commands/keymap.ts';
import styles from './shortcuts-dialog.module.css';

export type ShortcutsDialogProps = {
  readonly commands: CommandRegistry;
  readonly platform: Platform;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Keys that belong to no command, because they belong to what has the focus. */
const LOCAL_KEYS: readonly { readonly what: string; readonly keys: readonly string[] }[] = [
  { what: 'Move in a tree, list, or tabs', keys: ['↑', '↓', '←', '→'] },
  { what: 'Resize a region, on its divider', keys: ['←', '→'] },
  { what: 'Collapse or restore a region, on its divider', keys: ['Enter'] },
  { what: 'Row actions', keys: ['Shift', 'F10'] },
  { what: 'Close a dialog or clear a search', keys: ['Esc'] },
];

/** Keys of the file in front; Monaco and the panel have them. */
const EDITOR_KEYS: readonly { readonly what: string; readonly keys: Shortcut }[] = [
  { what: 'Fixes for the problem under the cursor', keys: 'Mod+.' },
  { what: 'Completion', keys: { mac: 'Ctrl+Space', other: 'Ctrl+Space' } },
  { what: 'Outline', keys: 'Mod+Shift+O' },
  { what: 'Cycle through Preview, Edit, and Split', keys: 'Alt+Shift+V' },
  { what: 'Next tab', keys: 'Alt+PageDown' },
  { what: 'Close the tab', keys: 'Alt+W' },
  { what: 'Breakpoint, in a program', keys: 'F9' },
  { what: 'Go to definition, in a program', keys: 'F12' },
  { what: 'Let Tab leave the editor', keys: { mac: 'Ctrl+Shift+M', other: 'Ctrl+M' } },
];

export const ShortcutsDialog = ({ commands, platform, isOpen, onClose }: ShortcutsDialogProps) => (
  <Dialog title="Keyboard shortcuts" size="large" isOpen={isOpen} onClose={onClose}>
    <div className={styles['columns']}>
      {CATEGORIES.map((category) => {
        const rows = commands.list().filter((command) => command.category === category && command.shortcut);
        return (
          rows.length > 0 && (
            <section key={category} aria-label={category}>
              <h3 className={styles['category']}>{category}</h3>
              <dl className={styles['list']}>
                {rows.map(({ id, title, shortcut }) => (
                  <div key={id} className={styles['row']}>
                    <dt>{title}</dt>
                    <dd className={styles['keys']}>
                      {shortcut !== undefined && <Kbd keys={shortcutKeys(shortcut, platform)} />}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        );
      })}
      <section aria-label="In a file">
        <h3 className={styles['category']}>In a file</h3>
        <dl className={styles['list']}>
          {EDITOR_KEYS.map(({ what, keys }) => (
            <div key={what} className={styles['row']}>
              <dt>{what}</dt>
              <dd className={styles['keys']}>
                <Kbd keys={shortcutKeys(keys, platform)} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-label="Everywhere">
        <h3 className={styles['category']}>Everywhere</h3>
        <dl className={styles['list']}>
          {LOCAL_KEYS.map(({ what, keys }) => (
            <div key={what} className={styles['row']}>
              <dt>{what}</dt>
              <dd className={styles['keys']}>
                <Kbd keys={keys} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  </Dialog>
);
