import { plural } from '../../base/text.ts';
import { Button } from '../../ui/button.tsx';
import type { Checked, OpenText } from './needs.ts';
import { isProgram, isSkillFile } from './needs.ts';
import styles from './status-line.module.css';

/** The default budget of a metaskill run (D29). */
const BUDGET = { ask: 5, command: 10 } as const;

const most = (count: number | null): string => (count === null ? 'any number of' : String(count));

const ProgramFacts = ({ checked }: { readonly checked: Checked | undefined }) => {
  const facts = checked?.analysis?.facts;
  if (!facts) return null;
  const documented = new Set((checked?.documented?.keys ?? []).map(({ name }) => name));
  const keys = [...new Set(facts.inputKeys.map(({ key }) => key))];
  const missing = keys.filter((key) => !documented.has(key));
  return (
    <>
      {facts.worst && (
        <span>
          Worst case <b>{most(facts.worst.ask)} asks</b> of {BUDGET.ask} · <b>{most(facts.worst.command)} commands</b>{' '}
          of {BUDGET.command}
        </span>
      )}
      {keys.length > 0 && (
        <span>
          Keys <b>{keys.join(', ')}</b>{' '}
          {missing.length === 0 ? 'match SKILL.md' : `· not in SKILL.md: ${missing.join(', ')}`}
        </span>
      )}
    </>
  );
};

const problemWords = (checked: Checked | undefined): string => {
  if (!checked) return 'Checking…';
  const count = (severity: string): number => checked.diagnostics.filter((one) => one.severity === severity).length;
  const [errors, warnings, infos] = [count('error'), count('warning'), count('info')];
  if (errors + warnings + infos === 0) return 'No problems';
  const part = (figure: number, word: string): string[] => (figure === 0 ? [] : [plural(figure, word)]);
  return [...part(errors, 'error'), ...part(warnings, 'warning'), ...part(infos, 'note')].join(', ');
};

export const hasSafeFix = (checked: Checked | undefined): boolean =>
  checked?.diagnostics.some(
    ({ severity, fixes }) => severity !== 'hint' && fixes.some(({ safety }) => safety === 'safe'),
  ) === true;

export type StatusLineProps = {
  readonly document: OpenText;
  readonly checked: Checked | undefined;
  readonly onFixAll: () => void;
};

/** One line below the text: what is known of it. It keeps its height whatever it says. */
export const StatusLine = ({ document, checked, onFixAll }: StatusLineProps) => {
  const { path } = document;
  const isChecked = isProgram(path) || isSkillFile(path);
  return (
    <footer className={styles['line']}>
      <span className={styles['facts']}>{isProgram(path) && <ProgramFacts checked={checked} />}</span>
      {hasSafeFix(checked) && document.readOnly === undefined && (
        <Button look="link" onPress={onFixAll}>
          Fix all safe problems
        </Button>
      )}
      {isChecked && <span aria-live="polite">{problemWords(checked)}</span>}
    </footer>
  );
};
