import { useMemo } from 'react';
import {
  Button,
  ComboBox as AriaComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components/ComboBox';
import styles from './combo-box.module.css';
import field from './field.module.css';
import { Icon } from './icon.tsx';

export type ComboBoxProps = {
  readonly label: string;
  readonly options: readonly string[];
  readonly value: string;
  /** Called with an option, or with what was typed: a value that is not in the list is allowed. */
  readonly onChange: (value: string) => void;
  /** Called when the value is meant: chosen from the list, or left, or confirmed with Enter. */
  readonly onCommit?: (value: string) => void;
  /** What is known of an option, below it. */
  readonly describe?: (option: string) => string;
  readonly onFocus?: () => void;
};

/** One of many, found by typing, or a word of one's own: a model id, a host. */
export const ComboBox = ({ label, options, value, onChange, onCommit, describe, onFocus }: ComboBoxProps) => {
  // The list knows its rows by their objects: another description is another object.
  const items = useMemo(() => options.map((id) => ({ id, about: describe?.(id) })), [options, describe]);
  return (
    <AriaComboBox
      className={field['field'] ?? ''}
      allowsCustomValue
      inputValue={value}
      // The list opens at it.
      selectedKey={options.includes(value) ? value : null}
      onInputChange={onChange}
      onSelectionChange={(key) => {
        if (key === null) return;
        onChange(String(key));
        onCommit?.(String(key));
      }}
      onBlur={() => onCommit?.(value)}
      onKeyDown={(event) => {
        // With an option marked, Enter chooses it.
        const isMarked = event.target instanceof Element && event.target.hasAttribute('aria-activedescendant');
        if (event.key === 'Enter' && !isMarked) onCommit?.(value);
        event.continuePropagation();
      }}
      menuTrigger="input"
      {...(onFocus && { onFocus })}
      defaultItems={items}
    >
      <Label className={field['label'] ?? ''}>{label}</Label>
      <div className={styles['line']}>
        <Input className={styles['input'] ?? ''} spellCheck="false" />
        <Button className={styles['button'] ?? ''} aria-label={`Show ${label}`}>
          <Icon name="chevron-down" />
        </Button>
      </div>
      <Popover className={styles['popover'] ?? ''} offset={4}>
        <ListBox<{ id: string; about: string | undefined }> className={styles['list'] ?? ''}>
          {({ id, about }) => (
            <ListBoxItem id={id} textValue={id} className={styles['option'] ?? ''}>
              {id}
              {about !== undefined && <span className={styles['about']}>{about}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
};
