/**
 * `explain` on a recording whose bodies repeat each other, as every agent sends them: about 150 requests of a real
 * conversation, against `JSON.parse` of the same lines; how time grows with the number of requests at constant new text;
 * and memory above an idle process. The conversation is a shared transcript where there is one beside the project.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainCalls } from '../src/model/traffic/explainer.ts';
import { createRecordingReader } from '../src/model/traffic/recording/read-recording.ts';
import { leastWorkOf, report } from './measure.ts';

const TRANSCRIPTS = join(process.cwd(), '..', 'shared', 'traffic', 'claude-code');
const SENTENCE =
  'The tool printed a line of output with some figures (12.5 %), a path /src/main.ts and a "quoted" word.\n';

interface Turn {
  readonly messages: readonly object[];
  readonly answer: readonly object[];
}

/** One line of a recording per turn; the messages of all turns before are in it. */
const recordingOf = (turns: readonly Turn[]): readonly string[] => {
  const tools = Array.from({ length: 20 }, (_, index) => ({
    name: `tool_${index}`,
    description: SENTENCE.repeat(12),
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  }));
  const system = [{ type: 'text', text: SENTENCE.repeat(120), cache_control: { type: 'ephemeral' } }];
  const messages: object[] = [];
  let size = 0;
  let left = 0;
  return turns.map(({ messages: added, answer }, index) => {
    messages.push(...added);
    size += Math.ceil(JSON.stringify(added).length / 3.5);
    const body = JSON.stringify({
      model: 'claude-opus-4-6',
      max_tokens: 1024,
      cache_control: { type: 'ephemeral' },
      tools,
      system,
      messages,
    });
    const usage = {
      input_tokens: 3,
      output_tokens: 20,
      cache_read_input_tokens: left,
      cache_creation_input_tokens: 9_000 + size - left,
    };
    left = 9_000 + size;
    messages.push({ role: 'assistant', content: answer });
    size += Math.ceil(JSON.stringify(answer).length / 3.5);
    const started = new Date(Date.UTC(2026, 1, 11, 20, 0, 20 * index)).toISOString();
    return JSON.stringify({ provider: 'anthropic', body, started_at: started, usage, response: { content: answer } });
  });
};

interface Line {
  readonly type?: string;
  readonly message?: { readonly id?: string; readonly role: string; readonly content: string | readonly object[] };
}

/** What was said and answered in a transcript, in order. */
const turnsOf = (file: string): readonly Turn[] => {
  const turns: { messages: object[]; answer: object[]; id: string }[] = [];
  let said: object[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { type, message } = JSON.parse(line) as Line;
    if (type === 'user' && message) said.push({ role: 'user', content: message.content });
    if (type !== 'assistant' || !message || typeof message.content === 'string') continue;
    const last = turns.at(-1);
    if (last && last.id === message.id && said.length === 0) last.answer.push(...message.content);
    else {
      turns.push({ messages: said, answer: [...message.content], id: message.id ?? '' });
      said = [];
    }
  }
  return turns;
};

const made = (count: number, sentences: number): readonly Turn[] =>
  Array.from({ length: count }, (_, index) => ({
    messages: [{ role: 'user', content: [{ type: 'text', text: `${index} ${SENTENCE.repeat(sentences)}` }] }],
    answer: [{ type: 'text', text: `Answer ${index}: ${SENTENCE.repeat(2)}` }],
  }));

const largest = existsSync(TRANSCRIPTS)
  ? readdirSync(TRANSCRIPTS)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => turnsOf(join(TRANSCRIPTS, name)))
      .toSorted((a, b) => b.length - a.length)[0]
  : undefined;
if (!largest) process.stdout.write('  no shared transcript beside the project: a made conversation takes its place\n');

const WANTED = 45e6;

/** The first requests of a conversation that come to about 45 MB together. */
const sized = (lines: readonly string[]): readonly string[] => {
  let sum = 0;
  return lines.filter((line) => (sum += line.length) <= WANTED);
};
const lines = sized(recordingOf(largest ?? made(150, 36)));
const bytes = lines.reduce((sum, line) => sum + line.length, 0);

let kept = 0;
const parse = (all: readonly string[]): void => {
  for (const line of all) kept += Object.keys(JSON.parse(line) as object).length;
};
const explainLines = (all: readonly string[]): void => {
  const reader = createRecordingReader('bench.jsonl');
  for (const line of all) reader.add(line);
  for (const { verdict } of explainCalls(reader.end().calls)) kept += verdict.evidence.length;
};

const once = (work: () => void): number => leastWorkOf(1, work);
const parsed = leastWorkOf(5, () => parse(lines));
const explained = leastWorkOf(3, () => explainLines(lines));
process.stdout.write(
  `  ${lines.length} requests, ${(bytes / 1e6).toFixed(1)} MB; parse ${parsed.toFixed(0)} ms, explain ${explained.toFixed(0)} ms\n`,
);
report('explain a recording, against JSON.parse of its lines', explained / parsed, { atMost: 2.5 });

/**
 * Each request repeats all before it, so the text itself grows with the square. What has to be linear is the work beside
 * reading it: time per byte of text must not grow.
 */
const perByte = [100, 400, 1600].map((count) => {
  const all = recordingOf(made(count, 1));
  const size = all.reduce((sum, line) => sum + line.length, 0);
  const reference = once(() => parse(all));
  const ours = once(() => explainLines(all));
  process.stdout.write(
    `  ${count} requests, ${(size / 1e6).toFixed(1)} MB: parse ${reference.toFixed(0)} ms, explain ${ours.toFixed(0)} ms\n`,
  );
  return ours / reference;
});
report('1,600 requests against 100, each against JSON.parse', (perByte[2] ?? 0) / (perByte[0] ?? 1), { atMost: 1.5 });

const heap = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = heap();
const reading = createRecordingReader('bench.jsonl');
for (const line of lines) reading.add(line);
const held = explainCalls(reading.end().calls);
report('memory held by verdicts and calls, against the file', (heap() - before) / bytes, { atMost: 1.5 });
kept += held.length;
process.stdout.write(kept > 0 ? '' : '?\n');
