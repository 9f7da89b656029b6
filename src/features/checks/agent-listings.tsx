/** What an agent would put before its model of the skills in the open folder: the answer, the room, what to trim, and the exact text. */
import { useRef, useState } from 'react';
import { groupDigits, plural } from '../../base/text.ts';
import { clientOf } from '../../model/clients/registry.ts';
import { readUsage } from '../../model/clients/settings.ts';
import { countStates, planTrims } from '../../model/clients/trim.ts';
import {
  CLIENT_IDS,
  type ClientId,
  type Fact,
  type Listing,
  type ListingEntry,
  type Usage,
} from '../../model/clients/types.ts';
import { budgetWords, trimWords, verdictOf } from '../../model/clients/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText, SentenceWithCode } from '../../ui/code-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './agent-listings.module.css';
import { useListing, type Asked, type ListingSource } from './use-listing.ts';

/** More rows than these say nothing more. */
const MOST_ROWS = 200;

const STATES: Readonly<Record<ListingEntry['state'], string>> = {
  kept: 'whole',
  cut: 'cut',
  'name-only': 'name only',
  dropped: 'dropped',
  hidden: 'not listed',
};

const CLIENT_OPTIONS = CLIENT_IDS.map((id) => ({ value: id, label: clientOf(id).label }));

const sourceWords = ({ source }: Fact): string => {
  switch (source.kind) {
    case 'measured':
      return `measured, ${source.version}`;
    case 'code':
      return `read in the code, ${source.commit}`;
    case 'documentation':
      return `documentation, ${source.url}`;
    case 'unknown':
      return 'unknown';
  }
};

const Budget = ({ listing: { budget, label } }: { readonly listing: Listing }) => (
  <>
    {budget?.limit !== undefined && (
      <ProgressBar
        label={`Room in ${label}’s listing:`}
        done={budget.wanted}
        total={budget.limit}
        format={(figure) => `${groupDigits(figure)} ${budget.unit}`}
      />
    )}
    <p className={styles['note']}>
      <SentenceWithCode>{budgetWords(budget)}</SentenceWithCode>
    </p>
  </>
);

type OpenPath = (path: string) => void;

