import type { FolderWords } from '../../model/session-view/folder-words.ts';
import { Button } from '../../ui/button.tsx';
import styles from './folder-banner.module.css';

export type FolderBannerProps = {
  readonly words: FolderWords;
  readonly onNewSession: () => void;
};

/** The folder is not any more what the session started with (D25). */
export const FolderBanner = ({ words, onNewSession }: FolderBannerProps) => (
  <div className={styles['banner']} role="status">
    <p>
      <strong>{words.what}</strong> {words.cost}
    </p>
    <Button onPress={onNewSession}>New session</Button>
  </div>
);
