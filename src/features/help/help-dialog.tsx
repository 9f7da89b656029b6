import { lazy, Suspense } from 'react';
import { Dialog } from '../../ui/dialog.tsx';

const HelpPage = lazy(() => import('./help-page.tsx'));

export type HelpDialogProps<Topic extends string> = {
  readonly topics: readonly { readonly id: Topic; readonly title: string }[];
  readonly topic: Topic | undefined;
  readonly onTopic: (topic: Topic | undefined) => void;
};

export const HelpDialog = <Topic extends string>({ topics, topic, onTopic }: HelpDialogProps<Topic>) => {
  const title = topics.find(({ id }) => id === topic)?.title ?? '';
  return (
    <Dialog title={`Help: ${title}`} isOpen={topic !== undefined} onClose={() => onTopic(undefined)}>
      {topic && (
        <Suspense fallback={<p role="status">Loading the page…</p>}>
          <HelpPage
            topic={topic}
            onLink={(page) => {
              const linked = topics.find(({ id }) => id === page);
              return linked && (() => onTopic(linked.id));
            }}
          />
        </Suspense>
      )}
    </Dialog>
  );
};
