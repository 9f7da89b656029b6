/** Streams as they arrive, in the shape that a transcript draws. */
import type { StreamNews } from '../model/session/core.ts';
import type { Block } from '../model/provider/types.ts';
import type { LiveBlock, LiveCall } from './session-types.ts';

const liveBlock = (block: Block): LiveBlock => {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return { kind: block.type, text: block.text };
    case 'tool_use':
      return { kind: 'tool_input', text: '', toolName: block.name, toolUseId: block.id };
    default:
      return { kind: 'other', text: '' };
  }
};

/** Characters of a block that are kept while it streams. Reading along takes no more, and each frame draws all of them. */
const MOST_LIVE = 20_000;

/** Keeps the end of a long text, from a new line on if there is one nearby. */
const bounded = (block: LiveBlock): LiveBlock => {
  const { text, before = 0 } = block;
  if (text.length <= MOST_LIVE * 2) return block;
  const least = text.length - MOST_LIVE;
  const newline = text.indexOf('\n', least);
  const cut = newline === -1 || newline - least > MOST_LIVE / 2 ? least : newline + 1;
  return { ...block, text: text.slice(cut), before: before + cut };
};

/** The text of a whole block is what its deltas were; a tool's input keeps the text that was streamed. */
const settled = (previous: LiveBlock | undefined, block: Block): LiveBlock => {
  const next = liveBlock(block);
  return next.kind === 'tool_input' && previous ? { ...previous, ...next, text: previous.text } : next;
};

const change = (
  calls: readonly LiveCall[],
  requestId: string,
  edit: (call: LiveCall) => LiveCall,
): readonly LiveCall[] => calls.map((call) => (call.requestId === requestId ? edit(call) : call));

const withBlock = (call: LiveCall, index: number, edit: (block: LiveBlock | undefined) => LiveBlock): LiveCall => {
  const blocks = call.blocks.slice();
  blocks[index] = edit(blocks[index]);
  return { ...call, hasAnswered: true, blocks };
};

export const applyNews = (calls: readonly LiveCall[], news: StreamNews): readonly LiveCall[] => {
  const { requestId, turnId } = news;
  switch (news.type) {
    case 'call':
      return [...calls, { turnId, requestId, hasAnswered: false, blocks: [], retries: [] }];
    case 'first_byte':
      return change(calls, requestId, (call) => ({ ...call, hasAnswered: true }));
    case 'retry':
      // What a failed attempt had said does not count.
      return change(calls, requestId, (call) => ({ ...call, blocks: [], retries: [...call.retries, news.message] }));
    case 'block':
      return change(calls, requestId, (call) =>
        withBlock(call, news.index, (previous) => bounded(settled(previous, news.block))),
      );
    case 'delta':
      return change(calls, requestId, (call) =>
        withBlock(call, news.index, (block) =>
          bounded({ ...(block ?? { kind: news.kind, text: '' }), text: (block?.text ?? '') + news.text }),
        ),
      );
  }
};

/** A call that has ended is in the journal. */
export const withoutCall = (calls: readonly LiveCall[], requestId: string): readonly LiveCall[] =>
  calls.some((call) => call.requestId === requestId) ? calls.filter((call) => call.requestId !== requestId) : calls;
