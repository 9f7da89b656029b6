/** What the Responses API keeps: responses, their items, conversations. */
import { describe, expect, it } from 'vitest';
import { newSimulator, OPENAI, sendTo, textOf } from './testing/simulate.ts';

interface Told {
  readonly id: string;
  readonly status: string;
  readonly output: readonly { readonly id: string; readonly type: string }[];
  readonly data: readonly { readonly id: string; readonly role?: string }[];
  readonly usage: { readonly input_tokens: number };
  readonly error: { readonly message: string; readonly param: string };
}

const talk = (simulator = newSimulator()) => ({
  post: async (path: string, body: unknown) => {
    const response = await sendTo(simulator, path, body, OPENAI);
    return { ...(JSON.parse(textOf(response)) as Told), code: response.status };
  },
  ask: async (method: string, path: string, headers: Readonly<Record<string, string>> = OPENAI) => {
    const response = await simulator.handle({ method, path, headers, body: '' });
    return { ...(JSON.parse(textOf(response)) as Told), code: response.status };
  },
});
const said = { model: 'gpt-5.2', input: 'My name is Ada.' };

describe('responses that are kept', () => {
  it('SI65: a response is given out again, with what was sent for it, and can be deleted', async () => {
    const { post, ask } = talk();
    const first = await post('/v1/responses', { ...said, background: true });
    expect(await ask('GET', `/v1/responses/${first.id}`)).toMatchObject({ id: first.id, status: 'completed' });
    const second = await post('/v1/responses', { ...said, input: 'And?', previous_response_id: first.id });
    const items = await ask('GET', `/v1/responses/${second.id}/input_items?order=asc`);
    expect(items.data.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect((await ask('GET', `/v1/responses/${first.id}`, { authorization: 'Bearer other' })).code).toBe(404);
    expect((await ask('DELETE', `/v1/responses/${first.id}`)).code).toBe(200);
    expect((await ask('GET', `/v1/responses/${first.id}`)).code).toBe(404);
  });

  it('SI65: an item stands for itself where its id is sent', async () => {
    const { post } = talk();
    const first = await post('/v1/responses', said);
    const [message] = first.output;
    const input = (item: object) => [{ role: 'user', content: said.input }, item, { role: 'user', content: 'And?' }];
    const named = await post('/v1/responses', {
      ...said,
      input: input({ type: 'item_reference', id: message?.id ?? '' }),
    });
    const whole = await post('/v1/responses', { ...said, input: input(message ?? {}) });
    expect(named.usage.input_tokens).toBe(whole.usage.input_tokens);
    const unknown = await post('/v1/responses', { ...said, input: [{ type: 'item_reference', id: 'msg_0' }] });
    expect([unknown.code, unknown.error.message]).toEqual([404, "Item with id 'msg_0' not found."]);
  });

  it('SI65: a conversation grows with what is said in it', async () => {
    const { post, ask } = talk();
    const { id } = await post('/v1/conversations', { items: [{ role: 'developer', content: 'Be short.' }] });
    const first = await post('/v1/responses', { ...said, conversation: id });
    const second = await post('/v1/responses', { ...said, input: 'And?', conversation: { id } });
    expect(second.usage.input_tokens).toBeGreaterThan(first.usage.input_tokens);
    expect((await ask('GET', `/v1/conversations/${id}/items?order=asc`)).data).toHaveLength(5);
    expect((await post('/v1/responses', { ...said, conversation: 'conv_0' })).code).toBe(404);
  });

  it('SI7: what is not served is said in words', async () => {
    const refused = await talk().post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a' });
    expect(refused.code).toBe(404);
    expect(refused.error.message).toContain("doesn't serve POST /v1/embeddings");
  });
});
