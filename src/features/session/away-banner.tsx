import { awayText, type Away } from '../../model/session/home.ts';
import { Button } from '../../ui/button.tsx';
import styles from './folder-banner.module.css';

export type AwayBannerProps = {
  readonly away: Away;
  readonly onGoHome: () => void;
  readonly onTakeOver: () => void;
};

/** The session can only be read here (D41), and the way to where it continues. */
export const AwayBanner = ({ away, onGoHome, onTakeOver }: AwayBannerProps) => (
  <div className={styles['banner']} role="status">
    <p>{awayText(away)}</p>
    {away.reason === 'tab' ? (
      <Button onPress={onTakeOver}>Take over</Button>
    ) : (
      <Button onPress={onGoHome}>{away.folder ? `Open ${away.folder.name}` : 'Open folder…'}</Button>
    )}
  </div>
);
