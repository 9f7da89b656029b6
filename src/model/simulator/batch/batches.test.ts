import { describe, expect, it } from 'vitest';
import { ANTHROPIC, newSimulator, OPENAI, textOf } from '../testing/simulate.ts';
import { readForm } from './multipart.ts';

describe('batches of the simulator', () => {
  it('SI71, SI73: paths and methods that do not exist are refused', async () => {
    const simulator = newSimulator();
    const statusOf = async (method: string, path: string, headers: Readonly<Record<string, string>>) =>
      (await simulator.handle({ method, path, headers, body: '' })).status;
    expect(await statusOf('PUT', '/v1/messages/batches', ANTHROPIC)).toBe(404);
    expect(await statusOf('GET', '/v1/messages/batches/x/results/more', ANTHROPIC)).toBe(404);
    expect(await statusOf('GET', '/v1/messages/batches', {})).toBe(401);
    expect(await statusOf('GET', '/v1/batches/x', OPENAI)).toBe(404);
    expect(await statusOf('GET', '/v1/files?limit=0', OPENAI)).toBe(400);
    expect(await statusOf('POST', '/v1/files', OPENAI)).toBe(400);
    expect(await statusOf('POST', '/v1/batches', OPENAI)).toBe(400);
  });

  it('SI73: with `before_id`, the page that ends there', async () => {
    const simulator = newSimulator();
    const ask = async (method: string, path: string, body: object = {}) => {
      const response = await simulator.handle({ method, path, headers: ANTHROPIC, body: JSON.stringify(body) });
      return JSON.parse(textOf(response)) as { id: string; data: { id: string }[]; has_more: boolean };
    };
    const params = { model: 'claude-haiku-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
    const ids: string[] = [];
    for (let index = 0; index < 4; index++)
      ids.unshift((await ask('POST', '/v1/messages/batches', { requests: [{ custom_id: 'a', params }] })).id);
    const page = await ask('GET', `/v1/messages/batches?limit=2&before_id=${ids[3]}`);
    expect(page.data.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    expect(page.has_more).toBe(true);
  });

  it('SI74: reads forms, and nothing else', () => {
    const type = 'multipart/form-data; boundary=xx';
    const form =
      '--xx\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n' +
      '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\nContent-Type: text/plain\r\n\r\n{"a":1}\n\r\n--xx--\r\n';
    expect(readForm(type, form)).toEqual([
      { name: 'purpose', text: 'batch' },
      { name: 'file', fileName: 'a.jsonl', text: '{"a":1}\n' },
    ]);
    expect(readForm(type, form.slice(0, 120))).toBeUndefined();
    expect(readForm('application/json', form)).toBeUndefined();
    expect(readForm(type, 'nothing')).toBeUndefined();
  });
});
