import { useMemo, useState } from 'react';
import type { Json } from '../../base/json.ts';
import { parseJson } from '../../base/json.ts';
import {
  exampleValues,
  type FieldFault,
  inputOfForm,
  readLimit,
  type RunForm,
  runForm,
  valuesOfInput,
} from '../../model/instruments/run-form.ts';
import type { HostSkill } from '../../model/metaskill/host-types.ts';

/** What was entered for the next run of one metaskill. */
export type Draft = {
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

/** The draft of one metaskill, and what can be done with it. */
export type RunDraft = {
  readonly form: RunForm;
  readonly draft: Draft;
  readonly change: (edit: Partial<Draft>) => void;
  /** What is wrong in a field: the name of an input key, `raw`, or one of the limits. */
  readonly faultOf: (field: string) => string | undefined;
  readonly faults: readonly FieldFault[];
  /** Nothing if a field has a fault, which is shown from then on. */
  readonly read: () => RunInput | undefined;
  /** Enters the input of an earlier run. */
  readonly take: (input: Json | undefined) => void;
};

/** Names of fields that no input key can have. */
export const [RAW, ASKS, COMMANDS] = ['raw', ' asks', ' commands'];

const draftFor = (form: RunForm): Draft => {
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
    : { faults: [{ name: RAW, message: 'This is not JSON. An input is an object: {"key": …}.' }] };
};

const readFields = (form: RunForm, values: Draft['values']): Read => {
  const input = inputOfForm(form, values);
  return input.ok ? { input: input.value, faults: [] } : { faults: input.error };
};

/** One draft for each metaskill, so that going to another one and back loses nothing. */
export const useRunDraft = (skill: HostSkill | undefined): RunDraft => {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [told, setTold] = useState<{ readonly skill: string; readonly faults: readonly FieldFault[] }>();

  const of = skill?.name ?? '';
  const form = useMemo(() => runForm(skill?.body ?? ''), [skill]);
  const draft = drafts[of] ?? draftFor(form);
  const faults = told?.skill === of ? told.faults : [];
  const change = (edit: Partial<Draft>): void => {
    setTold(undefined);
    setDrafts({ ...drafts, [of]: { ...draft, ...edit } });
  };
  return {
    form,
    draft,
    change,
    faults,
    faultOf: (field) => faults.find(({ name }) => name === field)?.message,
    read: () => {
      const { input, faults: inInput } = draft.isRaw ? readRaw(draft.raw) : readFields(form, draft.values);
      const [asks, commands] = [readLimit(draft.asks), readLimit(draft.commands)];
      const limitFault = (name: string): FieldFault => ({ name, message: 'A whole number, or nothing.' });
      const found = [
        ...inInput,
        ...(asks === 'fault' ? [limitFault(ASKS)] : []),
        ...(commands === 'fault' ? [limitFault(COMMANDS)] : []),
      ];
      setTold({ skill: of, faults: found });
      if (input === undefined || found.length > 0 || asks === 'fault' || commands === 'fault') return undefined;
      return {
        input,
        ...(asks !== undefined && { max_ask_calls: asks }),
        ...(commands !== undefined && { max_command_calls: commands }),
      };
    },
    take: (input) => {
      const values = valuesOfInput(form, input);
      change(
        values && form.state === 'fields'
          ? { values, isRaw: false }
          : { raw: JSON.stringify(input ?? {}, undefined, 2), isRaw: true },
      );
    },
  };
};
