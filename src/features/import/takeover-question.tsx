import { identityWords, type Takeover } from '../../model/importer/identity.ts';
import { Button } from '../../ui/button.tsx';
import styles from './import-panel.module.css';
import { visible } from './visible.ts';

const SHOWN = 12;

export type TakeoverQuestionProps = {
  readonly takeover: Takeover;
  readonly onReplace: () => void;
};

/** Another skill has the name: who each of the two is, what differs, and the choice. */
export const TakeoverQuestion = ({ takeover, onReplace }: TakeoverQuestionProps) => {
  const { installed, incoming, differences } = takeover;
  return (
    <section className={styles['block']} aria-label="This name is taken">
      <h3>This name is taken</h3>
      <dl>
        <dt>Installed</dt>
        <dd>{visible(identityWords(installed))}</dd>
        <dt>Incoming</dt>
        <dd>{visible(identityWords(incoming))}</dd>
      </dl>
      {differences.length > 0 && (
        <ul aria-label="Files that differ">
          {differences.slice(0, SHOWN).map((difference) => (
            <li key={difference}>
              <code>{visible(difference)}</code>
            </li>
          ))}
          {differences.length > SHOWN && <li>and {differences.length - SHOWN} more</li>}
        </ul>
      )}
      <p className={styles['ask']}>
        Replacing it removes the installed tools. The new skill doesn’t get the old credentials.
        <Button look="danger" onPress={onReplace}>
          Replace installed skill
        </Button>
      </p>
    </section>
  );
};
