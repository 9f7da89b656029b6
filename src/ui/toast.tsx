import {
  Text,
  UNSTABLE_Toast,
  UNSTABLE_ToastContent,
  UNSTABLE_ToastQueue,
  UNSTABLE_ToastRegion,
} from 'react-aria-components/Toast';
import { IconButton } from './button.tsx';
import styles from './toast.module.css';

export type Toasts = {
  /** Says that something was done. An error, or anything the user must see, has its own place as well. */
  readonly say: (text: string) => void;
  readonly queue: UNSTABLE_ToastQueue<string>;
};

const SHOWN_FOR_MS = 5000;

export const createToasts = (): Toasts => {
  const queue = new UNSTABLE_ToastQueue<string>({ maxVisibleToasts: 3 });
  return { queue, say: (text) => void queue.add(text, { timeout: SHOWN_FOR_MS }) };
};

export const ToastRegion = ({ toasts }: { readonly toasts: Toasts }) => (
  <UNSTABLE_ToastRegion queue={toasts.queue} className={styles['region'] ?? ''} aria-label="Messages">
    {({ toast }) => (
      <UNSTABLE_Toast toast={toast} className={styles['toast'] ?? ''}>
        <UNSTABLE_ToastContent>
          <Text slot="title">{toast.content}</Text>
        </UNSTABLE_ToastContent>
        <IconButton slot="close" label="Dismiss" icon="close" />
      </UNSTABLE_Toast>
    )}
  </UNSTABLE_ToastRegion>
);
