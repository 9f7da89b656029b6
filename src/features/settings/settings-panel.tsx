import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { clientOf } from '../../model/clients/registry.ts';
import { CLIENT_IDS } from '../../model/clients/types.ts';
import type { Settings, SettingsStore } from '../../stores/settings-store.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Select, type Option } from '../../ui/select.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { type MyData, MyDataSection } from './my-data.tsx';
import styles from './settings-panel.module.css';
import { DIALECT_HINT, POLICY_OPTIONS } from '../../model/session-view/start-options.ts';

export type SettingsPanelProps = {
  readonly store: SettingsStore;
  /** What sessions send and may spend; it comes with the folder. */
  readonly session?: ReactNode;
  /** Theme and density, which the shell keeps. */
  readonly appearance: ReactNode;
  readonly data: MyData;
  /** Which key sends a message; it comes with the folder. */
  readonly keys?: ReactNode;
  /** Where skills come from beside the folder; it comes with the folder. */
  readonly sources?: ReactNode;
  /** External metaskills that may run, likewise. */
  readonly trusted?: ReactNode;
};

const PADDING = [
  {
    value: 'spec',
    label: '4,500 to 5,500 tokens',
    description: 'Enough for every model. The simulator’s default.',
  },
  {
    value: 'model',
    label: 'Match the model',
    description: 'Slightly above the model’s cache floor.',
  },
  { value: 'off', label: 'Off', description: 'No padding, so a short prefix isn’t cached.' },
] as const;

/** Whose rules can be shown: agents by the names that people know. */
const JUDGES: readonly Option<Settings['judge']>[] = [
  { value: 'session', label: 'Sessions of Lathe', description: 'The profile above.' },
  ...CLIENT_IDS.filter((id) => id !== 'metis').map((id) => ({ value: id, label: clientOf(id).label })),
  { value: 'claude-upload', label: 'Claude upload', description: 'Claude’s API and claude.ai.' },
  { value: 'strict', label: 'Reference validator', description: 'skills-ref, the validator of agentskills.io.' },
];

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles['section']} aria-label={title}>
    <h3 className={styles['title']}>{title}</h3>
    {children}
  </section>
);

export const SettingsPanel = ({ store, session, appearance, data, keys, sources, trusted }: SettingsPanelProps) => {
  const settings = useStore(store, (state) => state.settings);
  const storageProblem = useStore(store, (state) => state.storageProblem);
  const change =
    <K extends keyof Settings>(name: K) =>
    (value: Settings[K]): void =>
      store.set({ [name]: value });
  return (
    <div className={styles['settings']}>
      {storageProblem !== undefined && (
        <p className={styles['problem']} role="status">
          This browser can’t save settings for this page ({storageProblem}). They apply until you close the page.
        </p>
      )}
      <div className={styles['column']}>
        <h2 className={styles['lead']}>Sessions</h2>
        <Section title="New sessions">
          <div className={styles['row']}>
            <Select
              label="Dialect"
              description={DIALECT_HINT}
              options={[
                {
                  value: 'metis',
                  label: 'metis',
                  description: 'Tools skill_search and skill_load. Bodies can be preloaded.',
                },
                { value: 'agents', label: 'agents', description: 'One tool, skill. Bodies are never preloaded.' },
              ]}
              value={settings.dialect}
              onChange={change('dialect')}
            />
            <Select
              label="Padding with the simulator"
              options={PADDING}
              value={settings.simulatorPadding}
              onChange={change('simulatorPadding')}
            />
            <Select
              label="Padding with a provider"
              options={PADDING}
              value={settings.providerPadding}
              onChange={change('providerPadding')}
            />
          </div>
        </Section>
        {session}
      </div>
      <div className={styles['column']}>
        <h2 className={styles['lead']}>App</h2>
        <Section title="Appearance">{appearance}</Section>
        <Section title="Skills">
          <Select
            label="Profile"
            description="Decides which skills a session loads. Other profiles only report problems."
            options={[
              { value: 'standard', label: 'standard', description: 'agentskills.io, with the fields of metaskills.' },
              { value: 'metis', label: 'metis', description: 'Metis messages and YAML 1.1.' },
              { value: 'metaskill', label: 'metaskill', description: 'A strict reading of the metaskill format.' },
            ]}
            value={settings.profile}
            onChange={change('profile')}
          />
          <Select
            label="Show problems for"
            description="Whose rules Problems, the Library, and the editor apply. What a session loads stays the same."
            options={JUDGES}
            value={settings.judge}
            onChange={change('judge')}
          />
          <Choice
            label="Allowed metaskills"
            options={POLICY_OPTIONS}
            value={settings.metaskillPolicy}
            onChange={change('metaskillPolicy')}
            description="A metaskill is a skill with a program. Loading a skill never runs it."
          />
        </Section>
        {trusted !== undefined && <Section title="Trusted metaskills">{trusted}</Section>}
        {sources !== undefined && <Section title="Skill sources">{sources}</Section>}
        <Section title="Writing">
          <Toggle isOn={settings.appliesWrites} onChange={change('appliesWrites')}>
            Write files without asking
          </Toggle>
          <p className={styles['note']}>
            {settings.appliesWrites
              ? 'Agents write to your folder immediately.'
              : 'Agent changes wait in Changes until you apply them.'}
          </p>
          {keys}
        </Section>
        <Section title="My data">
          <MyDataSection data={data} />
        </Section>
        <div className={styles['end']}>
          <Button look="quiet" onPress={store.reset}>
            Reset to defaults
          </Button>
          <p className={styles['small']}>Resets dialect, padding, both profiles, allowed metaskills, and writing.</p>
        </div>
      </div>
    </div>
  );
};
