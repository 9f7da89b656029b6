import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';

export type DialogProps = {
  /** The accessible name, and the heading unless `bare`. */
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, the one that Enter would mean last. */
  readonly footer?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large' | 'whole';
  /** `alertdialog` for a question that must be answered. */
  readonly role?: 'dialog' | 'alertdialog';
  /** Without head and padding: the content brings its own. */
  readonly bare?: boolean;
};

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]';

/** A text that scrolls and holds nothing to go to can be reached itself, so that keys scroll it. */
const keepReachable = (body: HTMLElement | null): (() => void) | undefined => {
  if (!body) return undefined;
  const look = (): void => {
    const isText = body.scrollHeight > body.clientHeight && body.querySelector(FOCUSABLE) === null;
    if (isText) body.tabIndex = 0;
    else body.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver(look);
  observer.observe(body);
  return () => observer.disconnect();
};

/** A question or a page above the workbench. Escape closes it, and focus goes back to where it came from. */
export const Dialog = ({
  title,
  isOpen,
  onClose,
  children,
  footer,
  size = 'medium',
  role = 'dialog',
  bare = false,
}: DialogProps) => (
  <ModalOverlay
    className={styles['overlay'] ?? ''}
    isOpen={isOpen}
    onOpenChange={(open) => {
      if (!open) onClose();
    }}
    isDismissable={role === 'dialog'}
    data-modal=""
  >
    <Modal className={styles['modal'] ?? ''} data-size={size}>
      <AriaDialog className={styles['dialog'] ?? ''} role={role} {...(bare && { 'aria-label': title })}>
        {bare ? (
          children
        ) : (
          <>
            <header className={styles['head']}>
              <Heading slot="title" level={2} className={styles['title'] ?? ''}>
                {title}
              </Heading>
              <IconButton label="Close" icon="close" onPress={onClose} />
            </header>
            <div ref={keepReachable} className={styles['body']} role="group" aria-label={title}>
              {children}
            </div>
            {footer && <footer className={styles['foot']}>{footer}</footer>}
          </>
        )}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);
