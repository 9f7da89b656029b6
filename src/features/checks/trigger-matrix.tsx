/** Queries × skills with rates and intervals, trouble first; a cell shows its transcripts. */
import { useState } from 'react';
import { plural } from '../../base/text.ts';
import { matrixOf, rivalriesIn, rivalryAdvice, type MatrixCell, type MatrixRow } from '../../model/evals/matrix.ts';
import type { EvalReport } from '../../model/evals/report.ts';
import type { CaseRecord } from '../../model/evals/run/journal.ts';
import { isDecided } from '../../model/evals/run/judge.ts';
import { skillReports } from '../../model/evals/skill-report.ts';
import { rateWords } from '../../model/evals/words.ts';
import type { PickableSkill } from '../../model/simulator/behaviour/pick-skill.ts';
import { Button } from '../../ui/button.tsx';
import styles from './trigger-lab.module.css';

const FIRST_ROWS = 50;
const MOST_TRANSCRIPTS = 20;
const NO_SKILL = 'no skill';

type Tone = 'good' | 'bad' | 'plain';

const toneOf = ({ role, hits, runs, rate }: MatrixCell): Tone => {
  if (runs === 0 || !rate) return 'plain';
  if (role === 'expected') return hits === runs ? 'good' : 'bad';
  return role === 'forbidden' && hits > 0 ? 'bad' : 'plain';
};

const ROLES = { expected: 'expected', forbidden: 'should not be picked', other: 'not judged' } as const;

interface Chosen {
  readonly query: string;
  /** Nothing: no skill. */
  readonly skill: string | undefined;
}

