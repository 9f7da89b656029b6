import { useStore } from 'zustand';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './notices.module.css';
import type { ShellStore } from './shell-state.ts';

/** Lines below the bar that stay until they are answered. */
export const Notices = ({ shell }: { readonly shell: ShellStore }) => {
  const notices = useStore(shell, (state) => state.notices);
  return (
    <div className={styles['notices']} role="status" aria-label="Notices">
      {notices.map(({ id, tone, text, action }) => (
        <div key={id} className={styles['notice']} data-tone={tone}>
          <Icon name={tone === 'error' ? 'error' : 'info'} />
          <p className={styles['text']}>{text}</p>
          {action && (
            <Button
              look="primary"
              onPress={() => {
                // Answered: what comes of it may bring a notice of its own.
                shell.dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" icon="close" onPress={() => shell.dismiss(id)} />
        </div>
      ))}
    </div>
  );
};
