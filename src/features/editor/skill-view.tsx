import { joinPath } from '../../base/paths.ts';
import { LineIndex } from '../../base/text.ts';
import type { Severity } from '../../model/skill/types.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import styles from './skill-view.module.css';

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2, hint: 3 };

/** The worst severity of each line, and what is said there. */
const marksOf = (
  skill: WorkspaceSkill,
  index: LineIndex,
): ReadonlyMap<number, { severity: Severity; messages: string[] }> => {
  const marks = new Map<number, { severity: Severity; messages: string[] }>();
  for (const { severity, message, range, file } of skill.diagnostics) {
    if (file !== 'SKILL.md' || severity === 'hint') continue;
    const { line } = index.positionAt(range.start);
    const mark = marks.get(line) ?? { severity, messages: [] };
    mark.messages.push(message);
    if (RANK[severity] < RANK[mark.severity]) mark.severity = severity;
    marks.set(line, mark);
  }
  return marks;
};

/** SKILL.md as it is on disk, with its problems below the lines they are about. Read only. */
export const SkillView = ({ skill }: { readonly skill: WorkspaceSkill }) => {
  const index = new LineIndex(skill.text);
  const marks = marksOf(skill, index);
  return (
    <article className={styles['view']} aria-label={joinPath(skill.id, 'SKILL.md')}>
      <header className={styles['file']}>{joinPath(skill.id, 'SKILL.md')}</header>
      <ol className={styles['lines']}>
        {Array.from({ length: index.lineCount }, (_, position) => {
          const line = position + 1;
          const mark = marks.get(line);
          return (
            <li key={line} className={styles['line']} data-severity={mark?.severity}>
              <code className={styles['code']}>{index.lineText(line) || ' '}</code>
              {mark?.messages.map((message) => (
                <p key={message} className={styles['message']}>
                  {mark.severity}: {message}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
    </article>
  );
};
