import { memo, useId } from 'react';
import type { CallState } from '../../model/session/state.ts';
import { Icon } from '../../ui/icon.tsx';
import { requestName, requestNumbers } from '../../model/instruments/request-names.ts';
import styles from './request-picker.module.css';

export type RequestPickerProps = {
  readonly label: string;
  readonly calls: readonly CallState[];
  readonly value: string;
  readonly onChange: (requestId: string) => void;
  /** Stands for no request at all. */
  readonly none?: string;
};

const Options = memo(function Options({ calls }: { readonly calls: readonly CallState[]; readonly count: number }) {
  const numbers = requestNumbers(calls);
  return calls.toReversed().map(({ requestId, model }) => (
    <option key={requestId} value={requestId}>
      {`${requestName(numbers.get(requestId) ?? '')} ${model}`}
    </option>
  ));
});

/** The browser's own list: a session may have hundreds of requests. */
export const RequestPicker = ({ label, calls, value, onChange, none }: RequestPickerProps) => {
  const id = useId();
  return (
    <div className={styles['picker']}>
      <label htmlFor={id}>{label}</label>
      <div className={styles['box']}>
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {none !== undefined && <option value="">{none}</option>}
          <Options calls={calls} count={calls.length} />
        </select>
        <Icon name="chevron-down" />
      </div>
    </div>
  );
};
