import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { changeWords } from '../../model/cache/forecast-words.ts';
import type { SessionSettings } from '../../model/event/catalog.ts';
import { CLIENT_IDS, CLIENT_LABELS } from '../../model/clients/types.ts';
import { DEFAULT_PERSONA } from '../../model/prompt/persona.ts';
import {
  draftOf,
  paddingReason,
  readDraft,
  type DraftErrors,
  type SettingsDraft,
} from '../../model/session-view/settings-form.ts';
import { BREAKPOINT_MODES, EFFORTS, TTLS } from '../../model/provider/types.ts';
import { builtinDefinitions, OPTIONAL_TOOLS } from '../../model/tool/definitions.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { ConnectionFields, SimulatorFields } from './connection-fields.tsx';
import type { SessionHost } from './host.ts';
import type { SessionUi } from './session-ui.ts';
import styles from './settings-dialog.module.css';
import { useSettings } from './use-session.ts';
import { DIALECT_HINT, POLICY_OPTIONS } from '../../model/session-view/start-options.ts';

export type SettingsDialogProps = {
  readonly store: SessionStore;
  readonly ui: SessionUi;
  readonly host: SessionHost;
  readonly onClose: () => void;
};

const MODES = {
  static: 'At the end of the tools and of the stable prompt. Every later request reads it.',
  rolling: 'A third one at the last message, so that the conversation is cached too.',
  automatic: 'The provider places it.',
  off: 'None: nothing is cached on request.',
} as const;

const TTL_OPTIONS = TTLS.map((ttl) => ({ value: ttl, label: ttl === '5m' ? '5 minutes' : '1 hour' }));

const Section = ({
  title,
  about,
  forecast,
  children,
}: {
  readonly title: string;
  readonly about: string;
  /** What the changes would do. */
  readonly forecast: string | undefined;
  readonly children: ReactNode;
}) => (
  <section className={styles['section']} aria-label={title}>
    <h3 className={styles['title']}>{title}</h3>
    <p className={styles['about']}>{about}</p>
    <div className={styles['fields']}>{children}</div>
    <p className={styles['forecast']} role="status">
      {forecast}
    </p>
  </section>
);

type FieldsProps = {
  readonly draft: SettingsDraft;
  readonly errors: DraftErrors;
  readonly set: (change: Partial<SettingsDraft>) => void;
};

const Figure = ({
  name,
  label,
  description,
  draft,
  errors,
  set,
}: FieldsProps & {
  readonly name: Exclude<keyof SettingsDraft, 'withoutTools'>;
  readonly label: string;
  readonly description?: string;
}) => (
  <TextField
    label={label}
    value={draft[name]}
    onChange={(value) => set({ [name]: value })}
    error={errors[name]}
    isMono
    {...(description !== undefined && { description })}
  />
);

const Ttl = ({
  name,
  label,
  draft,
  errors,
  set,
}: FieldsProps & { readonly name: 'ttlTools' | 'ttlSystem' | 'ttlMessages'; readonly label: string }) => (
  <div>
    <Choice label={label} options={TTL_OPTIONS} value={draft[name]} onChange={(value) => set({ [name]: value })} />
    {errors[name] !== undefined && (
      <p className={styles['error']} role="alert">
        {errors[name]}
      </p>
    )}
  </div>
);

