import type { Ref } from 'react';
import { Input, SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { FieldError, Label, Text, TextField as AriaTextField } from 'react-aria-components/TextField';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './text-field.module.css';
import field from './field.module.css';

export type TextFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What to write, or what it is for. */
  readonly description?: string;
  /** What is wrong with the value, and what would be right. */
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  /** For names, paths and anything that goes over the wire. */
  readonly isMono?: boolean;
  /** Shown as dots, and nothing the browser should remember. */
  readonly isSecret?: boolean;
};

export const TextField = ({
  label,
  value,
  onChange,
  description,
  error,
  autoFocus,
  isMono,
  isSecret,
}: TextFieldProps) => (
  <AriaTextField
    className={field['field'] ?? ''}
    value={value}
    onChange={onChange}
    isInvalid={error !== undefined}
    {...(autoFocus !== undefined && { autoFocus })}
    {...(isSecret === true && { type: 'password', autoComplete: 'off' })}
  >
    <Label className={field['label'] ?? ''}>{label}</Label>
    <Input className={styles['input'] ?? ''} data-mono={isMono} spellCheck={isMono ? 'false' : 'true'} />
    {description !== undefined && (
      <Text slot="description" className={field['description'] ?? ''}>
        {description}
      </Text>
    )}
    <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
  </AriaTextField>
);

export type SearchFieldProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
  /** The arrow down: into what was found. */
  readonly onDown?: () => void;
};

/** Escape clears it. */
export const SearchField = ({ label, placeholder, value, onChange, inputRef, onDown }: SearchFieldProps) => (
  <AriaSearchField
    className={styles['search'] ?? ''}
    aria-label={label}
    value={value}
    onChange={onChange}
    onKeyDown={(event) => {
      if (event.key === 'ArrowDown' && onDown) onDown();
      else event.continuePropagation();
    }}
  >
    <Icon name="search" />
    <Input className={styles['plain'] ?? ''} placeholder={placeholder} {...(inputRef && { ref: inputRef })} />
    {value !== '' && <IconButton label="Clear" icon="close" slot={null} onPress={() => onChange('')} />}
  </AriaSearchField>
);
