import { describe, expect, it } from 'vitest';
import { ANTHROPIC, newSimulator, OPENAI, scenarioOf, sendTo, textOf } from '../testing/simulate.ts';
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

  it('SI78: a row picks as a direct call with its draw does, whatever follows `--`', async () => {
    const builtin = scenarioOf('rules: [{when: {contains: never said}, reply: {text: Yes.}}]');
    const simulator = newSimulator({ scenario: builtin, noise: { scale: 1, seed: 'a' } });
    const params = {
      model: 'claude-haiku-4-5',
      max_tokens: 90,
      system: [
        '## Available skills',
        'Use `skill_search(query)` to filter and `skill_load(name)` to read a body.',
        '- alpha: Sorts tables of figures. Use when tables need sorting.',
        '- beta: Sorts lists of names. Use when lists need sorting.',
      ].join('\n'),
      tools: [
        {
          name: 'skill_load',
          description: 'Loads.',
          input_schema: { type: 'object', properties: { name: { type: 'string' } } },
        },
      ],
      messages: [{ role: 'user', content: 'Please sort tables and lists' }],
    };
    const picked = (content: unknown): string => /alpha|beta/.exec(JSON.stringify(content))?.[0] ?? 'none';
    const draws = Array.from({ length: 20 }, (_, index) => `case-${index}`);
    const direct = new Map<string, string>();
    for (const draw of draws) {
      const headers = { ...ANTHROPIC, 'x-lathe-draw': draw };
      const answer = textOf(await sendTo(simulator, '/v1/messages', params, headers));
      direct.set(draw, picked((JSON.parse(answer) as { content: unknown }).content));
    }
    expect([...new Set(direct.values())].toSorted()).toEqual(['alpha', 'beta']);
    const requests = draws.map((draw) => ({ custom_id: `${draw}--2`, params }));
    const created = textOf(await sendTo(simulator, '/v1/messages/batches', { requests }));
    const path = `/v1/messages/batches/${(JSON.parse(created) as { id: string }).id}/results`;
    const rows = textOf(await simulator.handle({ method: 'GET', path, headers: ANTHROPIC, body: '' }))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { custom_id: string; result: unknown });
    expect(new Map(rows.map((row) => [row.custom_id.replace('--2', ''), picked(row.result)]))).toEqual(direct);
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