const NowFields = (props: FieldsProps) => {
  const { draft, set } = props;
  return (
    <>
      <Select
        label="Breakpoints"
        options={BREAKPOINT_MODES.map((mode) => ({ value: mode, label: mode, description: MODES[mode] }))}
        value={draft.mode}
        onChange={(mode) => set({ mode })}
        description={MODES[draft.mode]}
      />
      <div className={styles['row']}>
        <Ttl {...props} name="ttlTools" label="Tools TTL" />
        <Ttl {...props} name="ttlSystem" label="Stable prompt TTL" />
        {draft.mode === 'rolling' && <Ttl {...props} name="ttlMessages" label="Messages TTL" />}
      </div>
      <div className={styles['row']}>
        <Select
          label="Thinking"
          options={[
            { value: 'default', label: "the model's own" },
            { value: 'off', label: 'off' },
            { value: 'adaptive', label: 'adaptive' },
            { value: 'budget', label: 'with a budget' },
          ]}
          value={draft.thinking}
          onChange={(thinking) => set({ thinking })}
        />
        {draft.thinking === 'budget' && <Figure {...props} name="thinkingTokens" label="Thinking tokens" />}
        <Select
          label="Effort"
          options={[
            { value: 'default', label: "the model's own" },
            ...EFFORTS.map((effort) => ({ value: effort, label: effort })),
          ]}
          value={draft.effort}
          onChange={(effort) => set({ effort })}
        />
        <Figure {...props} name="maxOutputTokens" label="Longest answer, tokens" />
      </div>
      <div className={styles['row']}>
        <Figure
          {...props}
          name="spendingLimit"
          label="Spending limit, USD"
          description="Of the session. Empty: none."
        />
        <Figure {...props} name="tokenLimit" label="Token limit" description="Of the session. Empty: none." />
      </div>
      <div className={styles['row']}>
        <Figure
          {...props}
          name="runSpendingLimit"
          label="Spending limit of a run, USD"
          description="Of one metaskill."
        />
        <Figure {...props} name="runTokenLimit" label="Token limit of a run" description="Of one metaskill." />
      </div>
    </>
  );
};

/** Which tools the model gets. Every one is part of the cached prefix. */
const ToolFields = ({ draft, set }: FieldsProps) => {
  const id = useId();
  const fixed = builtinDefinitions(draft.dialect).flatMap(({ name }) => (OPTIONAL_TOOLS.includes(name) ? [] : [name]));
  return (
    <div role="group" aria-labelledby={id}>
      <p className={styles['label']} id={id}>
        Tools
      </p>
      <div className={styles['tools']}>
        {OPTIONAL_TOOLS.map((name) => (
          <Toggle
            key={name}
            isOn={!draft.withoutTools.includes(name)}
            onChange={(isOn) =>
              set({
                withoutTools: isOn ? draft.withoutTools.filter((item) => item !== name) : [...draft.withoutTools, name],
              })
            }
          >
            {name}
          </Toggle>
        ))}
      </div>
      <p className={styles['about']}>
        Those that are off are not sent. {fixed.join(' and ')} always go with skills; run_metaskill follows the choice
        above.
      </p>
    </div>
  );
};

const LISTING_OPTIONS = [
  { value: 'own' as const, label: 'Lathe’s index' },
  ...CLIENT_IDS.map((id) => ({ value: id, label: CLIENT_LABELS[id] })),
];

const StartFields = ({ paddingWhy, ...props }: FieldsProps & { readonly paddingWhy: string }) => {
  const { draft, set } = props;
  const id = useId();
  return (
    <>
      <div className={styles['row']}>
        <Choice
          label="Dialect"
          options={[
            { value: 'metis', label: 'metis' },
            { value: 'agents', label: 'agents' },
          ]}
          value={draft.dialect}
          onChange={(dialect) => set({ dialect })}
          description={DIALECT_HINT}
        />
        <Select
          label="Listing of skills"
          options={LISTING_OPTIONS}
          value={draft.listing}
          onChange={(listing) => set({ listing })}
          description="The model sees this agent’s listing in place of the index. Skills still load from where sessions look."
        />
        <Choice
          label="Allowed metaskills"
          options={POLICY_OPTIONS}
          value={draft.policy}
          onChange={(policy) => set({ policy })}
        />
      </div>
      <Choice
        label="Padding"
        options={[
          { value: 'default', label: 'default' },
          { value: 'spec', label: 'spec' },
          { value: 'model', label: 'model' },
          { value: 'off', label: 'off' },
        ]}
        value={draft.padding}
        onChange={(padding) => set({ padding })}
        description={paddingWhy}
      />
      <div>
        <label className={styles['label']} htmlFor={id}>
          Persona
        </label>
        <textarea
          id={id}
          className={styles['persona']}
          rows={3}
          placeholder={DEFAULT_PERSONA}
          value={draft.persona}
          onChange={({ currentTarget }) => set({ persona: currentTarget.value })}
        />
        <p className={styles['about']}>The first words of the stable prompt. Empty: Lathe’s own.</p>
      </div>
      <div className={styles['row']}>
        <Figure {...props} name="maxCalls" label="Calls in one turn" />
        <Figure
          {...props}
          name="turnSeconds"
          label="Turn timeout (seconds)"
          description="Time in which you decide does not count."
        />
        <Figure
          {...props}
          name="runSeconds"
          label="Seconds of a metaskill"
          description="Nested asks count; a pause does not."
        />
      </div>
      <ToolFields {...props} />
    </>
  );
};

