import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../session/start.ts';
import { draftOf, paddingReason, readDraft, type StartChoices } from './settings-form.ts';
import { settingsChanges } from './settings-words.ts';

const START: StartChoices = {
  dialect: 'metis',
  policy: 'local',
  maxCalls: 30,
  turnSeconds: 1800,
  runSeconds: 300,
  withoutTools: [],
};
const draft = draftOf(DEFAULT_SETTINGS, START);
const errorsOf = (change: Partial<typeof draft>) => {
  const read = readDraft({ ...draft, ...change }, DEFAULT_SETTINGS);
  return read.ok ? {} : read.errors;
};

describe('the form of settings', () => {
  it('SV30, SV34: reads back what it was made of', () => {
    expect(readDraft(draft, DEFAULT_SETTINGS)).toEqual({ ok: true, settings: DEFAULT_SETTINGS, start: START });
    const settings = {
      ...DEFAULT_SETTINGS,
      thinking: { mode: 'budget', tokens: 2000 },
      effort: 'low',
      spending_limit_usd: 0.5,
      token_limit: 90_000,
    } as const;
    const start: StartChoices = {
      ...START,
      padding: 'off',
      persona: 'You are brief.',
      runSeconds: 60,
      withoutTools: ['run_command'],
    };
    expect(readDraft(draftOf(settings, start), settings)).toEqual({ ok: true, settings, start });
  });

  it('SV30: a wrong field is reported, and numbers may be grouped', () => {
    expect(
      Object.keys(errorsOf({ maxOutputTokens: 'many', spendingLimit: '-1', tokenLimit: '1.5', maxCalls: '0' })),
    ).toEqual(['maxOutputTokens', 'spendingLimit', 'tokenLimit', 'maxCalls']);
    expect(readDraft({ ...draft, tokenLimit: '90,000', spendingLimit: '$0.50' }, DEFAULT_SETTINGS)).toMatchObject({
      ok: true,
      settings: { token_limit: 90_000, spending_limit_usd: 0.5 },
    });
  });

  it('SV31: what the provider would refuse is reported before', () => {
    expect(Object.keys(errorsOf({ ttlSystem: '1h' }))).toEqual(['ttlSystem']);
    expect(errorsOf({ ttlTools: '1h', ttlSystem: '1h', ttlMessages: '5m' })).toEqual({});
    // Without a rolling breakpoint the messages have no time to live.
    expect(errorsOf({ ttlMessages: '1h' })).toEqual({});
    expect(Object.keys(errorsOf({ ttlMessages: '1h', mode: 'rolling' }))).toEqual(['ttlMessages']);
    expect(Object.keys(errorsOf({ thinking: 'budget', thinkingTokens: '1000' }))).toEqual(['thinkingTokens']);
    expect(Object.keys(errorsOf({ thinking: 'budget', thinkingTokens: '4096' }))).toEqual(['thinkingTokens']);
    expect(errorsOf({ thinking: 'budget', thinkingTokens: '2048' })).toEqual({});
  });

  it('SV32: the padding says why', () => {
    expect(paddingReason('default', DEFAULT_SETTINGS)).toContain('simulator costs nothing');
    expect(paddingReason('default', { provider: 'anthropic', model: 'claude-opus-5' })).toMatch(/costs money.*512/);
    expect(paddingReason('off', DEFAULT_SETTINGS)).toBe('Padding is off.');
  });

  it('SV10: a change is reported once per setting', () => {
    expect(settingsChanges(DEFAULT_SETTINGS, DEFAULT_SETTINGS)).toEqual([]);
    expect(
      settingsChanges(DEFAULT_SETTINGS, {
        ...DEFAULT_SETTINGS,
        cache: { mode: 'rolling', ttl: { tools: '1h', system: '1h', messages: '5m' } },
        spending_limit_usd: 2,
      }),
    ).toEqual([
      'Breakpoints: static → rolling, starting with the next request.',
      'TTL: 5m → tools 1h, system 1h, messages 5m, starting with the next request.',
      'Spending limit: none → $2.00, starting with the next request.',
    ]);
  });
});
