import { type ReactNode, useDeferredValue } from 'react';
import { groupDigits, plural } from '../../base/text.ts';
import type { AnswerBlock, TurnPart, TurnView } from '../../model/session-view/types.ts';
import type { LiveBlock, LiveCall, PendingApproval } from '../../stores/session-types.ts';
import { Badge } from '../../ui/badge.tsx';
import { MarkdownView } from '../preview/markdown-view.tsx';
import styles from './answer-view.module.css';
import { CallLine } from './call-line.tsx';
import { LiveToolCard, ToolCard } from './tool-card.tsx';
import type { TurnActions } from './turn-actions.ts';

export type AnswerViewProps = {
  readonly answer: TurnPart & { readonly kind: 'answer' };
  readonly live: LiveCall | undefined;
  readonly approvals: readonly PendingApproval[];
  readonly selected: string | undefined;
  readonly actions: TurnActions;
  readonly renderTurn: (turn: TurnView) => ReactNode;
};

/** Characters of an answer that are drawn. The rest is in the session's events. */
const MOST_SHOWN = 150_000;

/** While it streams: what came before the end that is shown. */
const Earlier = ({ before = 0 }: { readonly before: number | undefined }) =>
  before > 0 && (
    <p className={styles['other']}>The first {plural(before, 'character')} are hidden while the response streams.</p>
  );

/** What of a long text is not drawn. */
const Rest = ({ text }: { readonly text: string }) =>
  text.length > MOST_SHOWN && (
    <p className={styles['other']}>
      These are the first {plural(MOST_SHOWN, 'character')} of {groupDigits(text.length)}. Export the session to read
      the rest.
    </p>
  );

const Text = ({ text, actions }: { readonly text: string; readonly actions: TurnActions }) => {
  // A long text may be drawn a frame late; what is typed or clicked meanwhile comes first.
  const shown = useDeferredValue(text.slice(0, MOST_SHOWN));
  return (
    <div className={styles['text']}>
      <MarkdownView
        text={shown}
        {...(actions.onOpenFile && { onOpenFile: actions.onOpenFile })}
        {...(actions.onOpenSkill && { onOpenSkill: actions.onOpenSkill })}
      />
      <Rest text={text} />
    </div>
  );
};

const Thinking = ({ text, isLive }: { readonly text: string; readonly isLive: boolean }) => (
  <details className={styles['thinking']}>
    <summary>{isLive ? 'Thinking…' : 'Thinking'}</summary>
    <p>{text === '' ? 'The provider doesn’t show its thinking.' : text.slice(0, MOST_SHOWN)}</p>
    <Rest text={text} />
  </details>
);

/** Blocks keep their place in the list while they arrive and when they are kept, so that nothing moves. */
const Block = ({
  block,
  approvals,
  actions,
  renderTurn,
}: Pick<AnswerViewProps, 'approvals' | 'actions' | 'renderTurn'> & { readonly block: AnswerBlock }) => {
  switch (block.kind) {
    case 'text':
      return <Text text={block.text} actions={actions} />;
    case 'thinking':
      return <Thinking text={block.text} isLive={false} />;
    case 'tool':
      return (
        <ToolCard
          tool={block.tool}
          approval={approvals.find(({ request }) => request.toolUseId === block.tool.toolUseId)}
          renderTurn={renderTurn}
          metaskill={actions.metaskill}
          onShowChanges={actions.onShowChanges}
          progress={actions.progress}
          pauses={actions.pauses}
          writesAtOnce={actions.writesAtOnce()}
        />
      );
    case 'other':
      return <p className={styles['other']}>{block.label}</p>;
  }
};

const Live = ({ block, actions }: { readonly block: LiveBlock; readonly actions: TurnActions }) => {
  switch (block.kind) {
    case 'text':
      return (
        <>
          <Earlier before={block.before} />
          <Text text={block.text} actions={actions} />
        </>
      );
    case 'thinking':
      return <Thinking text={block.text} isLive />;
    case 'tool_input':
      return <LiveToolCard name={block.toolName ?? ''} input={block.text} />;
    case 'other':
      return null;
  }
};

/** What one call answered. */
export const AnswerView = ({ answer, live, approvals, selected, actions, renderTurn }: AnswerViewProps) => {
  const { call, blocks, partial } = answer;
  const isRunning = call?.status === 'running';
  const failed = call?.retries ?? [];
  return (
    <div className={styles['answer']}>
      {failed.map(({ message }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- attempts are only ever added
        <p key={index} className={styles['retry']}>
          Attempt {index + 1} failed: {message} {isRunning && index === failed.length - 1 ? 'Trying again…' : ''}
        </p>
      ))}
      {blocks.length > 0
        ? blocks.map((block, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- blocks are only ever added
            <Block key={index} block={block} approvals={approvals} actions={actions} renderTurn={renderTurn} />
          ))
        : live?.blocks.map((block, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- blocks are only ever added
            <Live key={index} block={block} actions={actions} />
          ))}
      {isRunning && (live?.blocks.length ?? 0) === 0 && blocks.length === 0 && (
        <p className={styles['waiting']}>{live?.hasAnswered ? 'Responding…' : `Waiting for ${call.model}…`}</p>
      )}
      {partial && (
        <p>
          <Badge tone="warning" label="The stream ended early. This is the partial response.">
            incomplete
          </Badge>
        </p>
      )}
      {call && (
        <CallLine
          call={call}
          isSelected={selected === call.requestId}
          onRaw={actions.onRaw}
          onSelect={actions.onSelectCall}
        />
      )}
    </div>
  );
};
