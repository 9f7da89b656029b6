import type { Status } from '../../model/event/describe.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './event-stream.module.css';

const ICONS: Readonly<Record<Status, IconName>> = { ok: 'check', error: 'error', warning: 'warning', info: 'info' };

/** A image and a word: color is never the only sign. */
export const StatusMark = ({ status }: { readonly status: Status }) => (
  <span className={styles['status']} data-status={status}>
    {status === 'info' ? null : <Icon name={ICONS[status]} />}
    {status === 'info' ? '' : status}
  </span>
);