const Cell = ({
  cell,
  skill,
  row,
  isChosen,
  onChoose,
}: {
  readonly cell: MatrixCell;
  readonly skill: string | undefined;
  readonly row: MatrixRow;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) => {
  const { hits, runs, rate, role } = cell;
  if (runs === 0 || (hits === 0 && role !== 'expected'))
    return <td className={styles['none']}>{runs === 0 ? '' : '0'}</td>;
  const words = `${skill ?? NO_SKILL}, ${hits} of ${runs} runs, ${rateWords(rate)}, ${ROLES[role]}: ${row.report.query.query}`;
  return (
    <td data-tone={toneOf(cell)}>
      <button type="button" className={styles['cell']} aria-pressed={isChosen} aria-label={words} onClick={onChoose}>
        <b>
          {hits}/{runs}
        </b>
        <span>{rateWords(rate)}</span>
      </button>
    </td>
  );
};

const OUTCOMES = {
  loaded: 'picked',
  bypassed: 'answered without a skill',
  refused: 'refused',
  cut: 'cut off',
  limit: 'reached the turn limit',
  error: 'failed',
} as const;

const Transcripts = ({ records, chosen }: { readonly records: readonly CaseRecord[]; readonly chosen: Chosen }) => {
  const found = records.filter(
    ({ query, loaded, outcome }) =>
      query === chosen.query &&
      (chosen.skill === undefined ? isDecided(outcome) && loaded.length === 0 : loaded.includes(chosen.skill)),
  );
  const others = records.filter((record) => record.query === chosen.query && !found.includes(record));
  return (
    <section aria-label="Transcripts" className={styles['transcripts']}>
      <h4 className={styles['heading']}>
        {plural(found.length, 'run')} that picked {chosen.skill ?? NO_SKILL}
        {others.length > 0 ? `, then ${plural(others.length, 'other')}` : ''}
      </h4>
      <ol className={styles['list']}>
        {[...found, ...others].slice(0, MOST_TRANSCRIPTS).map(({ key, repeat, outcome, loaded, text, said, error }) => (
          <li key={key}>
            <p>
              <b>Run {repeat + 1}</b> {OUTCOMES[outcome]}
              {loaded.length > 0 ? ` ${loaded.join(', ')}` : ''}
            </p>
            <pre className={styles['said']}>{error ?? (said && said.length > 0 ? said.join('\n') : text)}</pre>
          </li>
        ))}
      </ol>
    </section>
  );
};

const MOST_SKILLS = 20;

/** Recall and precision, and what was picked in a skill's place. */
const Skills = ({ report }: { readonly report: EvalReport }) => {
  const skills = skillReports(report);
  if (skills.length === 0) return null;
  const more = skills.length - MOST_SKILLS;
  return (
    <>
      <div className={styles['scroll']} role="group" aria-label="Skills, scrolling">
        <table className={styles['matrix']} aria-label="Recall and precision">
          <thead>
            <tr>
              <th scope="col">Skill</th>
              <th scope="col">Recall</th>
              <th scope="col">Precision</th>
              <th scope="col">Picked instead</th>
            </tr>
          </thead>
          <tbody>
            {skills.slice(0, MOST_SKILLS).map(({ skill, recall, precision, mistaken }) => (
              <tr key={skill}>
                <th scope="row">{skill}</th>
                <td className={styles['rate']}>{rateWords(recall.rate, 'not expected')}</td>
                <td className={styles['rate']}>{rateWords(precision.rate, 'not picked')}</td>
                <td className={styles['rate']}>
                  {mistaken.map(({ skill: other, hits }) => `${other ?? NO_SKILL} ${hits}`).join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles['note']}>
        Recall: of the runs that should pick the skill, those that did. Precision: of the runs that picked it, those
        that should.{more > 0 ? ` ${plural(more, 'more skill')} with a higher recall.` : ''}
      </p>
    </>
  );
};

const Rivals = ({
  report,
  skills,
  own,
}: {
  readonly report: EvalReport;
  readonly skills: readonly PickableSkill[];
  readonly own: string | undefined;
}) => {
  const found = rivalriesIn(report, skills, own);
  if (found.length === 0) return null;
  return (
    <section aria-label="Skills that compete" className={styles['part']}>
      <h4 className={styles['heading']}>Skills that compete</h4>
      <ul className={styles['list']}>
        {found.map((rivalry) => (
          <li key={`${rivalry.query} ${rivalry.rival}`}>
            <p>
              <b>{rivalry.rival}</b> took {rivalry.taken.hits} of {plural(rivalry.taken.runs, 'run')} of “
              {rivalry.query.slice(0, 160)}”{rivalry.wanted === undefined ? '.' : ` from ${rivalry.wanted}.`}
            </p>
            <p className={styles['note']}>
              {rivalryAdvice(rivalry)} Lathe compares words. It can’t know why a model picks a skill.
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
};

export const TriggerMatrix = ({
  report,
  records,
  own,
  skills,
}: {
  readonly report: EvalReport;
  readonly records: readonly CaseRecord[];
  readonly own: string | undefined;
  readonly skills: readonly PickableSkill[];
}) => {
  const [chosen, setChosen] = useState<Chosen>();
  const [most, setMost] = useState(FIRST_ROWS);
  const matrix = matrixOf(report, own);
  const columns = [...matrix.skills, undefined];
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard */}
      <div className={styles['scroll']} role="group" aria-label="Matrix, scrolling" tabIndex={0}>
        <table className={styles['matrix']} aria-label="Queries and skills">
          <thead>
            <tr>
              <th scope="col">Query</th>
              <th scope="col">Right</th>
              {columns.map((skill) => (
                <th key={skill ?? ''} scope="col" data-own={skill === own}>
                  {skill ?? NO_SKILL}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matrix.rows.slice(0, most).map((row) => {
              const { query, rate, cannotTell, undecided } = row.report;
              return (
                <tr key={query.id}>
                  <th scope="row" title={query.query}>
                    {query.query.slice(0, 200)}
                  </th>
                  <td className={styles['rate']}>
                    {cannotTell ? 'can’t tell' : rateWords(rate, row.report.runs === 0 ? 'not run' : 'not judged')}
                    {undecided > 0 && <span> {undecided} undecided</span>}
                  </td>
                  {row.cells.map((cell, index) => {
                    const skill = columns[index];
                    return (
                      <Cell
                        key={skill ?? ''}
                        cell={cell}
                        skill={skill}
                        row={row}
                        isChosen={chosen?.query === query.id && chosen.skill === skill}
                        onChoose={() => setChosen({ query: query.id, skill })}
                      />
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className={styles['note']}>
        Intervals are 95%. The lowest rates come first.
        {matrix.hidden > 0 ? ` ${plural(matrix.hidden, 'skill')} picked less often have no column.` : ''}
      </p>
      {matrix.rows.length > most && (
        <Button look="quiet" onPress={() => setMost(most + 200)}>
          Show more rows
        </Button>
      )}
      {chosen && <Transcripts records={records} chosen={chosen} />}
      <Skills report={report} />
      <Rivals report={report} skills={skills} own={own} />
    </>
  );
};
