import { type ReactNode, useMemo, useState } from 'react';
import { joinPath } from '../../base/paths.ts';
import { plural } from '../../base/text.ts';
import type { Severity } from '../../model/skill/types.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeText, SentenceWithCode } from '../../ui/code-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { SeverityMark } from '../../ui/severity-mark.tsx';
import { SearchField } from '../../ui/text-field.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import styles from './problems-panel.module.css';
import {
  countBySeverity,
  countSafeFixes,
  type Grouping,
  groupProblems,
  type Problem,
  type ProblemGroup,
  problemsByFile,
  SEVERITIES,
  withSeverities,
  withWords,
} from './problems-view.ts';

export type ProblemsPanelProps = {
  readonly skills: readonly WorkspaceSkill[];
  /** The problem that was gone to last. */
  readonly selected?: string | undefined;
  readonly onGoTo: (problem: Problem) => void;
  readonly onFix: (problem: Problem) => void;
  readonly onFixAll: () => void;
  /** Safe fixes of one group, one after the other. */
  readonly onFixGroup?: (problems: readonly Problem[]) => void;
  /** Why nothing can be fixed now, such as a folder that cannot be written. */
  readonly fixReason?: string | undefined;
};

const NAMES: Readonly<Record<Severity, { readonly one: string; readonly many: string; readonly icon: IconName }>> = {
  error: { one: 'error', many: 'Errors', icon: 'error' },
  warning: { one: 'warning', many: 'Warnings', icon: 'warning' },
  info: { one: 'note', many: 'Notes', icon: 'info' },
  hint: { one: 'hint', many: 'Hints', icon: 'hint' },
};

const ELSEWHERE = "It isn't in the open folder. Open its folder to fix it.";

type Row = { readonly group: ProblemGroup } | { readonly problem: Problem };

const isHeading = (row: Row): row is { readonly group: ProblemGroup } => 'group' in row;
const pathOf = ({ skill, file }: { readonly skill: string; readonly file: string }): string => joinPath(skill, file);
const placeOf = ({ line, column }: Problem): string => (line === undefined ? 'file' : `${line}:${column}`);

/** The workspace’s problems, with fixes. */
export const ProblemsPanel = (props: ProblemsPanelProps) => {
  const { skills, selected, onGoTo, onFix, onFixAll, onFixGroup, fixReason } = props;
  const [shown, setShown] = useState<ReadonlySet<Severity>>(new Set(['error', 'warning', 'info']));
  const isNarrow = useMedia('(width < 900px)');
  const all = useMemo(() => problemsByFile(skills), [skills]);
  const counts = useMemo(() => countBySeverity(all), [all]);
  const [grouping, setGrouping] = useState<Grouping>('skill');
  const [query, setQuery] = useState('');
  const rows = useMemo(
    () =>
      groupProblems(withWords(withSeverities(all, shown), query), grouping).flatMap((group): readonly Row[] => {
        const head: readonly Row[] = [{ group }];
        return head.concat(group.problems.map((problem) => ({ problem })));
      }),
    [all, shown, query, grouping],
  );
  const fixable = (group: ProblemGroup): readonly Problem[] =>
    group.problems.filter(
      ({ diagnostic, isElsewhere }) => isElsewhere !== true && diagnostic.fixes[0]?.safety === 'safe',
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
        <SeverityMark severity={severity} icon={NAMES[severity].icon}>
          {NAMES[severity].one}
        </SeverityMark>
      )),
    },
    {
      id: 'place',
      header: 'Place',
      width: grouping === 'rule' ? 'minmax(64px, 0.5fr)' : '64px',
      cell: cell((problem) => (
        <Button
          look="link"
          aria-label={`Go to ${pathOf({ skill: problem.skill, file: problem.diagnostic.file })}:${placeOf(problem)}`}
          onPress={() => onGoTo(problem)}
        >
          <CodeText>
            {grouping === 'rule'
              ? `${pathOf({ skill: problem.skill, file: problem.diagnostic.file })}:${placeOf(problem)}`
              : placeOf(problem)}
          </CodeText>
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
      <div className={styles['tools']} role="toolbar" aria-label="Severities">
        {SEVERITIES.map((severity) => (
          <ToggleChip key={severity} isOn={shown.has(severity)} onChange={(isOn) => show(severity, isOn)}>
            <SeverityMark severity={severity} icon={NAMES[severity].icon} />
            {NAMES[severity].many} <span className={styles['count']}>{counts[severity]}</span>
          </ToggleChip>
        ))}
        <ToggleChip isOn={grouping === 'rule'} onChange={(isOn) => setGrouping(isOn ? 'rule' : 'skill')}>
          Group by rule
        </ToggleChip>
        <div className={styles['filter']}>
          <SearchField label="Filter problems" placeholder="Filter" value={query} onChange={setQuery} />
        </div>
        <span className={styles['space']} />
        <Button disabledReason={safe === 0 ? 'No problem has a safe fix.' : fixReason} onPress={onFixAll}>
          Fix all safe problems <span className={styles['count']}>{safe}</span>
        </Button>
      </div>
      {rows.length > 0 ? (
        <VirtualTable<Row>
          label="Problems"
          columns={isNarrow ? columns.filter(({ id }) => id !== 'rule') : columns}
          rows={rows}
          rowKey={(row) => (isHeading(row) ? row.group.id : `${grouping} ${row.problem.id}`)}
          renderHeading={(row) =>
            isHeading(row) ? (
              <>
                <CodeText>{row.group.title}</CodeText>
                <span className={styles['count']}>{row.group.problems.length}</span>
                {row.group.willNotLoad && <Badge tone="error">will not load</Badge>}
                {fixable(row.group).length > 1 && onFixGroup && (
                  <Button disabledReason={fixReason} onPress={() => onFixGroup(fixable(row.group))}>
                    Fix these {fixable(row.group).length}
                  </Button>
                )}
              </>
            ) : undefined
          }
          selected={selected}
        />
      ) : (
        <EmptyState
          title={total === 0 ? 'No problems' : query === '' ? 'No matching problems' : 'No matching problems'}
        >
          {total === 0
            ? `${plural(skills.length, 'skill')} checked.`
            : `${plural(total, 'problem')} hidden. Select more severities above.`}
        </EmptyState>
      )}
    </div>
  );
};
