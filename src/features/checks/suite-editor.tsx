/** The queries of a suite, to be edited, added, and saved beside the skill. */
import { useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { err, type Result } from '../../base/result.ts';
import { plural } from '../../base/text.ts';
import { plainQuery } from '../../model/evals/suite/plain-query.ts';
import { queryId } from '../../model/evals/suite/query-id.ts';
import type { TriggerQuery } from '../../model/evals/suite/types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './trigger-lab.module.css';
import type { SuiteHandle } from './use-suite.ts';

const KINDS = [
  { value: 'should', label: 'Should pick it' },
  { value: 'should-not', label: 'Should not' },
  { value: 'near-miss', label: 'Near miss' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

const FIRST_ROWS = 20;

const kindOf = ({ kind, expect }: TriggerQuery, skill: string): Kind =>
  kind === 'near-miss' || kind === 'should-not' || kind === 'should'
    ? kind
    : expect?.includes(skill) === true
      ? 'should'
      : 'should-not';

const withText = (query: TriggerQuery, text: string): TriggerQuery => ({
  ...query,
  query: text,
  // An id of its own stays; one made of the text follows it.
  id: query.id === queryId(query.query, query.context) ? queryId(text, query.context) : query.id,
});

/** Another skill that was expected stays expected where this one should not be picked. */
const withKind = ({ expect, ...query }: TriggerQuery, kind: Kind, skill: string): TriggerQuery => {
  if (kind === 'should')
    return { ...query, kind, expect: [skill], forbid: query.forbid.filter((name) => name !== skill) };
  const others = expect?.filter((name) => name !== skill);
  const isKept = others !== undefined && (others.length > 0 || expect?.length === 0);
  return { ...query, kind, forbid: [...new Set([...query.forbid, skill])], ...(isKept && { expect: others }) };
};

const expectWords = ({ expect, forbid }: TriggerQuery, skill: string): string => {
  if (expect?.length === 0) return 'Expects no skill.';
  const others = expect?.filter((name) => name !== skill) ?? [];
  if (others.length > 0) return `Expects ${others.join(' or ')}.`;
  return expect || forbid.length > 0 ? '' : 'Not judged because it expects and forbids no skill.';
};

const EMPTY = 'Enter a query.';

export const SuiteEditor = ({
  suite: { draft, edit, propose, add, save },
  skill,
  model,
  write,
}: {
  readonly suite: SuiteHandle;
  readonly skill: string;
  readonly model: string;
  /** Has the model write queries; absent where the provider is the simulator. */
  readonly write?: () => Promise<Result<readonly TriggerQuery[], string>>;
}) => {
  const [isWriting, setIsWriting] = useState(false);
  const [fault, setFault] = useState<string>();
  const [most, setMost] = useState(FIRST_ROWS);
  if (!draft) return null;
  const { queries } = draft.suite;
  const change = (index: number, next: TriggerQuery): void => edit((all) => all.with(index, next));
  const ask = async (): Promise<void> => {
    if (!write) return;
    setIsWriting(true);
    const written = await write().catch((thrown: unknown) => err(errorMessage(thrown)));
    setIsWriting(false);
    setFault(written.ok ? undefined : written.error);
    if (written.ok) {
      setMost(Math.max(most, queries.length + written.value.length));
      add(written.value);
    }
  };
  const isDoubled = (query: TriggerQuery): boolean => queries.filter(({ id }) => id === query.id).length > 1;
  const isBroken = queries.some((query) => query.query.trim() === '' || isDoubled(query));
  return (
    <details className={styles['suite']} {...(queries.length <= 4 && { open: true })}>
      <summary className={styles['summary']}>
        {plural(queries.length, 'query', 'queries')}
        {draft.from === undefined ? ', proposed from the descriptions' : `, ${draft.from}`}
        {draft.isChanged && draft.from !== undefined ? ', changed' : ''}
      </summary>
      <ul className={styles['queries']} aria-label="Queries">
        {queries.slice(0, most).map((query, index) => {
          const words = expectWords(query, skill);
          return (
            // oxlint-disable-next-line react/no-array-index-key -- the place is what stays while a text is typed
            <li key={index} className={styles['query']}>
              <TextField
                label={`Query ${index + 1}`}
                value={query.query}
                onChange={(text) => change(index, withText(query, text))}
                error={query.query.trim() === '' ? EMPTY : isDoubled(query) ? 'This query is a duplicate.' : undefined}
                {...(words !== '' && { description: words })}
              />
              <Select
                label="Kind"
                options={KINDS}
                value={kindOf(query, skill)}
                onChange={(kind) => change(index, withKind(query, kind, skill))}
              />
              <IconButton
                label={`Remove query ${index + 1}`}
                icon="close"
                onPress={() => edit((all) => all.filter((_, place) => place !== index))}
              />
            </li>
          );
        })}
      </ul>
      <div className={styles['row']}>
        {queries.length > most && (
          <Button look="quiet" onPress={() => setMost(most + 100)}>
            Show more queries
          </Button>
        )}
        <Button
          onPress={() => {
            setMost(Math.max(most, queries.length + 1));
            edit((all) => [...all, plainQuery('', 0, { expect: [skill], kind: 'should' })]);
          }}
        >
          Add query
        </Button>
        <Button
          onPress={propose}
          tip="Queries drafted from this library’s descriptions: for this skill, similar skills, and unrelated ones"
        >
          Propose queries
        </Button>
        {write && (
          <Button
            onPress={() => void ask()}
            disabledReason={isWriting ? `${model} is writing…` : undefined}
            tip="One request with the descriptions of this skill and similar ones. It’s billed to your API key."
          >
            Ask {model} for queries
          </Button>
        )}
        <Button
          look="primary"
          onPress={() => void save()}
          disabledReason={
            isBroken ? 'A query is empty or a duplicate.' : draft.isChanged ? undefined : 'No changes yet.'
          }
        >
          Save to evals/triggers.yaml
        </Button>
      </div>
      {fault !== undefined && <p className={styles['fault']}>{fault}</p>}
      {draft.fault !== undefined && <p className={styles['fault']}>{draft.fault}</p>}
    </details>
  );
};
