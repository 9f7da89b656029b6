import { useState } from 'react';
import type { Journal } from '../../model/event/journal.ts';
import type { ProviderId } from '../../model/provider/types.ts';
import { curlOf, sdkCodeOf } from '../../model/session-view/call-code.ts';
import { chunksOf, prettyJson, rawCall, type RawAttempt, type RawCall } from '../../model/session-view/raw-call.ts';
import { groupDigits } from '../../model/session-view/words.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import type { SessionNeeds } from './needs.ts';
import styles from './raw-dialog.module.css';
import { SendAgain } from './send-again.tsx';

export type RawDialogProps = {
  readonly journal: Journal;
  readonly requestId: string;
  readonly needs: SessionNeeds;
  readonly onClose: () => void;
};

const CUT = 200_000;

/** A very long text is cut: a page with megabytes in it does not scroll. */
const cut = (text: string): string =>
  text.length > CUT
    ? `${text.slice(0, CUT)}\n… ${groupDigits(text.length - CUT)} more characters. Copy to get everything.`
    : text;

const RequestTab = ({ call, needs }: { readonly call: RawCall; readonly needs: SessionNeeds }) => {
  const [chosen, setChosen] = useState(String(call.attempts.length - 1));
  const [isExact, setExact] = useState(false);
  const attempt: RawAttempt | undefined = call.attempts[Number(chosen)];
  if (!attempt) return <EmptyState title="Nothing was sent">The request ended before it was sent.</EmptyState>;
  const { body, url, wire } = attempt;
  if (body === undefined)
    return (
      <EmptyState title="Can’t show the body">
        The journal doesn’t have an earlier request that this one needs.
      </EmptyState>
    );
  const code = { provider: call.provider as ProviderId, wire, url, body };
  return (
    <div className={styles['tab']}>
      <p className={styles['facts']}>
        POST <code>{url}</code> · {groupDigits(new TextEncoder().encode(body).length)} bytes
      </p>
      <div className={styles['actions']}>
        {call.attempts.length > 1 && (
          <Select
            label="Attempt"
            options={call.attempts.map((item, index) => ({ value: String(index), label: `attempt ${item.attempt}` }))}
            value={chosen}
            onChange={setChosen}
          />
        )}
        <ToggleChip isOn={isExact} onChange={setExact}>
          As sent
        </ToggleChip>
        <Button icon="copy" onPress={() => needs.copy(body, 'Body copied')}>
          Copy body
        </Button>
        <Button icon="copy" onPress={() => needs.copy(curlOf(code), 'cURL copied')}>
          Copy as cURL
        </Button>
        <Button icon="copy" onPress={() => needs.copy(sdkCodeOf(code), 'Code copied')}>
          Copy as TypeScript
        </Button>
      </div>
      <CodeText block="Request body">{cut(isExact ? body : prettyJson(body))}</CodeText>
    </div>
  );
};

const ResponseTab = ({ call, needs }: { readonly call: RawCall; readonly needs: SessionNeeds }) => {
  const { response } = call;
  if (!response) return <EmptyState title="No response yet">Waiting for response…</EmptyState>;
  return (
    <div className={styles['tab']}>
      <p className={styles['facts']}>
        {response.status === null ? 'No status. The connection failed.' : `Status ${response.status}`} ·{' '}
        {groupDigits(response.text.length)} characters{response.truncated && ', cut'}
      </p>
      <div className={styles['actions']}>
        <Button icon="copy" onPress={() => needs.copy(response.text, 'Response copied')}>
          Copy response
        </Button>
      </div>
      <CodeText block="Response, untrusted content">{cut(prettyJson(response.text))}</CodeText>
    </div>
  );
};

const ChunksTab = ({ call }: { readonly call: RawCall }) => {
  const chunks = call.response ? chunksOf(call.response.text) : [];
  if (chunks.length === 0) return <EmptyState title="No chunks">The response wasn't an event stream.</EmptyState>;
  return (
    <div className={styles['tab']}>
      <p className={styles['facts']}>{chunks.length} events, in order of arrival</p>
      <ol className={styles['chunks']} aria-label="Chunks">
        {chunks.map(({ event, data }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never change
          <li key={index}>
            <span className={styles['event']}>{event}</span> <code>{data}</code>
          </li>
        ))}
      </ol>
    </div>
  );
};

/** One call as it went over the wire. */
export const RawDialog = ({ journal, requestId, needs, onClose }: RawDialogProps) => {
  const [tab, setTab] = useState('request');
  const call = rawCall(journal, requestId);
  return (
    <Dialog title="Raw request" isOpen onClose={onClose} size="large">
      {call ? (
        <div className={styles['content']}>
          <Tabs
            label="Request parts"
            selected={tab}
            onSelect={setTab}
            tabs={[
              { id: 'request', label: 'Request', content: <RequestTab call={call} needs={needs} /> },
              { id: 'response', label: 'Response', content: <ResponseTab call={call} needs={needs} /> },
              { id: 'chunks', label: 'Chunks', content: <ChunksTab call={call} /> },
              { id: 'again', label: 'Edit and resend', content: <SendAgain call={call} needs={needs} /> },
            ]}
          />
        </div>
      ) : (
        <EmptyState title="Request not found">It may belong to another session.</EmptyState>
      )}
    </Dialog>
  );
};
