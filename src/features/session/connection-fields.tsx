import { useEffect, useState } from 'react';
import { FAULT_KINDS, type FaultKind } from '../../model/simulator/types.ts';
import { providerLabel, WIRE_WORDS } from '../../model/session-view/providers.ts';
import { WIRES, type Wire } from '../../model/provider/types.ts';
import type { KeyProvider } from '../../platform/runtime/key-ring.ts';
import type { SessionServices } from '../../platform/runtime/session-services.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './connection-fields.module.css';
import type { SessionNeeds } from './needs.ts';
import { type Loaded, useOutside, useServices } from './use-session.ts';

export type ConnectionFieldsProps = {
  readonly provider: KeyProvider;
  readonly needs: SessionNeeds;
  readonly onKeys: () => void;
};

const ADDRESSES: Readonly<Record<KeyProvider, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  compatible: 'http://localhost:11434/v1',
};

const PLACES = {
  none: 'No API key yet.',
  memory: 'Lathe holds the key in memory until you close the page.',
  vault: 'The key is saved in this browser, encrypted.',
} as const;

const urlError = (text: string): string | undefined => {
  if (text.trim() === '') return undefined;
  if (!/^https?:\/\//.test(text.trim())) return 'Start with https:// or http://.';
  return URL.canParse(text.trim()) ? undefined : 'Enter a valid URL.';
};

const Fields = ({
  provider,
  services,
  onKeys,
}: Omit<ConnectionFieldsProps, 'needs'> & { readonly services: SessionServices }) => {
  const { keys, connections } = services;
  const facts = useOutside(keys, keys.facts);
  const connection = useOutside(connections, () => connections.get(provider));
  const [baseUrl, setBaseUrl] = useState(connection.baseUrl ?? '');
  const error = urlError(baseUrl);
  return (
    <>
      <div className={styles['key']}>
        <p>
          {facts.places[provider] === 'none' && facts.vault === 'locked'
            ? 'Your saved keys are locked.'
            : PLACES[facts.places[provider]]}
        </p>
        <Button onPress={onKeys}>Keys…</Button>
      </div>
      <TextField
        label="Base URL"
        value={baseUrl}
        onChange={(text) => {
          setBaseUrl(text);
          if (urlError(text) === undefined) connections.set(provider, { ...connection, baseUrl: text });
        }}
        error={error}
        isMono
        description={`Default: ${ADDRESSES[provider]}${provider === 'compatible' ? ' (Ollama)' : ''}. Lathe remembers the URL, never the key.`}
      />
      {provider === 'compatible' && (
        <Select
          label="Wire"
          options={WIRES.map((wire) => ({ value: wire, label: WIRE_WORDS[wire] }))}
          value={connection.wire ?? 'openai-chat'}
          onChange={(wire: Wire) => connections.set(provider, { ...connection, wire })}
          description="The API that the server uses."
        />
      )}
    </>
  );
};

const waitWords = (state: Loaded<SessionServices>): string =>
  state.status === 'failed' ? `Can’t load this: ${state.reason}` : 'Loading…';

const useLoaded = (needs: SessionNeeds): Loaded<SessionServices> => {
  const [services, ask] = useServices(needs.services);
  useEffect(() => {
    if (services.status === 'none') ask();
  });
  return services;
};

/** How a real provider is reached. */
export const ConnectionFields = ({ provider, needs, onKeys }: ConnectionFieldsProps) => {
  const services = useLoaded(needs);
  return (
    <section className={styles['section']} aria-label="Connection">
      <h3 className={styles['title']}>{providerLabel(provider)}</h3>
      {services.status === 'ready' ? (
        <Fields provider={provider} services={services.value} onKeys={onKeys} />
      ) : (
        <p>{waitWords(services)}</p>
      )}
    </section>
  );
};

const FAULT_WORDS: Readonly<Record<FaultKind, string>> = {
  rate_limit: 'too many requests (429)',
  overloaded: 'overloaded (529)',
  server_error: 'a server error (500)',
  cut: 'a broken connection',
  stream_error: 'an error in the stream',
  slow: 'a very slow response',
  hang: 'no response',
  refusal: 'a refusal',
  malformed_tool_input: "a tool input that isn't JSON",
  malformed_sse: 'a broken event',
  truncated_json: 'a truncated body',
  unknown_block: 'an unknown block',
};

const FaultFields = ({ services }: { readonly services: SessionServices }) => {
  const [fault, setFault] = useState<'none' | FaultKind>('none');
  const [times, setTimes] = useState<'1' | '2' | '3' | '9'>('1');
  const order = (kind: 'none' | FaultKind, count: string): void =>
    services.orderFaults(kind === 'none' ? undefined : kind, Number(count));
  return (
    <div className={styles['row']}>
      <Select
        label="Simulated failures"
        options={[
          { value: 'none', label: 'no' },
          ...FAULT_KINDS.map((kind) => ({ value: kind, label: FAULT_WORDS[kind] })),
        ]}
        value={fault}
        onChange={(kind) => {
          setFault(kind);
          order(kind, times);
        }}
        description="Makes the simulator’s next responses fail."
      />
      <Select
        label="Repeat"
        options={[
          { value: '1', label: 'once' },
          { value: '2', label: 'twice' },
          { value: '3', label: 'three times, so retries run out' },
          { value: '9', label: 'nine times' },
        ]}
        value={times}
        onChange={(count) => {
          setTimes(count);
          order(fault, count);
        }}
      />
    </div>
  );
};

/** What can be set of the simulator. */
export const SimulatorFields = ({ needs }: { readonly needs: SessionNeeds }) => {
  const services = useLoaded(needs);
  return (
    <section className={styles['section']} aria-label="Simulator">
      <h3 className={styles['title']}>Simulator</h3>
      {services.status === 'ready' ? <FaultFields services={services.value} /> : <p>{waitWords(services)}</p>}
    </section>
  );
};
