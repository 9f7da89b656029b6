import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunView } from '../instruments/run-view.ts';
import { ledgerItems } from '../ledger/ledger-items.ts';
import { explainCalls } from '../traffic/explainer.ts';
import { readRecording } from '../traffic/recording/read-recording.ts';
import { policyFor } from './page.ts';
import { recordingReport } from './recording-report.ts';
import { runReport } from './run-report.ts';

const GUIDE = Array.from({ length: 120 }, (_, index) => `Rule ${index}: read the whole file.`).join('\n');
const HOSTILE = '</pre><script>alert(1)</script><img src=https://evil.example/x>';
const line = (index: number, read: number, written: number): string =>
  JSON.stringify({
    provider: 'anthropic',
    model: 'claude-opus-5',
    body: {
      model: 'claude-opus-5',
      max_tokens: 10,
      metadata: { user_id: 'user_account_0123456789abcdef' },
      system: [
        {
          type: 'text',
          text: `Mail jane.doe@example.org from /home/janedoe/work ${index} ${HOSTILE} ${GUIDE}`,
          cache_control: { type: 'ephemeral' },
        },
      ],
      messages: [{ role: 'user', content: 'Hi' }],
    },
    started_at: new Date(Date.UTC(2026, 10, 15, 10, 0, index)).toISOString(),
    usage: { input_tokens: 9, cache_creation_input_tokens: written, cache_read_input_tokens: read, output_tokens: 3 },
  });
const calls = readRecording(
  Array.from({ length: 500 }, (_, index) => line(index, 0, 1500)).join('\n'),
  '/home/janedoe/calls.jsonl',
).calls;
const explained = explainCalls(calls);
const { html, masked } = recordingReport({
  title: '/home/janedoe/calls.jsonl',
  explained,
  items: ledgerItems(explained),
  skills: [],
});

describe('a report of a recording', () => {
  it('REP1: is one file that asks for nothing and runs nothing', () => {
    expect(html).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    );
    expect(html).not.toMatch(/<(?:script|link|img|iframe|object|embed|base)\b|\bsrc=(?!https:\/\/evil)|@import|url\(/);
  });

  it('REP2: leads with the answer, and has a bar and folded evidence for every request', () => {
    // 1,500 written again 499 times at 6.25 instead of 0.50; each request costs 9 × 5 + 1,500 × 6.25 + 3 × 25 millionths.
    expect(html).toContain('<h1>$4.30 avoidable, 91% of $4.75</h1>');
    expect(html.match(/<details class="row"/g)).toHaveLength(500);
    expect(html).toContain('Changing value at system[0]');
  });

  it('REP3, REP4: escapes what was recorded, and shows no private value', () => {
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<img');
    expect(html).not.toMatch(/jane\.doe@example\.org|janedoe|user_account_0123456789abcdef/);
    expect(masked.length).toBeGreaterThan(0);
  });

  it('REP5: 500 requests are less than 2 MB', () => {
    expect(new TextEncoder().encode(html).length).toBeLessThan(2_000_000);
  });
});

describe('a replay of a run', () => {
  const run: RunView = {
    id: 'r',
    name: 'draft-check',
    number: 1,
    turnId: undefined,
    isDirect: true,
    startedAt: 0,
    durationMs: 1200,
    status: 'completed',
    items: [
      {
        id: 'a',
        kind: 'ask',
        label: 'draft',
        line: 3,
        at: 0,
        durationMs: 900,
        ok: true,
        request: HOSTILE,
        response: 'Mail jane.doe@example.org',
        notes: [],
      },
      {
        id: 'b',
        kind: 'trace',
        label: 'checked',
        line: 5,
        at: 950,
        durationMs: undefined,
        ok: true,
        request: '',
        response: '',
        notes: [],
      },
    ],
    asks: { used: 1, most: 5 },
    commands: { used: 0, most: 0 },
    notes: [],
    args: undefined,
    dropped: undefined,
    result: '{"ok":true}',
  };

  it('REP6: has one step per slider position, and one script whose hash its policy names', () => {
    const replay = runReport('journal', [run]).html;
    expect(replay.match(/<div class="step">/g)).toHaveLength(3);
    expect(replay).toContain('max="2"');
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(replay) ?? [];
    expect(policyFor(script)).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(replay.match(/<script/g)).toHaveLength(1);
    expect(replay).not.toContain('jane.doe');
    expect(replay).not.toContain('<img');
  });
});
