import { describe, expect, it } from 'vitest';
import { createMemoryProvider } from '../../platform/provider/memory-provider.ts';
import { ok } from '../../base/result.ts';
import { createImportModel, createPick } from './provider-model.ts';
import { importOffice } from './testing/office-desk.ts';

const { signal } = new AbortController();

describe('a provider as the importer’s model', () => {
  it('GE2: wording and judgement as JSON; anything else is not an answer', async () => {
    const plan = (await importOffice()).plans[0];
    if (!plan) throw new Error('no plan');
    const client = createMemoryProvider([
      'Here: {"it":"a","en":"b","affinity":["c"]}',
      'no JSON',
      'nothing',
      'nothing',
      '{"aligned":false,"mismatch":"it deletes"}',
    ]);
    const model = createImportModel({ client, model: 'claude-haiku-4-5', signal });
    expect(await model.describe(plan, 'office-desk')).toEqual({ it: 'a', en: 'b', affinity: ['c'] });
    expect(await model.describe(plan, 'office-desk')).toBeUndefined();
    expect(await model.judge({ manifest: 'x', code: 'y' })).toBeUndefined();
    expect(await model.judge({ manifest: 'x', code: 'y' })).toEqual({ aligned: false, mismatch: 'it deletes' });
  });

  it('RO2: the first tool, or the skill that it loads', async () => {
    const use = (name: string, input = {}) => ({ content: [{ type: 'tool_use', id: 't', name, input } as const] });
    const client = createMemoryProvider([
      use('read_events'),
      use('skill_load', { name: 'pdf' }),
      'just words',
      { error: { message: 'no network' } },
    ]);
    const pick = createPick({ client, model: 'claude-haiku-4-5', stable: '', tools: [] });
    expect(await pick('a', signal)).toEqual(ok('read_events'));
    expect(await pick('b', signal)).toEqual(ok('pdf'));
    expect(await pick('c', signal)).toEqual(ok(undefined));
    expect(await pick('d', signal)).toMatchObject({ ok: false, error: { message: 'no network' } });
  });
});
