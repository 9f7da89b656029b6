import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components/Select';
import { Icon } from './icon.tsx';
import styles from './select.module.css';
import field from './field.module.css';

export type Option<T extends string> = {
  readonly value: T;
  readonly label: string;
  /** What choosing it means. */
  readonly description?: string;
};

export type SelectProps<T extends string> = {
  readonly label: string;
  readonly options: readonly Option<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly description?: string;
};

/** One of a few, from a list that opens. */
export const Select = <T extends string>({ label, options, value, onChange, description }: SelectProps<T>) => (
  <AriaSelect
    className={field['field'] ?? ''}
    value={value}
    onChange={(key) => {
      const chosen = options.find((option) => option.value === key);
      if (chosen) onChange(chosen.value);
    }}
  >
    <Label className={field['label'] ?? ''}>{label}</Label>
    <Button className={styles['button'] ?? ''}>
      <SelectValue>{options.find((option) => option.value === value)?.label}</SelectValue>
      <Icon name="chevron-down" />
    </Button>
    {description !== undefined && (
      <Text slot="description" className={field['description'] ?? ''}>
        {description}
      </Text>
    )}
    <Popover className={styles['popover'] ?? ''} offset={4}>
      <ListBox className={styles['list'] ?? ''}>
        {options.map((option) => (
          <ListBoxItem key={option.value} id={option.value} textValue={option.label} className={styles['option'] ?? ''}>
            <Text slot="label">{option.label}</Text>
            {option.description !== undefined && (
              <Text slot="description" className={styles['about'] ?? ''}>
                {option.description}
              </Text>
            )}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  </AriaSelect>
);
