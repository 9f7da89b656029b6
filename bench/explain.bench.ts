/**
 * `explain` on two requests of 1 MB that part late, against one linear scan of both: a loop that compares them character by
 * character and counts, which is the least that a reader of every byte can do.
 */
import { explain } from '../src/model/cache/explain/explain.ts';
import type { RecordedCall } from '../src/model/cache/types.ts';
import { bestOf, report } from './measure.ts';

const SENTENCE =
  'The tool printed a line of output with some figures (12.5 %), a path /src/main.ts and a "quoted" word.\n';

const conversation = (blocks: number, last: string): string => {
  const tools = Array.from({ length: 20 }, (_, index) => ({
    name: `tool_${index}`,
    description: SENTENCE.repeat(4),
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  }));
  const messages = Array.from({ length: blocks }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `${index} ${index === blocks - 6 ? last : ''} ${SENTENCE.repeat(25)}` }],
  }));
  return JSON.stringify({
    model: 'claude-sonnet-5-5',
    max_tokens: 1024,
    cache_control: { type: 'ephemeral' },
    tools,
    system: [{ type: 'text', text: SENTENCE.repeat(40), cache_control: { type: 'ephemeral' } }],
    messages,
  });
};

const call = (body: string, startedAt: number): RecordedCall => ({
  provider: 'anthropic',
  wire: 'anthropic-messages',
  model: 'claude-sonnet-5-5',
  body,
  startedAt,
  firstByteAt: startedAt + 1000,
});

const BLOCKS = 381;
const before = call(conversation(BLOCKS, 'as it was'), 0);
const after = call(conversation(BLOCKS + 2, 'as it is'), 60_000).body.replace('as it was', 'as it is');
const current = call(after, 60_000);

const linearScan = (left: string, right: string): number => {
  let same = 0;
  for (let index = 0; index < left.length; index++) if (left.charCodeAt(index) === right.charCodeAt(index)) same++;
  return same;
};

let kept = 0;
const scan = bestOf(15, () => (kept += linearScan(before.body, current.body)));
// Fresh copies, so that nothing is remembered from one round to the next.
const ours = bestOf(15, () => (kept += explain({ ...before }, { ...current }).evidence.length));
const { cause, position } = explain(before, current);
const size = ((before.body.length + current.body.length) / 2 / 1e6).toFixed(2);
process.stdout.write(`  two requests of ${size} MB each; ${cause} at ${position?.label}; ${kept > 0 ? '' : '?'}\n`);
report('explain, against one linear scan of both bodies', ours / scan, { atMost: 3 });
