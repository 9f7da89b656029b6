import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { changeWords } from '../../model/cache/forecast-words.ts';
import type { SessionSettings as SessionSettingsValue } from '../../model/event/catalog.ts';
import { CLIENT_IDS, CLIENT_LABELS } from '../../model/clients/types.ts';
import { DEFAULT_PERSONA } from '../../model/prompt/persona.ts';
import {
  draftOf,
  paddingReason,
  readDraft,
  type DraftErrors,
  type SettingsDraft,
  type StartChoices,
} from '../../model/session-view/settings-form.ts';
import { BREAKPOINT_MODES, EFFORTS, TTLS } from '../../model/provider/types.ts';
import { builtinDefinitions, OPTIONAL_TOOLS } from '../../model/tool/definitions.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { ConnectionFields, SimulatorFields } from './connection-fields.tsx';
import type { SessionNeeds } from './needs.ts';
import type { SessionUi } from './session-ui.ts';
import styles from './session-settings.module.css';
import { useSettings } from './use-session.ts';

export type SessionSettingsProps = {
  readonly store: SessionStore;
  readonly ui: SessionUi;
  readonly needs: SessionNeeds;
};

const MODES = {
  static: 'After the tools and after the stable prompt. Every later request reads from there.',
  rolling: 'Also at the last message, so the conversation is cached too.',
  automatic: 'The provider places the breakpoints.',
  off: 'No breakpoints. Lathe doesn’t request caching.',
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
            { value: 'default', label: 'model default' },
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
            { value: 'default', label: 'model default' },
            ...EFFORTS.map((effort) => ({ value: effort, label: effort })),
          ]}
          value={draft.effort}
          onChange={(effort) => set({ effort })}
        />
        <Figure {...props} name="maxOutputTokens" label="Max output tokens" />
      </div>
      <div className={styles['row']}>
        <Figure
          {...props}
          name="spendingLimit"
          label="Spending limit, USD"
          description="Per session. Leave blank for no limit."
        />
        <Figure {...props} name="tokenLimit" label="Token limit" description="Per session. Leave blank for no limit." />
      </div>
      <div className={styles['row']}>
        <Figure {...props} name="runSpendingLimit" label="Run spending limit, USD" description="Per metaskill run." />
        <Figure {...props} name="runTokenLimit" label="Run token limit" description="Per metaskill run." />
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
        Lathe sends only selected tools. It always sends {fixed.join(' and ')} with skills. Allowed metaskills controls
        run_metaskill.
      </p>
    </div>
  );
};

const LISTING_OPTIONS = [
  { value: 'own' as const, label: 'Lathe’s index' },
  ...CLIENT_IDS.map((id) => ({ value: id, label: CLIENT_LABELS[id] })),
];

const StartFields = (props: FieldsProps) => {
  const { draft, set } = props;
  const id = useId();
  return (
    <>
      <div className={styles['row']}>
        <Select
          label="Skill listing"
          options={LISTING_OPTIONS}
          value={draft.listing}
          onChange={(listing) => set({ listing })}
          description="The model sees this agent’s listing instead of Lathe’s index."
        />
      </div>
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
        <p className={styles['about']}>The start of the stable prompt. Leave blank for Lathe’s default.</p>
      </div>
      <div className={styles['row']}>
        <Figure {...props} name="maxCalls" label="Max requests per turn" />
        <Figure
          {...props}
          name="turnSeconds"
          label="Turn timeout (seconds)"
          description="Excludes time spent waiting for your approval."
        />
        <Figure
          {...props}
          name="runSeconds"
          label="Metaskill timeout (seconds)"
          description="Includes nested `ask` calls. Excludes pauses."
        />
      </div>
      <ToolFields {...props} />
    </>
  );
};

/** What the draft would do, in words; nothing where it changes nothing or cannot be read yet. */
const useForecast = (store: SessionStore, draft: SettingsDraft, settings: SessionSettingsValue) => {
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

/** Everything that a session is started with, and what may change while it runs. Dialect, padding and policy are kept for all sessions. */
export const SessionSettings = (props: SessionSettingsProps) => {
  const settings = useSettings(props.store);
  const next = useStore(props.store, (state) => state.next);
  const [said, setSaid] = useState('');
  return (
    <>
      {/* Another model, or settings that were applied, are other settings: their fields start again. */}
      <Form
        {...props}
        key={JSON.stringify([settings, next])}
        settings={settings}
        next={next}
        onApplied={() => setSaid('Applied.')}
      />
      <p className={styles['forecast']} role="status">
        {said}
      </p>
    </>
  );
};

type FormProps = SessionSettingsProps & {
  readonly settings: SessionSettingsValue;
  readonly next: StartChoices & { readonly settings: SessionSettingsValue };
  readonly onApplied: () => void;
};

const Form = ({ store, ui, needs, settings, next, onApplied }: FormProps) => {
  const [saved] = useState(() => draftOf(settings, next));
  const [draft, setDraft] = useState(saved);
  const [errors, setErrors] = useState<DraftErrors>({});
  const hasSession = store.session() !== undefined;
  const set = (change: Partial<SettingsDraft>): void => setDraft({ ...draft, ...change });
  const isSame = JSON.stringify(draft) === JSON.stringify(saved);

  const apply = (): void => {
    const read = readDraft(draft, settings);
    if (!read.ok) {
      setErrors(read.errors);
      return;
    }
    onApplied();
    setErrors({});
    if (JSON.stringify(read.settings) !== JSON.stringify(settings)) store.replaceSettings(read.settings);
    // What is left out goes back to its default.
    store.configure({ persona: undefined, listing: undefined, ...read.start, settings: read.settings });
  };
  const fields = { draft, errors, set };
  const forecast = useForecast(store, draft, settings);

  return (
    <div className={styles['content']}>
      {settings.provider === 'simulator' ? (
        <SimulatorFields needs={needs} />
      ) : (
        <ConnectionFields
          key={settings.provider}
          provider={settings.provider}
          needs={needs}
          onKeys={() => ui.show({ kind: 'keys' })}
        />
      )}
      <Section
        title="From the next request"
        forecast={forecast.next}
        about={
          hasSession
            ? 'The transcript marks a change. It applies from the next request.'
            : 'You can also change these while a session runs.'
        }
      >
        <NowFields {...fields} />
      </Section>
      <Section
        title="From the next session"
        forecast={forecast.start}
        about={`Fixed when a session starts. ${paddingReason(draft.padding, settings)}`}
      >
        <StartFields {...fields} />
      </Section>
      <div className={styles['end']}>
        {Object.keys(errors).length > 0 && <p className={styles['error']}>Fix the fields marked above.</p>}
        <Button
          onPress={() => {
            setDraft(saved);
            setErrors({});
          }}
          disabledReason={isSame ? 'No changes yet.' : undefined}
        >
          Discard
        </Button>
        <Button look="primary" onPress={apply} disabledReason={isSame ? 'No changes yet.' : undefined}>
          Apply
        </Button>
      </div>
    </div>
  );
};
