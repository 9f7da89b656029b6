import { Separator } from 'react-resizable-panels';
import styles from './splitter.module.css';

/**
 * The line between two regions: drag it, or focus it and use the arrows, Home, End and Enter (puts the region away).
 * A double click gives the region its default size.
 */
export const Splitter = ({ label }: { readonly label: string }) => (
  <Separator className={styles['splitter']} aria-label={label} />
);
