import type { WorkspaceSkill } from '../../stores/workspace-store.ts';
import { cx } from '../../ui/cx.ts';
import styles from './library-panel.module.css';

export type LibraryPanelProps = {
  readonly skills: readonly WorkspaceSkill[];
  readonly selected: string | undefined;
  readonly onSelect: (path: string) => void;
};

const thousands = (tokens: number): string => (tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`);

const countOf = (skill: WorkspaceSkill, severity: 'error' | 'warning'): number =>
  skill.diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;

/** What is worth seeing at a glance: it runs, it has problems, it is large. */
const Badges = ({ skill }: { readonly skill: WorkspaceSkill }) => {
  const errors = countOf(skill, 'error');
  const warnings = countOf(skill, 'warning');
  return (
    <>
      {skill.isMetaskill && (
        <span className={cx(styles['tag'], styles['star'])} title="Metaskill: it runs a program">
          star
        </span>
      )}
      {errors > 0 && (
        <span className={cx(styles['tag'], styles['error'])} title={`${errors} errors`}>
          ✕ {errors}
        </span>
      )}
      {warnings > 0 && (
        <span className={cx(styles['tag'], styles['warning'])} title={`${warnings} warnings`}>
          ! {warnings}
        </span>
      )}
    </>
  );
};

export const LibraryPanel = ({ skills, selected, onSelect }: LibraryPanelProps) => (
  <ul className={styles['list']} aria-label="Skills">
    {skills.map((skill) => (
      <li key={skill.path}>
        <button
          type="button"
          className={styles['row']}
          aria-current={skill.path === selected}
          onClick={() => onSelect(skill.path)}
        >
          <span className={styles['name']}>{skill.name}</span>
          <Badges skill={skill} />
          <span className={styles['tokens']} title="Tokens of the body, estimated">
            {thousands(skill.tokens)}
          </span>
        </button>
      </li>
    ))}
  </ul>
);
