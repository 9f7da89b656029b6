import { LineIndex } from '../../base/text.ts';
import type { WorkspaceSkill } from '../../stores/workspace-store.ts';
import styles from './problems-panel.module.css';

export type ProblemsPanelProps = {
  readonly skills: readonly WorkspaceSkill[];
  readonly onSelect: (path: string) => void;
};

/** All diagnostics of the workspace but the hints, which are advice. */
export const ProblemsPanel = ({ skills, onSelect }: ProblemsPanelProps) => {
  const rows = skills.flatMap((skill) => {
    const index = new LineIndex(skill.text);
    return skill.diagnostics
      .filter(({ severity }) => severity !== 'hint')
      .map((diagnostic) => ({ skill, diagnostic, position: index.positionAt(diagnostic.range.start) }));
  });
  if (rows.length === 0) return <p className={styles['none']}>No problems in {skills.length} skills.</p>;
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th>Severity</th>
          <th>Place</th>
          <th>Problem</th>
          <th>Rule</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ skill, diagnostic, position }) => (
          <tr key={`${skill.path} ${diagnostic.rule} ${diagnostic.range.start}`}>
            <td className={styles['severity']} data-severity={diagnostic.severity}>
              {diagnostic.severity}
            </td>
            <td>
              <button type="button" className={styles['place']} onClick={() => onSelect(skill.path)}>
                {skill.name}:{position.line}:{position.column}
              </button>
            </td>
            <td>{diagnostic.message}</td>
            <td className={styles['rule']}>{diagnostic.rule}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
