import { IconButton } from '../../ui/button.tsx';
import styles from './sources-panel.module.css';

export type SourceProps = {
  readonly name: string;
  readonly about: string;
  readonly cost?: string | undefined;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  readonly onClose?: (() => void) | undefined;
};

/** One source of requests in the list. */
export const Source = ({ name, about, cost, isCurrent, onOpen, onClose }: SourceProps) => (
  <li className={styles['row']}>
    <button type="button" className={styles['source']} onClick={onOpen} {...(isCurrent && { 'aria-current': true })}>
      <span className={styles['name']}>{name}</span>
      {cost !== undefined && <span className={styles['cost']}>{cost}</span>}
      <span className={styles['about']}>{about}</span>
    </button>
    {onClose && <IconButton label={`Close ${name}`} icon="close" onPress={onClose} />}
  </li>
);