/** What the draft would do, in words; nothing where it changes nothing or cannot be read yet. */
const useForecast = (store: SessionStore, draft: SettingsDraft, settings: SessionSettings) => {
  const [words, setWords] = useState<{ readonly next?: string; readonly start?: string }>({});
  const first = useRef(draft);
  useEffect(() => {
    const read = readDraft(draft, settings);
    if (!read.ok || draft === first.current) {
      setWords({});
      return undefined;
    }
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const said = await store.compareSettings(read.settings, read.start).catch(() => undefined);
      if (!isWanted) return;
      const hasSettings = JSON.stringify(read.settings) !== JSON.stringify(settings);
      setWords({
        ...(hasSettings && said?.next && { next: changeWords(said.next, 'The next request') }),
        ...(said && { start: changeWords(said.start, 'The first request of a new session') }),
      });
    };
    // Somebody may still be typing.
    const timer = setTimeout(() => void ask(), 200);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [store, draft, settings]);
  return words;
};

/** Everything that a session is started with, and what may change while it runs. */
export const SettingsDialog = ({ store, ui, host, onClose }: SettingsDialogProps) => {
  const settings = useSettings(store);
  const next = useStore(store, (state) => state.next);
  const enterSends = useStore(ui, (state) => state.enterSends);
  const [draft, setDraft] = useState(() => draftOf(settings, next));
  const [errors, setErrors] = useState<DraftErrors>({});
  const hasSession = store.session() !== undefined;
  const set = (change: Partial<SettingsDraft>): void => setDraft({ ...draft, ...change });

  const apply = (): void => {
    const read = readDraft(draft, settings);
    if (!read.ok) {
      setErrors(read.errors);
      return;
    }
    if (JSON.stringify(read.settings) !== JSON.stringify(settings)) store.replaceSettings(read.settings);
    const { padding: _padding, persona: _persona, ...rest } = store.getState().next;
    store.configure({ ...rest, ...read.start, settings: read.settings });
    onClose();
  };
  const fields = { draft, errors, set };
  const forecast = useForecast(store, draft, settings);

  return (
    <Dialog
      title="Session settings"
      isOpen
      onClose={onClose}
      size="large"
      footer={
        <>
          {Object.keys(errors).length > 0 && <p className={styles['error']}>Something above is not right yet.</p>}
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" onPress={apply}>
            Apply
          </Button>
        </>
      }
    >
      <div className={styles['content']}>
        {settings.provider === 'simulator' ? (
          <SimulatorFields host={host} />
        ) : (
          <ConnectionFields
            key={settings.provider}
            provider={settings.provider}
            host={host}
            onKeys={() => ui.show({ kind: 'keys' })}
          />
        )}
        <Section
          title="From the next request"
          forecast={forecast.next}
          about={
            hasSession
              ? 'A change holds from the next request on, and is marked in the transcript.'
              : 'May also be changed while a session runs.'
          }
        >
          <NowFields {...fields} />
        </Section>
        <Section
          title="From the next session"
          forecast={forecast.start}
          about={
            hasSession
              ? 'Fixed when a session starts: a change holds from the next session on.'
              : 'Fixed when a session starts.'
          }
        >
          <StartFields {...fields} paddingWhy={paddingReason(draft.padding, settings)} />
        </Section>
        <Toggle isOn={enterSends} onChange={ui.setEnterSends}>
          Enter sends the message
        </Toggle>
      </div>
    </Dialog>
  );
};
