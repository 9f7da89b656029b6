import { useMemo, useState } from 'react';
import type { EditedLibrary } from '../../model/preview/edited.ts';
import { cleanPrompts, examplePrompts, readPrompts, wouldPick, type PickResult } from '../../model/preview/pick.ts';
import type { RankedSkill } from '../../model/simulator/behaviour/pick-skill.ts';
import { plural } from '../../base/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './pick-face.module.css';

const KEY = 'lathe.preview-prompts';

const stored = (storage: PickFaceProps['storage']): readonly string[] => {
  try {
    return readPrompts(storage?.getItem(KEY) ?? null);
  } catch {
    // Blocked storage: prompts live as long as the page.
    return [];
  }
};

const keep = (storage: PickFaceProps['storage'], prompts: readonly string[]): void => {
  try {
    storage?.setItem(KEY, JSON.stringify(prompts));
  } catch {
    // As above.
  }
};

const WHERE = { name: 'name', 'use-when': 'use when', description: 'description' } as const;

const Score = ({
  skill,
  most,
  isOwn,
  isBest,
}: {
  readonly skill: RankedSkill;
  readonly most: number;
  readonly isOwn: boolean;
  readonly isBest: boolean;
}) => (
  <tr data-own={isOwn}>
    <th scope="row" className={styles['skill']}>
      {skill.name} {isBest && <Badge tone={isOwn ? 'accent' : 'plain'}>picked</Badge>}
    </th>
    <td>
      <span
        className={styles['bar']}
        style={{ width: `${Math.max(2, (skill.score / most) * 100)}%` }}
        aria-hidden="true"
      />
      <span className={styles['figure']}>{skill.score.toFixed(2)}</span>
    </td>
    <td className={styles['words']}>
      {skill.matches.length === 0
        ? 'the prompt names it'
        : skill.matches.slice(0, 6).map(({ word, matched, where }) => (
            <span key={`${word} ${matched}`} className={styles['word']} title={`in its ${WHERE[where]}`}>
              {word === matched ? word : `${word} → ${matched}`}
            </span>
          ))}
    </td>
  </tr>
);

const sayVerdict = ({ verdict, best, rank }: PickResult): string => {
  if (verdict === 'picked') return 'Picked';
  if (verdict === 'none') return rank === undefined ? 'No skill picked, and no words match' : 'No skill picked';
  return `${best?.name ?? ''} is picked${rank === undefined ? ', no words match here' : `, this one is number ${rank}`}`;
};

const CHANGES = { better: 'better than saved', worse: 'worse than saved', same: '' } as const;

const Result = ({
  result,
  name,
  onRemove,
}: {
  readonly result: PickResult;
  readonly name: string;
  readonly onRemove: (() => void) | undefined;
}) => {
  const { prompt, verdict, own, rivals, best, change, unknown } = result;
  const rows = [...(own ? [own] : []), ...rivals].toSorted((a, b) => b.score - a.score);
  const most = Math.max(...rows.map(({ score }) => score), 1);
  return (
    <li className={styles['result']} data-verdict={verdict}>
      <div className={styles['head']}>
        <p className={styles['prompt']}>{prompt}</p>
        {onRemove && <IconButton label={`Remove the prompt ${prompt}`} icon="close" onPress={onRemove} />}
      </div>
      <p className={styles['verdict']}>
        <b>{sayVerdict(result)}</b>
        {change !== 'same' && <Badge tone={change === 'better' ? 'accent' : 'warning'}>{CHANGES[change]}</Badge>}
      </p>
      {unknown.length > 0 && (
        <p className={styles['note']}>
          No skill has {unknown.map((word) => `“${word}”`).join(', ')}.
          {verdict === 'picked' ? '' : ' Add words that people use to the description.'}
        </p>
      )}
      {rows.length > 0 && (
        <table className={styles['table']}>
          <thead className={styles['hidden']}>
            <tr>
              <th scope="col">Skill</th>
              <th scope="col">Score</th>
              <th scope="col">Matching words</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((skill) => (
              <Score key={skill.name} skill={skill} most={most} isOwn={skill.name === name} isBest={skill === best} />
            ))}
          </tbody>
        </table>
      )}
    </li>
  );
};

/** The answer: of the prompt that is typed, or of all. */
const leadOf = (draft: PickResult | undefined, results: readonly PickResult[]): string => {
  if (draft) return sayVerdict(draft);
  const picked = results.filter(({ verdict }) => verdict === 'picked').length;
  return results.length === 0 ? 'No prompts yet' : `Picked for ${picked} of ${plural(results.length, 'prompt')}`;
};

export type PickFaceProps = {
  readonly edited: EditedLibrary;
  readonly before: EditedLibrary | undefined;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | undefined;
};

/** Prompts that people would write, against this index. Live while the description changes. */
export const PickFace = ({ edited, before, storage }: PickFaceProps) => {
  const [prompts, setPrompts] = useState(() => stored(storage));
  const [typed, setTyped] = useState('');
  const examples = useMemo(() => examplePrompts(edited), [edited]);
  const isExample = prompts.length === 0;
  const results = useMemo(
    () => wouldPick(isExample ? examples : prompts, edited, before ?? edited),
    [isExample, examples, prompts, edited, before],
  );
  const draft = useMemo(
    () => (typed.trim() === '' ? undefined : wouldPick([typed], edited, before ?? edited)[0]),
    [typed, edited, before],
  );
  const change = (next: readonly string[]): void => {
    const cleaned = cleanPrompts(next);
    setPrompts(cleaned);
    keep(storage, cleaned);
  };
  const add = (): void => {
    if (typed.trim() === '') return;
    change([typed, ...prompts]);
    setTyped('');
  };
  const { name = '' } = edited;
  return (
    <div className={styles['face']}>
      <p className={styles['lead']} role="status">
        {leadOf(draft, results)}
      </p>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField label="Example prompt" value={typed} onChange={setTyped} />
        <Button onPress={add} disabledReason={typed.trim() === '' ? 'Enter a prompt first.' : undefined}>
          Save prompt
        </Button>
      </form>
      <ul className={styles['results']} aria-label="Prompts">
        {results.map((result) => (
          <Result
            key={result.prompt}
            result={result}
            name={name}
            onRemove={isExample ? undefined : () => change(prompts.filter((prompt) => prompt !== result.prompt))}
          />
        ))}
      </ul>
      <p className={styles['note']}>
        {isExample &&
          results.length > 0 &&
          'These prompts are drafted from the descriptions. Save one to replace them. '}
        Lathe compares words with each description, as the simulator does. A real model may choose differently.
      </p>
    </div>
  );
};
