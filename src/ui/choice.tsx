import { Label, Radio, RadioGroup, Text } from 'react-aria-components/RadioGroup';
import styles from './choice.module.css';
import field from './field.module.css';

export type ChoiceProps<T extends string> = {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly description?: string;
};

/** One of two to four short words, all of them in view. */
export const Choice = <T extends string>({ label, options, value, onChange, description }: ChoiceProps<T>) => (
  <RadioGroup
    className={field['field'] ?? ''}
    orientation="horizontal"
    value={value}
    onChange={(chosen) => {
      const option = options.find((item) => item.value === chosen);
      if (option) onChange(option.value);
    }}
  >
    <Label className={field['label'] ?? ''}>{label}</Label>
    <div className={styles['line']}>
      {options.map((option) => (
        <Radio key={option.value} value={option.value} className={styles['option'] ?? ''}>
          {option.label}
        </Radio>
      ))}
    </div>
    {description !== undefined && (
      <Text slot="description" className={field['description'] ?? ''}>
        {description}
      </Text>
    )}
  </RadioGroup>
);
