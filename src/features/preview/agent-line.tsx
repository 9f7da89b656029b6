/** What an agent would put before its model of the skill as it is typed. */
import { useEffect, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { clientOf } from '../../model/clients/registry.ts';
import { CLIENT_IDS, type ClientId, type EntryState, type Listing } from '../../model/clients/types.ts';
import type { EditedLibrary } from '../../model/preview/edited.ts';
import { CodeText, SentenceWithCode } from '../../ui/code-text.tsx';
import { Select } from '../../ui/select.tsx';
import type { PreviewSettings } from './preview-settings.ts';
import styles from './seen-face.module.css';

const AGENTS = CLIENT_IDS.map((id) => ({ value: id, label: clientOf(id).label }));

const STATES: Readonly<Record<EntryState, string>> = {
  kept: 'lists it whole',
  cut: 'cuts its description',
  'name-only': 'lists its name alone',
  dropped: 'drops it',
  hidden: 'does not list it',
};

/** The chosen agent stays when another skill comes to the front. */
let lastAgent: ClientId = 'claude-code';

interface Known {
  readonly client: ClientId;
  /** Of which text. */
  readonly edited: EditedLibrary;
  readonly listing: Listing | undefined;
  readonly fault?: string;
}

const useAgent = (edited: EditedLibrary, client: ClientId, listing: PreviewSettings['listing']): Known | undefined => {
  const [known, setKnown] = useState<Known>();
  useEffect(() => {
    if (!listing) return undefined;
    let isHere = true;
    const ask = async (): Promise<void> => {
      const found = await listing(client).then(
        (value): Known => ({ client, edited, listing: value }),
        (thrown: unknown): Known => ({ client, edited, listing: undefined, fault: errorMessage(thrown) }),
      );
      if (isHere) setKnown(found);
    };
    void ask();
    return () => {
      isHere = false;
    };
  }, [edited, client, listing]);
  return known?.client === client ? known : undefined;
};

const Entry = ({ listing, edited }: { readonly listing: Listing; readonly edited: EditedLibrary }) => {
  const { item } = edited;
  const scope = item?.layer === 'user' ? 'user' : 'project';
  const entry = listing.entries.find((one) => one.path === item?.path && one.scope === scope);
  if (!entry) return <p role="status">{listing.label} doesn’t look in this folder.</p>;
  return (
    <>
      <p role="status">
        {listing.label} {STATES[entry.state]}.{' '}
        {entry.reason !== '' && <SentenceWithCode>{entry.reason}</SentenceWithCode>}
      </p>
      {entry.line !== '' && <CodeText block={`Line in ${listing.label}’s listing`}>{entry.line}</CodeText>}
    </>
  );
};

export const AgentLine = ({
  edited,
  listing,
}: {
  readonly edited: EditedLibrary;
  readonly listing: PreviewSettings['listing'];
}) => {
  const [client, setClient] = useState(lastAgent);
  const known = useAgent(edited, client, listing);
  if (!listing) return null;
  return (
    <section className={styles['agent']} aria-label="In an agent’s listing">
      <h3 className={styles['title']}>In an agent’s listing</h3>
      <Select
        label="Agent"
        options={AGENTS}
        value={client}
        onChange={(chosen) => {
          lastAgent = chosen;
          setClient(chosen);
        }}
      />
      {known?.fault !== undefined && <p role="status">Can’t read the folder: {known.fault}</p>}
      {known?.listing && <Entry listing={known.listing} edited={edited} />}
    </section>
  );
};
