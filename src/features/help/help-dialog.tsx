import { lazy, Suspense } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { HELP_TOPICS, type HelpTopic } from './help-topics.ts';

const HelpPage = lazy(() => import('./help-page.tsx'));

export type HelpDialogProps = {
  readonly topic: HelpTopic | undefined;
  readonly onTopic: (topic: HelpTopic | undefined) => void;
};

export const HelpDialog = ({ topic, onTopic }: HelpDialogProps) => {
  const title = HELP_TOPICS.find(({ id }) => id === topic)?.title ?? '';
  return (
    <Dialog title={`Help: ${title}`} isOpen={topic !== undefined} onClose={() => onTopic(undefined)}>
      {topic && (
        <Suspense fallback={<p role="status">Loading the page…</p>}>
          <HelpPage topic={topic} onTopic={onTopic} />
        </Suspense>
      )}
    </Dialog>
  );
};
