import { useEffect, useId, useRef, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { costOf } from '../../model/provider/cost.ts';
import type { Block, CallResult, ProviderId, WireRequest } from '../../model/provider/types.ts';
import { promptTokens } from '../../model/provider/types.ts';
import { prettyJson, type RawCall } from '../../model/session-view/raw-call.ts';
import { groupDigits, usdText } from '../../model/session-view/words.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import type { SessionNeeds } from './needs.ts';
import styles from './send-again.module.css';

export type SendAgainProps = { readonly call: RawCall; readonly needs: SessionNeeds };

type State =
  | { readonly status: 'writing' }
  | { readonly status: 'running' }
  | { readonly status: 'done'; readonly result: CallResult; readonly model: string }
  | { readonly status: 'wrong'; readonly why: string };

const readBody = (text: string): WireRequest['body'] | string => {
  const parsed = parseJson(text);
  if (!parsed.ok) return `This isn't valid JSON: ${parsed.error}`;
  return isObject(parsed.value) ? parsed.value : 'The body must be a JSON object.';
};

const blockText = (block: Block): string => {
  if (block.type === 'text' || block.type === 'thinking') return block.text;
  return JSON.stringify(block, null, 2);
};

const Result = ({ result, model }: { readonly result: CallResult; readonly model: string }) => (
  <div className={styles['result']} role="group" aria-label="Response">
    <p>
      <Badge tone="warning">not part of the session</Badge>{' '}
      {result.usage &&
        `${groupDigits(promptTokens(result.usage))} tokens in (${groupDigits(result.usage.read)} read), ${groupDigits(result.usage.output)} out, ${usdText(costOf(result.usage, model).usd)}`}
    </p>
    {!result.ok && (
      <p className={styles['error']} role="alert">
        {result.error.message} {result.error.nextStep}
      </p>
    )}
    {result.content.map((block, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- they never change
      <CodeText key={index} block={`${block.type}, untrusted content`}>
        {blockText(block)}
      </CodeText>
    ))}
  </div>
);

/** The body of a call, to be changed and sent once more. Nothing of it becomes part of the session. */
export const SendAgain = ({ call, needs }: SendAgainProps) => {
  const id = useId();
  const [text, setText] = useState(() => prettyJson(call.attempts.at(-1)?.body ?? ''));
  const [state, setState] = useState<State>({ status: 'writing' });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const send = async (): Promise<void> => {
    const body = readBody(text);
    if (typeof body === 'string') {
      setState({ status: 'wrong', why: body });
      return;
    }
    const controller = new AbortController();
    abort.current = controller;
    setState({ status: 'running' });
    try {
      const services = await needs.services();
      const result = await services.sendBody(call.provider as ProviderId, body, { signal: controller.signal });
      setState({ status: 'done', result, model: typeof body['model'] === 'string' ? body['model'] : call.model });
    } catch (thrown) {
      setState({ status: 'wrong', why: errorMessage(thrown) });
    }
  };

  return (
    <div className={styles['again']}>
      <p className={styles['about']}>
        Lathe sends this body to {call.provider}. The response appears below and isn't part of the session. It costs as
        much as any request, and can write to the cache.
      </p>
      <label className={styles['label']} htmlFor={id}>
        Body
      </label>
      <textarea
        id={id}
        className={styles['body']}
        rows={14}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={styles['actions']}>
        <Button
          look="primary"
          onPress={() => void send()}
          {...(state.status === 'running' && { disabledReason: 'Sending…' })}
        >
          Send body
        </Button>
        {state.status === 'running' && <Button onPress={() => abort.current?.abort()}>Stop</Button>}
      </div>
      {state.status === 'running' && <p role="status">Waiting for response…</p>}
      {state.status === 'wrong' && (
        <p className={styles['error']} role="alert">
          {state.why}
        </p>
      )}
      {state.status === 'done' && <Result result={state.result} model={state.model} />}
    </div>
  );
};
