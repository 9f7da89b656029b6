import { createGrowingList } from '../../base/growing-list.ts';
import { sha256 } from '../../base/hash.ts';
import { codePointLength } from '../../base/text.ts';
import type { Block, CanonicalRequest, Message, ToolSpec } from '../provider/types.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import type { Segment, SegmentKind } from './types.ts';

const encoder = new TextEncoder();

export const makeSegment = (kind: SegmentKind, id: string, text: string, stability: Segment['stability']): Segment => {
  const content = encoder.encode(text);
  return {
    kind,
    id,
    text,
    bytes: content.length,
    tokens: estimateTokens(codePointLength(text)),
    hash: sha256(content),
    stability,
  };
};

/** The same for every provider, whatever its wire makes of it (D14). */
export const toolText = ({ name, description, inputSchema }: ToolSpec): string =>
  JSON.stringify({ name, description, input_schema: inputSchema });

export const toolSegment = (tool: ToolSpec): Segment =>
  makeSegment('tool', `tool:${tool.name}`, toolText(tool), 'stable');

/** What a person would read of a block. */
const blockText = (block: Block): string => {
  switch (block.type) {
    case 'text':
    case 'tool_result':
      return block.text;
    case 'tool_use':
      return JSON.stringify({ name: block.name, input: block.input });
    case 'thinking':
      return block.text === '' ? JSON.stringify(block.raw) : block.text;
    case 'opaque':
      return JSON.stringify(block.raw);
    case 'image':
      return `[image ${block.mediaType}, ${block.data.length} characters of base64]`;
  }
};

/** Up to and with each message. */
const sums = createGrowingList<Message, number>(({ content }, _, before = 0) =>
  content.reduce((sum, block) => sum + estimateTokens(codePointLength(blockText(block))), before),
);

/** Tokens of a whole request by the estimate that decides padding (D14). */
export const estimatePrompt = ({
  tools,
  system,
  messages,
}: Pick<CanonicalRequest, 'tools' | 'system' | 'messages'>): number => {
  const texts = [...tools.map(toolText), system.stable, system.volatile].filter((text) => text !== '');
  return texts.reduce((total, text) => total + estimateTokens(codePointLength(text)), sums(messages).at(-1) ?? 0);
};

/** Of the messages from `first` on: a conversation only grows, and what was measured once need not be measured again. */
export const messageSegments = (messages: readonly Message[], first = 0): readonly Segment[] =>
  messages
    .slice(first)
    .flatMap(({ content }, index) =>
      content.map((block, at) =>
        makeSegment('message', `message:${first + index}.${at}`, blockText(block), 'volatile'),
      ),
    );
