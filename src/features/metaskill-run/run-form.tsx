import { useId } from 'react';
import type { FieldFault, FormField, FormValues, RunForm } from '../../model/instruments/run-form.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './metaskill-run.module.css';

export type RunFormProps = {
  readonly form: RunForm;
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
  readonly faults: readonly FieldFault[];
};

export const TextArea = ({
  label,
  value,
  onChange,
  about,
  error,
  rows = 3,
  isMono = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly about?: string;
  readonly error?: string | undefined;
  readonly rows?: number;
  readonly isMono?: boolean;
}) => {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        style={{ minHeight: rows * 18 + 12 }}
        value={value}
        spellCheck={!isMono}
        data-mono={isMono}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-about`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p id={`${id}-about`} className={styles['about']}>
        {error === undefined ? about : <span className={styles['error']}>{error}</span>}
      </p>
    </div>
  );
};

const Field = ({
  field,
  value,
  error,
  onChange,
}: {
  readonly field: FormField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}) => {
  const label = `${field.name}${field.isOptional ? ' (optional)' : ''}`;
  if (field.type === 'boolean')
    return (
      <Select
        label={label}
        options={[
          { value: '', label: 'not set' },
          { value: 'true', label: 'true' },
          { value: 'false', label: 'false' },
        ]}
        value={value}
        onChange={onChange}
        {...(field.about !== '' && { description: field.about })}
      />
    );
  if (field.type === 'number')
    return <TextField label={label} value={value} onChange={onChange} description={field.about} error={error} isMono />;
  return (
    <TextArea
      label={label}
      value={value}
      onChange={onChange}
      about={field.about}
      error={error}
      rows={field.type === 'json' || value.length < 60 ? 2 : 3}
      isMono={field.type === 'json'}
    />
  );
};

/** A field for every input key that the skill documents. */
export const InputForm = ({ form, values, onChange, faults }: RunFormProps) => (
  <>
    {form.fields.map((field) => (
      <Field
        key={field.name}
        field={field}
        value={values[field.name] ?? ''}
        error={faults.find(({ name }) => name === field.name)?.message}
        onChange={(value) => onChange({ ...values, [field.name]: value })}
      />
    ))}
  </>
);
