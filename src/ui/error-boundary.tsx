import { Component, type ErrorInfo, type ReactNode } from 'react';
import { errorMessage } from '../base/errors.ts';
import { Button } from './button.tsx';
import { CodeText } from './code-text.tsx';
import styles from './error-boundary.module.css';

export type ErrorBoundaryProps = {
  /** The region that it guards, as people call it. */
  readonly name: string;
  readonly onError: (thrown: unknown, details: string) => void;
  readonly onCopy: (text: string) => void;
  readonly children: ReactNode;
};

type State = { readonly details: string | undefined; readonly message: string };

const FINE: State = { details: undefined, message: '' };

/** A defect in one region leaves the others working, and says what to do. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = FINE;

  static getDerivedStateFromError(thrown: unknown): State {
    const message = errorMessage(thrown);
    return { message, details: (thrown instanceof Error && thrown.stack) || message };
  }

  override componentDidCatch(thrown: unknown, { componentStack }: ErrorInfo): void {
    const details = `${this.props.name}: ${this.state.details ?? ''}\n${componentStack ?? ''}`;
    this.setState({ details });
    this.props.onError(thrown, details);
  }

  override render(): ReactNode {
    const { details, message } = this.state;
    if (details === undefined) return this.props.children;
    return (
      <div className={styles['failed']} role="alert">
        <p className={styles['title']}>{this.props.name} crashed</p>
        <p>
          The rest of the page still works, and nothing was saved or sent. Load it again. If it still fails, copy the
          details and report them.
        </p>
        <CodeText>{message}</CodeText>
        <div className={styles['actions']}>
          <Button look="primary" icon="reload" onPress={() => this.setState(FINE)}>
            Load again
          </Button>
          <Button icon="copy" onPress={() => this.props.onCopy(details)}>
            Copy details
          </Button>
        </div>
      </div>
    );
  }
}
