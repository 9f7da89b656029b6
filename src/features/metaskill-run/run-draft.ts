/** What was entered for the next run of a metaskill, as fields or as JSON. */
import { type Json, parseJson } from '../../base/json.ts';
import {
  exampleValues,
  type FieldFault,
  inputOfForm,
  readLimit,
  type RunForm,
  valuesOfInput,
} from '../../model/instruments/run-form.ts';

export type RunDraft = {
  readonly values: Readonly<Record<string, string>>;
  readonly raw: string;
  readonly isRaw: boolean;
  readonly asks: string;
  readonly commands: string;
};

/** What a run is started with. */
export type RunInput = {
  readonly input: Json;
  readonly max_ask_calls?: number;
  readonly max_command_calls?: number;
};

/** Names of fields that no input key can have. */
export const [RAW, ASKS, COMMANDS] = ['raw', ' asks', ' commands'];

export const newDraft = (form: RunForm): RunDraft => {
  const values = exampleValues(form);
  const input = inputOfForm(form, values);
  return {
    values,
    raw: JSON.stringify(input.ok ? input.value : {}, undefined, 2),
    isRaw: form.state === 'unknown',
    asks: '',
    commands: '',
  };
};

type Read = { readonly input?: Json; readonly faults: readonly FieldFault[] };

const readRaw = (raw: string): Read => {
  const input = parseJson(raw);
  return input.ok
    ? { input: input.value, faults: [] }
    : { faults: [{ name: RAW, message: 'The input isn’t valid JSON. Enter an object, such as {"key": …}.' }] };
};

const readFields = (form: RunForm, values: RunDraft['values']): Read => {
  const input = inputOfForm(form, values);
  return input.ok ? { input: input.value, faults: [] } : { faults: input.error };
};

const limitFault = (name: string): FieldFault => ({ name, message: 'Enter a whole number, or leave it blank.' });

/** The input of a run, or what is wrong in which field. */
export const readDraft = (
  form: RunForm,
  draft: RunDraft,
): { readonly run: RunInput } | { readonly faults: readonly FieldFault[] } => {
  const { input, faults: inInput } = draft.isRaw ? readRaw(draft.raw) : readFields(form, draft.values);
  const [asks, commands] = [readLimit(draft.asks), readLimit(draft.commands)];
  const faults = [
    ...inInput,
    ...(asks === 'fault' ? [limitFault(ASKS)] : []),
    ...(commands === 'fault' ? [limitFault(COMMANDS)] : []),
  ];
  if (input === undefined || faults.length > 0 || asks === 'fault' || commands === 'fault') return { faults };
  return {
    run: {
      input,
      ...(asks !== undefined && { max_ask_calls: asks }),
      ...(commands !== undefined && { max_command_calls: commands }),
    },
  };
};

/** With the input of an earlier run; as JSON where the form lacks one of its keys. */
export const withInput = (form: RunForm, input: Json | undefined): Partial<RunDraft> => {
  const values = valuesOfInput(form, input);
  return values && form.state === 'fields'
    ? { values, isRaw: false }
    : { raw: JSON.stringify(input ?? {}, undefined, 2), isRaw: true };
};
