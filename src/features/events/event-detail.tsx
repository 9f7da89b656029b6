import { describeEvent } from '../../model/event/describe.ts';
import type { EventIndex } from '../../model/event/event-index.ts';
import type { LatheEvent } from '../../model/event/types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import styles from './event-stream.module.css';

export type EventDetailProps = {
  readonly event: LatheEvent;
  readonly cause: LatheEvent | undefined;
  readonly index: EventIndex;
  readonly onGoTo: (id: string) => void;
  readonly onClose: () => void;
};

/** One event as it is kept. */
export const EventDetail = ({ event, cause, index, onGoTo, onClose }: EventDetailProps) => (
  <aside className={styles['detail']} aria-label="Event">
    <header className={styles['detail-head']}>
      <h3 className={styles['title']}>{event.type}</h3>
      <IconButton label="Close" icon="close" onPress={onClose} />
    </header>
    <p className={styles['about']}>{describeEvent(event, { index })}</p>
    {cause && (
      <p className={styles['cause']}>
        Caused by{' '}
        <Button look="link" onPress={() => onGoTo(cause.id)}>
          {cause.type}
        </Button>
      </p>
    )}
    <CodeText block={`Event ${event.type} as JSON`}>{JSON.stringify(event, undefined, 2)}</CodeText>
  </aside>
);
