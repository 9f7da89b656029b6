import type { MouseEvent } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { type PageView, VIEWS } from '../views/registry.ts';
import styles from './rail.module.css';

export type RailProps = {
  readonly inFront: PageView;
  /** The address of a view, with its `#`. */
  readonly addressOf: (view: PageView) => string;
  readonly onGo: (view: PageView) => void;
  readonly onHelp: () => void;
  /** The step of the tour that is about the rail. */
  readonly isHighlighted: boolean;
};

type ItemProps = {
  readonly label: string;
  readonly icon: IconName;
  readonly href: string;
  readonly isCurrent?: boolean;
  readonly onGo: () => void;
};

/** A link, so that it can be copied and opened in another tab. A plain click stays in the page. */
const Item = ({ label, icon, href, isCurrent = false, onGo }: ItemProps) => {
  const go = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onGo();
  };
  return (
    <li>
      <a className={styles['item']} href={href} onClick={go} {...(isCurrent && { 'aria-current': 'page' })}>
        <Icon name={icon} />
        {label}
      </a>
    </li>
  );
};

/** The views of the page, and at the foot what is needed seldom. */
export const Rail = ({ inFront, addressOf, onGo, onHelp, isHighlighted }: RailProps) => {
  const items = (isAtFoot: boolean) =>
    VIEWS.filter((view) => ('isAtFoot' in view && view.isAtFoot) === isAtFoot).map((view) => (
      <Item
        key={view.id}
        label={view.label}
        icon={view.icon}
        href={addressOf(view) || '#'}
        isCurrent={view === inFront}
        onGo={() => onGo(view)}
      />
    ));
  return (
    <nav className={styles['rail']} aria-label="Views" data-highlight={isHighlighted}>
      <ul>{items(false)}</ul>
      <ul className={styles['foot']}>
        {items(true)}
        <Item label="Help" icon="help" href={addressOf(inFront) || '#'} onGo={onHelp} />
      </ul>
    </nav>
  );
};
