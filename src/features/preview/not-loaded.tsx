import type { EditedLibrary } from '../../model/preview/edited.ts';
import styles from './not-loaded.module.css';

/** Why the model would see nothing of this skill. */
export const NotLoaded = ({ edited }: { readonly edited: EditedLibrary | undefined }) => {
  if (!edited)
    return (
      <p className={styles['text']}>
        Sessions don’t look in this folder, so no model sees the file. Move it below <code>skills/</code> or{' '}
        <code>.agents/skills/</code>.
      </p>
    );
  if (edited.hiddenBy)
    return (
      <p className={styles['text']}>
        Another skill is called <code>{edited.item?.skill.name}</code> and takes precedence:{' '}
        <code>{edited.hiddenBy.path}</code> in the {edited.hiddenBy.layer} layer. The model sees that one.
      </p>
    );
  return (
    <div className={styles['text']}>
      <p className={styles['lead']}>Will not load</p>
      <p>Sessions don’t load this skill, so no model sees it.</p>
      <ul className={styles['errors']}>
        {edited.errors.map(({ rule, message, range }) => (
          <li key={`${rule} ${range.start}`}>{message}</li>
        ))}
      </ul>
    </div>
  );
};
