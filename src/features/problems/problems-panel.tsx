import { type ReactNode, useMemo, useState } from 'react';
import { joinPath } from '../../base/paths.ts';
import { plural } from '../../base/text.ts';
import type { Severity } from '../../model/skill/types.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText, SentenceWithCode } from '../../ui/code-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import styles from './problems-panel.module.css';
import {
  countBySeverity,
  countSafeFixes,
  type FileProblems,
  type Problem,
  problemsByFile,
  SEVERITIES,
  withSeverities,
} from './problems-view.ts';

export type ProblemsPanelProps = {
  readonly skills: readonly WorkspaceSkill[];
  /** The problem that was gone to last. */
  readonly selected?: string | undefined;
  readonly onGoTo: (problem: Problem) => void;
  readonly onFix: (problem: Problem) => void;
  readonly onFixAll: () => void;
  /** Why nothing can be fixed now, such as a folder that cannot be written. */
  readonly fixReason?: string | undefined;
};

const NAMES: Readonly<Record<Severity, { readonly one: string; readonly many: string; readonly icon: IconName }>> = {
  error: { one: 'error', many: 'Errors', icon: 'error' },
  warning: { one: 'warning', many: 'Warnings', icon: 'warning' },
  info: { one: 'note', many: 'Notes', icon: 'info' },
  hint: { one: 'hint', many: 'Hints', icon: 'hint' },
};

const ELSEWHERE = 'It does not lie in the open folder. Open its own folder to fix it.';

type Row = { readonly group: FileProblems } | { readonly problem: Problem };

const isHeading = (row: Row): row is { readonly group: FileProblems } => 'group' in row;
const pathOf = ({ skill, file }: { readonly skill: string; readonly file: string }): string => joinPath(skill, file);
const placeOf = ({ line, column }: Problem): string => (line === undefined ? 'file' : `${line}:${column}`);

/** All problems of the workspace, with their fixes. */
export const ProblemsPanel = (props: ProblemsPanelProps) => {
  const { skills, selected, onGoTo, onFix, onFixAll, fixReason } = props;
  const [shown, setShown] = useState<ReadonlySet<Severity>>(new Set(['error', 'warning', 'info']));
  const isNarrow = useMedia('(width < 900px)');
  const all = useMemo(() => problemsByFile(skills), [skills]);
  const counts = useMemo(() => countBySeverity(all), [all]);
  const files = useMemo(() => withSeverities(all, shown), [all, shown]);
  const rows = useMemo(
    () => files.flatMap((group): Row[] => [{ group }, ...group.problems.map((problem) => ({ problem }))]),
    [files],
  );
  const safe = countSafeFixes(all);

  const show = (severity: Severity, isOn: boolean): void => {
    const next = new Set(shown);
    if (isOn) next.add(severity);
    else next.delete(severity);
    setShown(next);
  };

  const cell = (render: (problem: Problem) => ReactNode) => (row: Row) => (isHeading(row) ? null : render(row.problem));
  const columns: readonly Column<Row>[] = [
    {
      id: 'severity',
      header: 'Severity',
      width: '92px',
      cell: cell(({ diagnostic: { severity } }) => (
        <span className={styles['severity']} data-severity={severity}>
          <Icon name={NAMES[severity].icon} />
          {NAMES[severity].one}
        </span>
      )),
    },
    {
      id: 'place',
      header: 'Place',
      width: '64px',
      cell: cell((problem) => (
        <Button
          look="link"
          aria-label={`Go to ${pathOf({ skill: problem.skill, file: problem.diagnostic.file })}:${placeOf(problem)}`}
          onPress={() => onGoTo(problem)}
        >
          <CodeText>{placeOf(problem)}</CodeText>
        </Button>
      )),
    },
    {
      id: 'message',
      header: 'Problem',
      width: 'minmax(0, 1fr)',
      cell: cell(({ diagnostic: { message } }) => (
        <span className={styles['message']} title={message}>
          <SentenceWithCode>{message}</SentenceWithCode>
        </span>
      )),
    },
    {
      id: 'rule',
      header: 'Rule',
      width: '190px',
      cell: cell(({ diagnostic: { rule } }) => (
        <span className={styles['rule']}>
          <CodeText>{rule}</CodeText>
        </span>
      )),
    },
    {
      id: 'fix',
      header: 'Fix',
      width: '60px',
      cell: cell((problem) => {
        const fix = problem.diagnostic.fixes[0];
        return fix ? (
          <Button
            aria-label={`Fix: ${fix.title}`}
            tip={fix.title.replaceAll(/`([^`]*)`/g, '“$1”')}
            disabledReason={problem.isElsewhere === true ? ELSEWHERE : fixReason}
            onPress={() => onFix(problem)}
          >
            Fix
          </Button>
        ) : null;
      }),
    },
  ];

  const total = SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);
  return (
    <div className={styles['panel']}>
      <div className={styles['tools']} role="toolbar" aria-label="Which problems are shown">
        {SEVERITIES.map((severity) => (
          <ToggleChip key={severity} isOn={shown.has(severity)} onChange={(isOn) => show(severity, isOn)}>
            <span className={styles['severity']} data-severity={severity}>
              <Icon name={NAMES[severity].icon} />
            </span>
            {NAMES[severity].many} <span className={styles['count']}>{counts[severity]}</span>
          </ToggleChip>
        ))}
        <span className={styles['space']} />
        <Button
          disabledReason={safe === 0 ? 'No problem has a fix that is safe to apply unseen.' : fixReason}
          onPress={onFixAll}
        >
          Fix all safe problems <span className={styles['count']}>{safe}</span>
        </Button>
      </div>
      {rows.length > 0 ? (
        <VirtualTable<Row>
          label="Problems"
          columns={isNarrow ? columns.filter(({ id }) => id !== 'rule') : columns}
          rows={rows}
          rowKey={(row) => (isHeading(row) ? pathOf(row.group) : row.problem.id)}
          renderHeading={(row) =>
            isHeading(row) ? (
              <>
                <CodeText>{pathOf(row.group)}</CodeText>
                <span className={styles['count']}>{row.group.problems.length}</span>
              </>
            ) : undefined
          }
          selected={selected}
        />
      ) : (
        <EmptyState title={total === 0 ? 'No problems' : 'None of these kinds'}>
          {total === 0
            ? `All rules hold in ${plural(skills.length, 'skill')}.`
            : `There are ${total} problems of other kinds: switch them on above.`}
        </EmptyState>
      )}
    </div>
  );
};
