import { mergeTexts } from '../../model/files/merge.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Editor } from './editor.ts';
import type { OpenText } from './needs.ts';
import styles from './notices.module.css';

export type NoticesProps = {
  readonly editor: Editor;
  readonly document: OpenText;
};

const Conflict = ({ editor, document }: NoticesProps) => {
  const { needs } = editor;
  const { path, text, conflict } = document;
  if (!conflict) return null;
  const { conflicts } = mergeTexts({ base: conflict.base, mine: text, theirs: conflict.disk });
  return (
    <div className={styles['notice']} data-tone="warning" role="alert">
      <Icon name="warning" />
      <p className={styles['text']}>
        <b>This file changed on disk while you edited it.</b>{' '}
        {conflicts === 0
          ? 'The changes don’t overlap, so you can keep both.'
          : `Both versions changed the same lines in ${conflicts === 1 ? 'one place' : `${conflicts} places`}. Merging marks them.`}
      </p>
      <div className={styles['actions']}>
        <Button look={conflicts === 0 ? 'primary' : 'plain'} onPress={() => needs.resolveConflict(path, 'merge')}>
          {conflicts === 0 ? 'Keep both' : 'Merge with conflict markers'}
        </Button>
        <Button onPress={() => editor.setCompare({ path, left: 'disk', right: 'mine' })}>Compare</Button>
        <Button onPress={() => needs.resolveConflict(path, 'mine')}>Keep mine</Button>
        <Button onPress={() => needs.resolveConflict(path, 'disk')}>Use disk version</Button>
      </div>
    </div>
  );
};

/** What is the matter with the file, where it is, with what to do next. */
export const Notices = ({ editor, document }: NoticesProps) => {
  const { path, readOnly, canTakeOver, problem, isGone, recoveredFrom, conflict, saved, text } = document;
  const isRecovered = recoveredFrom !== undefined && !conflict && text !== saved;
  return (
    <>
      {conflict && <Conflict editor={editor} document={document} />}
      {problem !== undefined && (
        <div className={styles['notice']} data-tone="error" role="alert">
          <Icon name="error" />
          <p className={styles['text']}>{problem}</p>
          <div className={styles['actions']}>
            <Button onPress={() => void editor.save()}>Save again</Button>
          </div>
        </div>
      )}
      {isGone === true && (
        <div className={styles['notice']} data-tone="warning" role="alert">
          <Icon name="warning" />
          <p className={styles['text']}>Another program deleted or moved this file. Your text is still here.</p>
          <div className={styles['actions']}>
            <Button onPress={() => void editor.save()}>Recreate file</Button>
            <Button onPress={() => editor.close(path)}>Close</Button>
          </div>
        </div>
      )}
      {isRecovered && (
        <div className={styles['notice']} data-tone="info" role="status">
          <Icon name="info" />
          <p className={styles['text']}>
            Unsaved text of{' '}
            {new Date(recoveredFrom).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })} was restored.
          </p>
          <div className={styles['actions']}>
            <Button onPress={editor.compareWithDisk}>Compare</Button>
            <Button onPress={() => editor.needs.reload(path)}>Discard</Button>
          </div>
        </div>
      )}
      {readOnly !== undefined && (
        <div className={styles['notice']} data-tone="info" role="status">
          <Icon name="info" />
          <p className={styles['text']}>Read only. {readOnly}</p>
          {canTakeOver === true && (
            <div className={styles['actions']}>
              <Button onPress={() => editor.needs.takeOver?.()}>Take over</Button>
            </div>
          )}
        </div>
      )}
    </>
  );
};