const Trim = ({ listing, open }: { readonly listing: Listing; readonly open: OpenPath }) => {
  const words = trimWords(listing);
  const { edits, hides, over } = planTrims(listing);
  if (words === '') return null;
  const rows: readonly { readonly name: string; readonly path: string; readonly by?: number; readonly to?: number }[] =
    over > 0 ? hides : edits;
  return (
    <section aria-label="What to trim" className={styles['part']}>
      <p className={styles['do']}>{words}</p>
      <ul className={styles['edits']}>
        {rows.slice(0, MOST_ROWS).map(({ path, name, by, to }) => (
          <li key={path}>
            <span>
              <b>{name}</b>:{' '}
              {by === undefined || to === undefined
                ? 'hide'
                : `${plural(by, 'character')} less, ${groupDigits(to)} left`}
            </span>
            <Button look="quiet" onPress={() => open(path)}>
              Open {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** What one edit buys: the listing with a shorter description beside the one that is. */
const WhatIf = ({
  listing,
  source,
  asked,
  now,
}: {
  readonly listing: Listing;
  readonly source: ListingSource;
  readonly asked: Asked;
  readonly now: () => number;
}) => {
  const listed = listing.entries.filter(({ state, whole }) => state !== 'hidden' && whole !== '');
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('100');
  const entry = listed.find(({ path }) => path === chosen) ?? listed.toSorted((a, b) => b.cost - a.cost)[0];
  const by = Math.max(0, Math.floor(Number(typed)) || 0);
  // Several skills may have one name.
  const path = entry?.path ?? '';
  const { listing: after } = useListing(source, { ...asked, trimmed: path, by }, now);
  if (!entry || listing.budget?.limit === undefined) return null;
  const more = after ? countStates(after).kept - countStates(listing).kept : 0;
  return (
    <section aria-label="What an edit buys" className={styles['part']}>
      <div className={styles['form']}>
        <Select
          label="Trim the description of"
          value={path}
          onChange={setChosen}
          options={listed.map((one) => ({ value: one.path, label: one.name }))}
        />
        <TextField label="by characters" value={typed} onChange={setTyped} />
      </div>
      <p role="status">
        {more > 0
          ? `Then ${plural(more, 'more description')} ${more === 1 ? 'is' : 'are'} whole.`
          : 'That alone doesn’t make more descriptions whole.'}
      </p>
    </section>
  );
};

/** The column is narrow: what explains a cell is below it. */
const nameCell = ({ name, path, scope }: ListingEntry) => (
  <>
    {name}
    <code className={styles['where']} title={path}>
      {scope === 'user' ? `~/${path}` : path}
    </code>
  </>
);
const stateCell = ({ state, reason }: ListingEntry) => (
  <>
    {STATES[state]}
    {reason !== '' && (
      <span className={styles['why']}>
        <SentenceWithCode>{reason}</SentenceWithCode>
      </span>
    )}
  </>
);

const Entries = ({ listing, open }: { readonly listing: Listing; readonly open: OpenPath }) => (
  <DataTable
    label="Entries"
    rows={listing.entries.slice(0, MOST_ROWS)}
    rowKey={({ scope, path }) => `${scope} ${path}`}
    onSelect={({ path, scope }) => {
      if (scope === 'project') open(path);
    }}
    columns={[
      { id: 'name', header: 'Skill', cell: nameCell },
      { id: 'state', header: 'State', cell: stateCell },
    ]}
  />
);

/** Folders in which no agent looks. */
const Unloaded = ({ source }: { readonly source: ListingSource }) => {
  const skills = (source.getState().view?.skills ?? []).filter(
    (skill) => skill.isInFolder && skill.clients.length === 0,
  );
  if (skills.length === 0) return null;
  const [first] = skills;
  const others = skills.length > 1 ? ` and ${plural(skills.length - 1, 'more folder')}` : '';
  return (
    <p className={styles['note']}>
      No known agent loads <CodeText>{first?.path === '' ? 'the open folder' : first?.path}</CodeText>
      {others}. Sessions of Lathe may.
    </p>
  );
};

/** The agents look at their own folders: where that is. */
const Places = ({ client }: { readonly client: ClientId }) => (
  <p className={styles['note']}>
    {clientOf(client).label} looks in{' '}
    {clientOf(client)
      .roots.map(({ scope, path }) => (scope === 'user' ? `~/${path}` : path))
      .join(', ')}
    .
  </p>
);

const Facts = ({ client }: { readonly client: ClientId }) => (
  <details className={styles['part']}>
    <summary>About {clientOf(client).label}</summary>
    <ul className={styles['facts']}>
      {clientOf(client).facts.map((fact) => (
        <li key={fact.text}>
          <SentenceWithCode>{fact.text}</SentenceWithCode> <span className={styles['note']}>({sourceWords(fact)})</span>
        </li>
      ))}
    </ul>
  </details>
);

const UsageFile = ({ onUsage }: { readonly onUsage: (usage: Usage | undefined) => void }) => {
  const [said, setSaid] = useState(
    'Lathe doesn’t know which skills you use most. Open `.claude.json` from your home folder here.',
  );
  const chooser = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined): Promise<void> => {
    const usage = file && readUsage(await file.text());
    onUsage(usage);
    setSaid(usage ? `Ranked by the use of ${plural(usage.size, 'skill')}.` : 'This file has no `skillUsage`.');
  };
  return (
    <div className={styles['file']}>
      <span className={styles['note']}>
        <SentenceWithCode>{said}</SentenceWithCode>
      </span>
      <Button onPress={() => chooser.current?.click()}>Open usage file</Button>
      <input
        ref={chooser}
        type="file"
        accept=".json"
        hidden
        aria-label="Usage file"
        onChange={(event) => void read(event.target.files?.[0])}
      />
    </div>
  );
};

export type AgentListingsProps = {
  readonly source: ListingSource;
  readonly open: OpenPath;
  readonly now: () => number;
};

export const AgentListings = ({ source, open, now }: AgentListingsProps) => {
  const [client, setClient] = useState<ClientId>('claude-code');
  const [model, setModel] = useState('');
  const [usage, setUsage] = useState<Usage>();
  const asked: Asked = { client, model: model.trim(), usage };
  const { listing, settings, hasUser, fault } = useListing(source, asked, now);
  return (
    <div className={styles['panel']}>
      <p className={styles['verdict']} role="status">
        {fault === undefined
          ? listing
            ? verdictOf(listing)
            : 'Reading the folder…'
          : `Can’t read the folder: ${fault}`}
      </p>
      <div className={styles['form']}>
        <Select label="Agent" options={CLIENT_OPTIONS} value={client} onChange={setClient} />
        <TextField
          label="Model"
          value={model}
          onChange={setModel}
          isMono
          description={`Empty: ${listing?.model ?? 'any'}`}
        />
      </div>
      {listing && (
        <>
          <Budget listing={listing} />
          <Trim listing={listing} open={open} />
          <WhatIf key={client} listing={listing} source={source} asked={asked} now={now} />
          {client === 'claude-code' && <UsageFile onUsage={setUsage} />}
          {listing.text !== '' && (
            <CodeText block={`Text that ${listing.label} shows its model`}>{listing.text}</CodeText>
          )}
          {listing.entries.length > 0 && <Entries listing={listing} open={open} />}
          <ul className={styles['facts']}>
            {[
              ...listing.notes,
              ...(hasUser ? [] : ['Skills in your home folder aren’t included. Open it as your library to add them.']),
              ...(settings.length > 0 ? [`Settings read: ${settings.join(', ')}.`] : []),
              ...listing.unread.map(({ path, reason }) => `${path}: ${reason}`),
            ].map((note) => (
              <li key={note} className={styles['note']}>
                <SentenceWithCode>{note}</SentenceWithCode>
              </li>
            ))}
          </ul>
          <Places client={client} />
          <Unloaded source={source} />
          <Facts client={client} />
        </>
      )}
    </div>
  );
};
