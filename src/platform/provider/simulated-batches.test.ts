/** The batch clients of both official SDKs against the simulator, unmodified. */
import { toFile } from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../model/simulator/simulator.ts';
import { connect, TRANSPORTS, type Connected } from './testing/simulated-transport.ts';

const CLAUDE = 'claude-sonnet-5-5';
const GPT = 'gpt-5.6-terra';
const HOUR = 3_600_000;

const ask = (content: string) => ({
  model: CLAUDE,
  max_tokens: 200,
  messages: [{ role: 'user' as const, content }],
});
const words = (count: number) => Array.from({ length: count }, (_, index) => `Say hello number ${index}`);

const collect = async <Value>(all: AsyncIterable<Value>): Promise<Value[]> => {
  const found: Value[] = [];
  for await (const value of all) found.push(value);
  return found;
};

describe.each(TRANSPORTS)('batches of the SDKs over %s', (transport) => {
  let connected: Connected | undefined;
  const open = async (options: Partial<SimulatorOptions> = {}): Promise<Connected> =>
    (connected = await connect(transport, options));
  afterEach(async () => {
    await connected?.close();
    connected = undefined;
  });

  const create = ({ anthropic }: Connected, texts: readonly string[]) =>
    anthropic.messages.batches.create({
      requests: texts.map((text, index) => ({ custom_id: `row-${index}`, params: ask(text) })),
    });

  it('SI70: Anthropic: ends after its time, and every row has the answer of a direct call', async () => {
    const opened = await open({ batchMs: 1000 });
    const { anthropic, simulator, url } = opened;
    const texts = words(12);
    const batch = await create(opened, texts);
    expect(batch).toMatchObject({
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { processing: 12, succeeded: 0 },
      results_url: null,
      ended_at: null,
    });
    simulator.advance(500);
    const half = await anthropic.messages.batches.retrieve(batch.id);
    expect(half).toMatchObject({ processing_status: 'in_progress', request_counts: { processing: 12 } });
    await expect(anthropic.messages.batches.results(batch.id)).rejects.toThrow(/results_url/);
    simulator.advance(500);
    const ended = await anthropic.messages.batches.retrieve(batch.id);
    expect(ended).toMatchObject({
      processing_status: 'ended',
      request_counts: { processing: 0, succeeded: 12 },
      results_url: `${url}/v1/messages/batches/${batch.id}/results`,
    });
    const rows = await collect(await anthropic.messages.batches.results(batch.id));
    const ids = rows.map(({ custom_id: id }) => id);
    expect(ids.toSorted()).toEqual(texts.map((_, index) => `row-${index}`).toSorted());
    expect(ids).not.toEqual(texts.map((_, index) => `row-${index}`));
    for (const { custom_id: id, result } of rows) {
      if (result.type !== 'succeeded') throw new Error(result.type);
      const direct = await anthropic.messages.create(ask(texts[Number(id.slice(4))] ?? ''));
      expect(result.message.content).toEqual(direct.content);
      expect(result.message.usage).toMatchObject({
        service_tier: 'batch',
        input_tokens: direct.usage.input_tokens,
        output_tokens: direct.usage.output_tokens,
      });
    }
  });

  it('SI71: Anthropic: wrong parameters are errored rows, and a wrong list is refused', async () => {
    const { anthropic } = await open();
    const good = { custom_id: 'good', params: ask('Hello') };
    const batch = await anthropic.messages.batches.create({
      requests: [
        good,
        { custom_id: 'zero', params: { ...ask('Hello'), max_tokens: 0 } },
        { custom_id: 'model', params: { ...ask('Hello'), model: 'claude-sonet-9' } },
      ],
    });
    const rows = await collect(await anthropic.messages.batches.results(batch.id));
    const results = new Map(rows.map(({ custom_id: id, result }) => [id, result]));
    expect(results.get('good')?.type).toBe('succeeded');
    expect(results.get('zero')).toMatchObject({
      type: 'errored',
      error: { type: 'error', error: { type: 'invalid_request_error' } },
    });
    expect(results.get('model')).toMatchObject({ type: 'errored', error: { error: { type: 'not_found_error' } } });
    await expect(anthropic.messages.batches.create({ requests: [good, good] })).rejects.toThrow(/unique/);
    await expect(anthropic.messages.batches.create({ requests: [] })).rejects.toThrow(/at least 1/);
    await expect(anthropic.messages.batches.create({ requests: [{ ...good, custom_id: 'a b' }] })).rejects.toThrow(
      /custom_id/,
    );
    await expect(anthropic.messages.batches.retrieve('msgbatch_other')).rejects.toThrow(/404/);
  });

  it('SI72: Anthropic: what was done before it was canceled or expired stays', async () => {
    const opened = await open({ batchMs: 40 * HOUR });
    const { anthropic, simulator } = opened;
    const canceled = await create(opened, words(10));
    simulator.advance(12 * HOUR);
    await expect(anthropic.messages.batches.delete(canceled.id)).rejects.toThrow(/in progress/);
    expect((await anthropic.messages.batches.cancel(canceled.id)).processing_status).toBe('canceling');
    expect(await anthropic.messages.batches.retrieve(canceled.id)).toMatchObject({
      processing_status: 'ended',
      request_counts: { succeeded: 3, canceled: 7 },
    });
    const expired = await create(opened, words(10));
    simulator.advance(24 * HOUR);
    expect(await anthropic.messages.batches.retrieve(expired.id)).toMatchObject({
      processing_status: 'ended',
      request_counts: { succeeded: 6, expired: 4 },
    });
    expect(await anthropic.messages.batches.delete(canceled.id)).toEqual({
      id: canceled.id,
      type: 'message_batch_deleted',
    });
  });

  it('SI73: Anthropic: the list has pages, newest first, and only the own batches', async () => {
    const opened = await open();
    const { anthropic } = opened;
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift((await create(opened, ['Hello'])).id);
    const listed = await collect(anthropic.messages.batches.list({ limit: 2 }));
    expect(listed.map(({ id }) => id)).toEqual(ids);
    const [first = ''] = ids;
    const other = anthropic.withOptions({ apiKey: 'sk-other' });
    expect(await collect(other.messages.batches.list())).toEqual([]);
    await expect(other.messages.batches.retrieve(first)).rejects.toThrow(/404/);
  });

  const rowOf = (text: string, index: number, url = '/v1/responses') =>
    JSON.stringify({
      custom_id: `row-${index}`,
      method: 'POST',
      url,
      body:
        url === '/v1/responses'
          ? { model: GPT, input: text }
          : { model: GPT, messages: [{ role: 'user', content: text }] },
    });

  const start = async (
    { openai }: Connected,
    lines: readonly string[],
    endpoint: '/v1/responses' | '/v1/chat/completions' = '/v1/responses',
  ) => {
    const file = await openai.files.create({
      purpose: 'batch',
      file: await toFile(Buffer.from(lines.join('\n')), 'rows.jsonl'),
    });
    return openai.batches.create({
      input_file_id: file.id,
      endpoint,
      completion_window: '24h',
      metadata: { lathe_run: 'r1' },
    });
  };

  interface OutputRow {
    readonly custom_id: string;
    readonly response: { readonly status_code: number; readonly body: { readonly output: unknown } } | null;
    readonly error: { readonly code: string } | null;
  }

  const rowsIn = async ({ openai }: Connected, id: string | null | undefined): Promise<readonly OutputRow[]> => {
    const content = await openai.files.content(id ?? '');
    const lines = (await content.text()).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as OutputRow);
  };

  it('SI74: OpenAI: a file goes in, and a file with the answers of direct calls comes out', async () => {
    const opened = await open({ batchMs: 1000 });
    const { openai, simulator } = opened;
    const texts = words(8);
    const batch = await start(
      opened,
      texts.map((text, index) => rowOf(text, index)),
    );
    expect(batch).toMatchObject({ object: 'batch', status: 'validating', output_file_id: null });
    expect((await openai.batches.retrieve(batch.id)).status).toBe('in_progress');
    simulator.advance(1000);
    const done = await openai.batches.retrieve(batch.id);
    expect(done).toMatchObject({
      status: 'completed',
      error_file_id: null,
      request_counts: { total: 8, completed: 8, failed: 0 },
      metadata: { lathe_run: 'r1' },
      model: GPT,
    });
    const rows = await rowsIn(opened, done.output_file_id);
    expect(rows.map(({ custom_id: id }) => id).toSorted()).toEqual(texts.map((_, index) => `row-${index}`));
    for (const { custom_id: id, response } of rows) {
      const direct = await openai.responses.create({ model: GPT, input: texts[Number(id.slice(4))] ?? '' });
      const textOf = (output: unknown) => JSON.stringify(output).match(/"text":"[^"]*"/g);
      expect(textOf(response?.body.output)).toEqual(textOf(direct.output));
    }
    expect((await collect(openai.batches.list())).map(({ id }) => id)).toEqual([batch.id]);
  });

  it('SI75: OpenAI: failed rows are in the error file, and a batch may have no other', async () => {
    const opened = await open();
    const { openai } = opened;
    const bad = (index: number) =>
      JSON.stringify({
        custom_id: `bad-${index}`,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: GPT, messages: 7 },
      });
    const mixed = await start(opened, [rowOf('Hello', 0, '/v1/chat/completions'), bad(1)], '/v1/chat/completions');
    const done = await openai.batches.retrieve(mixed.id);
    expect(done).toMatchObject({ status: 'completed', request_counts: { total: 2, completed: 1, failed: 1 } });
    expect(await rowsIn(opened, done.error_file_id)).toMatchObject([
      { custom_id: 'bad-1', response: { status_code: 400, body: { error: { type: 'invalid_request_error' } } } },
    ]);
    const none = await start(opened, [bad(1), bad(2)], '/v1/chat/completions');
    expect(await openai.batches.retrieve(none.id)).toMatchObject({
      status: 'completed',
      request_counts: { failed: 2 },
    });
    expect((await openai.batches.retrieve(none.id)).output_file_id ?? null).toBeNull();
  });

  it.each([
    ['invalid_json_line', ['{']],
    ['duplicate_custom_id', [rowOf('a', 1), rowOf('b', 1)]],
    ['url_mismatch', [rowOf('a', 1, '/v1/chat/completions')]],
    ['model_mismatch', [rowOf('a', 1), rowOf('a', 2).replace(GPT, 'gpt-5.6-sol')]],
    ['empty_file', [' ']],
  ])('SI76: OpenAI: a wrong file fails the batch with %s', async (code, lines) => {
    const opened = await open();
    const batch = await start(opened, lines);
    const failed = await opened.openai.batches.retrieve(batch.id);
    expect(failed.status).toBe('failed');
    expect(failed.errors?.data?.map((error) => error.code)).toEqual([code]);
  });

  it('SI77: OpenAI: expired and cancelled batches keep what was done', async () => {
    const opened = await open({ batchMs: 48 * HOUR });
    const { openai, simulator } = opened;
    const lines = words(4).map((text, index) => rowOf(text, index));
    const expired = await start(opened, lines);
    simulator.advance(24 * HOUR);
    const ended = await openai.batches.retrieve(expired.id);
    expect(ended).toMatchObject({ status: 'expired', request_counts: { total: 4, completed: 2 } });
    expect(await rowsIn(opened, ended.output_file_id)).toHaveLength(2);
    expect((await rowsIn(opened, ended.error_file_id)).map(({ error }) => error?.code)).toEqual([
      'batch_expired',
      'batch_expired',
    ]);
    const cancelled = await start(opened, lines);
    simulator.advance(12 * HOUR);
    expect((await openai.batches.cancel(cancelled.id)).status).toBe('cancelling');
    expect(await openai.batches.retrieve(cancelled.id)).toMatchObject({
      status: 'cancelled',
      request_counts: { completed: 1 },
    });
    expect(await openai.files.delete(expired.input_file_id)).toMatchObject({ deleted: true });
  });
});
