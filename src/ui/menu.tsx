import { type ReactElement, type RefObject, useEffect, useMemo } from 'react';
import { Header, Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components/Menu';
import { cx } from './cx.ts';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';

export type MenuEntry = {
  readonly id: string;
  readonly label: string;
  readonly keys?: readonly string[] | undefined;
  /** Why it cannot be used now; shown below the label. */
  readonly disabledReason?: string | undefined;
  readonly isDanger?: boolean;
  readonly onAction: () => void;
};

export type MenuGroup = {
  /** Without a label the group is set apart by a line. */
  readonly label?: string;
  readonly entries: readonly MenuEntry[];
};

/** A reason that several entries share is said once, below them. */
const sharedReasons = (groups: readonly MenuGroup[]): ReadonlySet<string> => {
  const reasons = groups.flatMap(({ entries }) => entries.flatMap((entry) => entry.disabledReason ?? []));
  return new Set(reasons.filter((reason, index) => reasons.indexOf(reason) !== index));
};

const Entry = ({ entry, shared }: { readonly entry: MenuEntry; readonly shared: ReadonlySet<string> }) => (
  <MenuItem
    id={entry.id}
    textValue={entry.label}
    isDisabled={entry.disabledReason !== undefined}
    onAction={entry.onAction}
    className={cx(styles['item'], entry.isDanger && styles['danger'])}
  >
    <span className={styles['text']}>
      <span>{entry.label}</span>
      {entry.disabledReason !== undefined && !shared.has(entry.disabledReason) && (
        <span className={styles['reason']}>{entry.disabledReason}</span>
      )}
    </span>
    {entry.keys && <Kbd keys={entry.keys} />}
  </MenuItem>
);

const MenuList = ({ label, groups }: { readonly label: string; readonly groups: readonly MenuGroup[] }) => {
  const shared = sharedReasons(groups);
  return (
    <>
      <AriaMenu aria-label={label} className={styles['menu'] ?? ''}>
        {groups.map((group, index) => (
          <MenuSection
            key={group.label ?? index}
            className={styles['section'] ?? ''}
            {...(group.label === undefined && { 'aria-label': label })}
          >
            {group.label !== undefined && <Header className={styles['header'] ?? ''}>{group.label}</Header>}
            {group.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} shared={shared} />
            ))}
          </MenuSection>
        ))}
      </AriaMenu>
      {[...shared].map((reason) => (
        <p key={reason} className={styles['note']}>
          {reason}
        </p>
      ))}
    </>
  );
};

export type MenuButtonProps = {
  /** The accessible name of the menu. */
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  /** A Button of this folder. */
  readonly children: ReactElement;
};

/** A button that opens a menu. */
export const MenuButton = ({ label, groups, children }: MenuButtonProps) => (
  <MenuTrigger>
    {children}
    <Popover className={styles['popover'] ?? ''} offset={4}>
      <MenuList label={label} groups={groups} />
    </Popover>
  </MenuTrigger>
);

export type ContextMenuProps = {
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  /** What the menu is about; it opens beside it. Closed without. */
  readonly target: Element | undefined;
  readonly onClose: () => void;
};

/** A menu that opens beside something, by right click, the menu key or a button of its own. */
export const ContextMenu = ({ label, groups, target, onClose }: ContextMenuProps) => {
  const anchor = useMemo<RefObject<Element | null>>(() => ({ current: target ?? null }), [target]);
  // What the menu is about is marked while it is open.
  useEffect(() => {
    target?.setAttribute('data-menu', 'open');
    return () => target?.removeAttribute('data-menu');
  }, [target]);
  return (
    <Popover
      className={styles['popover'] ?? ''}
      triggerRef={anchor}
      isOpen={target !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      placement="bottom end"
      offset={2}
    >
      <MenuList
        label={label}
        groups={groups.map((group) => ({
          ...group,
          entries: group.entries.map((entry) => ({
            ...entry,
            onAction: () => {
              onClose();
              entry.onAction();
            },
          })),
        }))}
      />
    </Popover>
  );
};
