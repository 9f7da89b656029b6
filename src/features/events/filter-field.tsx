import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { EventIndex } from '../../model/event/event-index.ts';
import { completions } from '../../model/event/filter.ts';
import type { FilterFault } from '../../model/event/filter-text.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './filter-field.module.css';

export type FilterFieldProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly index: EventIndex;
  readonly fault: FilterFault | undefined;
};

const MOST_OPTIONS = 8;

/** The filter language, with what could be written next. */
export const FilterField = ({ value, onChange, index, fault }: FilterFieldProps) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [offset, setOffset] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const found = completions(value, Math.min(offset, value.length), index);
  const options = isOpen ? found.options.slice(0, MOST_OPTIONS) : [];

  const follow = (): void => setOffset(input.current?.selectionStart ?? 0);
  const choose = (text: string): void => {
    const end = found.from + text.length;
    onChange(`${value.slice(0, found.from)}${text}${value.slice(found.to)}`);
    setOffset(end);
    setActive(-1);
    requestAnimationFrame(() => input.current?.setSelectionRange(end, end));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0) {
      event.preventDefault();
      if (!isOpen) setIsOpen(true);
      else setActive((active + move + options.length) % Math.max(1, options.length));
      return;
    }
    const option = options[active];
    if ((event.key === 'Enter' || event.key === 'Tab') && option) {
      event.preventDefault();
      choose(option.text);
      return;
    }
    if (event.key === 'Enter') setIsOpen(false);
    if (event.key === 'Escape') {
      if (isOpen) setIsOpen(false);
      else onChange('');
      setActive(-1);
    }
  };

  return (
    <div className={styles['field']}>
      <div className={styles['line']} data-invalid={fault !== undefined}>
        <Icon name="search" />
        <input
          ref={input}
          className={styles['input']}
          role="combobox"
          aria-label="Filter events"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-options`}
          aria-autocomplete="list"
          aria-activedescendant={options[active] ? `${id}-${active}` : undefined}
          aria-invalid={fault !== undefined}
          aria-describedby={fault ? `${id}-fault` : undefined}
          placeholder="type:tool.* status:error dur:>500ms"
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={(event) => {
            onChange(event.currentTarget.value);
            setOffset(event.currentTarget.selectionStart ?? 0);
            setIsOpen(true);
            setActive(-1);
          }}
          onSelect={follow}
          onFocus={() => {
            follow();
            setIsOpen(true);
          }}
          onBlur={() => setIsOpen(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={`${id}-options`}
        role="listbox"
        aria-label="Suggestions"
        className={styles['options']}
        hidden={options.length === 0}
      >
        {options.map(({ text, detail }, at) => (
          <div
            key={text}
            tabIndex={-1}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            className={styles['option']}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(text);
            }}
          >
            <b>{text}</b>
            <span>{detail}</span>
          </div>
        ))}
      </div>
      {fault && (
        <p id={`${id}-fault`} className={styles['fault']}>
          <code>
            {value.slice(0, fault.from)}
            <mark>{value.slice(fault.from, fault.to) || '␣'}</mark>
            {value.slice(fault.to)}
          </code>
          {fault.message}
          {fault.suggestion !== undefined && (
            <button
              type="button"
              onClick={() => onChange(value.slice(0, fault.from) + (fault.suggestion ?? '') + value.slice(fault.to))}
            >
              Write {fault.suggestion}
            </button>
          )}
        </p>
      )}
    </div>
  );
};
