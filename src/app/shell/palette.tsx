import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { type Platform, shortcutKeys } from '../commands/keymap.ts';
import { type PaletteInput, type PaletteItem, paletteItems } from '../commands/palette-items.ts';
import styles from './palette.module.css';

export type PaletteProps = {
  readonly input: PaletteInput;
  readonly platform: Platform;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onChoose: (item: PaletteItem) => void;
};

/** The title with the letters that matched set apart. */
const Title = ({ title, ranges }: PaletteItem) => {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(
      <Fragment key={start}>
        {title.slice(at, start)}
        <mark className={styles['mark']}>{title.slice(start, end)}</mark>
      </Fragment>,
    );
    at = end;
  }
  return (
    <span className={styles['title']}>
      {parts}
      {title.slice(at)}
    </span>
  );
};

const step = (key: string, index: number, count: number): number | undefined => {
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return (index + count - 1) % count;
    case 'PageDown':
      return Math.min(index + 8, count - 1);
    case 'PageUp':
      return Math.max(index - 8, 0);
    default:
      return undefined;
  }
};

/** A combobox over a list, after the ARIA pattern: the focus stays in the field, the arrows move the choice. */
const Picker = ({ input, platform, onChoose }: Omit<PaletteProps, 'isOpen' | 'onClose'>) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const items = paletteItems(query, input);
  const at = Math.min(active, items.length - 1);
  const current = items[at];

  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const choose = (item: PaletteItem | undefined): void => {
    if (item && item.disabledReason === undefined) onChoose(item);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const next = items.length === 0 ? undefined : step(event.key, at, items.length);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter') {
      const typed = event.currentTarget.value;
      // A fast key can come before the list is drawn for the text.
      choose(typed === query ? current : paletteItems(typed, input)[0]);
    } else return;
    event.preventDefault();
  };

  return (
    <div className={styles['picker']}>
      <input
        className={styles['input']}
        role="combobox"
        aria-label="Find a command, skill, or file"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current && `${id}-${at}`}
        placeholder="Find a command, skill, or file"
        autoComplete="off"
        spellCheck={false}
        // A dialog's field: focus belongs here when it opens.
        autoFocus
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={`${id}-list`} className={styles['list']} role="listbox" aria-label="Commands">
        {items.map((item, index) => (
          <div
            key={item.id}
            id={`${id}-${index}`}
            className={styles['item']}
            role="option"
            tabIndex={-1}
            aria-selected={item === current}
            aria-disabled={item.disabledReason !== undefined}
            data-first={index > 0 && items[index - 1]?.isRecent === true && item.isRecent !== true}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(item)}
          >
            <span className={styles['text']}>
              <Title {...item} />
              {item.disabledReason !== undefined && <span className={styles['reason']}>{item.disabledReason}</span>}
            </span>
            <span className={styles['kind']}>{item.isRecent === true ? `${item.kind}, recent` : item.kind}</span>
            {item.shortcut !== undefined && <Kbd keys={shortcutKeys(item.shortcut, platform)} />}
          </div>
        ))}
      </div>
      {items.length === 0 && (
        <p className={styles['none']} role="status">
          No matches for “{query.trim()}”.
        </p>
      )}
    </div>
  );
};

export const Palette = ({ isOpen, onClose, ...rest }: PaletteProps) => (
  <Dialog title="Commands" isOpen={isOpen} onClose={onClose} bare>
    <Picker {...rest} />
  </Dialog>
);
