import { inputOfForm } from '../../model/instruments/run-form.ts';
import type { HostSkill } from '../../model/metaskill/host-types.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import styles from './metaskill-run.module.css';
import { ASKS, COMMANDS, RAW, type RunDraft } from './run-draft.ts';
import { InputForm, TextArea } from './run-form.tsx';

export type RunStartProps = {
  readonly skills: readonly HostSkill[];
  readonly skill: HostSkill;
  readonly draft: RunDraft;
  /** Why the last start came to nothing. */
  readonly refusal: string | undefined;
  /** Asks again for what the last start was refused for. */
  readonly onTrust: (() => void) | undefined;
  readonly isRunning: boolean;
  readonly onSkill: (name: string) => void;
  readonly onStart: (stopsAtFirstLine: boolean) => void;
};

/** Which metaskill, with which input, within which limits. */
export const RunStart = (props: RunStartProps) => {
  const { skills, skill, draft: entered, refusal, isRunning, onTrust, onSkill, onStart } = props;
  const { form, draft, change, faults, faultOf } = entered;
  const forbidden =
    skill.refusal === undefined ? undefined : 'Your settings don’t allow this metaskill. Change them in Settings.';
  const reason = isRunning ? 'Something is running. Stop it, or wait for its end.' : forbidden;
  return (
    <div className={styles['form']}>
      <Select
        label="Metaskill"
        options={skills.map((item) => ({ value: item.name, label: item.name }))}
        value={skill.name}
        onChange={onSkill}
      />
      {form.state === 'none' && !draft.isRaw && <p className={styles['about']}>This metaskill takes no input.</p>}
      {draft.isRaw ? (
        <TextArea
          label="Input as JSON"
          value={draft.raw}
          onChange={(raw) => change({ raw })}
          error={faultOf(RAW)}
          about={form.state === 'unknown' ? 'SKILL.md documents no input keys, so there is no form.' : ''}
          rows={7}
          isMono
        />
      ) : (
        <InputForm form={form} values={draft.values} onChange={(values) => change({ values })} faults={faults} />
      )}
      <div className={styles['limits']}>
        <TextField
          label="Asks, at most"
          value={draft.asks}
          onChange={(asks) => change({ asks })}
          description="5 if empty"
          error={faultOf(ASKS)}
          isMono
        />
        <TextField
          label="Commands, at most"
          value={draft.commands}
          onChange={(commands) => change({ commands })}
          description="10 if empty"
          error={faultOf(COMMANDS)}
          isMono
        />
      </div>
      {refusal !== undefined && <p className={styles['failed']}>{refusal}</p>}
      {refusal !== undefined && onTrust && (
        <div className={styles['buttons']}>
          <Button onPress={onTrust}>Trust metaskill…</Button>
        </div>
      )}
      <div className={styles['buttons']}>
        <Button look="primary" disabledReason={reason} onPress={() => onStart(false)}>
          Run
        </Button>
        <Button tip="Runs, and stops before the first line" disabledReason={reason} onPress={() => onStart(true)}>
          Run and pause
        </Button>
        {form.state !== 'unknown' && (
          <ToggleChip
            isOn={draft.isRaw}
            onChange={(isRaw) => {
              const input = inputOfForm(form, draft.values);
              change({ isRaw, ...(isRaw && input.ok && { raw: JSON.stringify(input.value, undefined, 2) }) });
            }}
          >
            JSON
          </ToggleChip>
        )}
      </div>
    </div>
  );
};
