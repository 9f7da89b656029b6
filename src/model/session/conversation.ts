/** From a thread to the messages that are sent. */
import { createGrowingList } from '../../base/growing-list.ts';
import type { Block, Message, ToolResultBlock } from '../provider/types.ts';
import type { ThreadMessage } from './state.ts';

/** Of a message whose stream was cut only the text is whole: a tool call may be half, a thought lacks its signature. */
const sendable = (message: ThreadMessage): readonly Block[] =>
  message.partial ? message.content.filter((block) => block.type === 'text' && block.text !== '') : message.content;

/**
 * Messages in the order in which they were said. Neighbours of one role stay apart: joining them would change bytes that a
 * cache has seen.
 */
export const messagesToSend = (thread: readonly ThreadMessage[]): readonly Message[] => {
  const messages = toSend(thread);
  return messages.includes(undefined) ? messages.filter((message) => message !== undefined) : (messages as Message[]);
};

/** The same objects in every request, so that anyone who reads requests sees what they have in common. */
const toSend = createGrowingList<ThreadMessage, Message | undefined>((message) => {
  const content = sendable(message);
  return content.length > 0 ? { role: message.role, content } : undefined;
});

/** An id names one call in the whole session, but some servers count from zero in every response. */
export const withOwnIds = (
  content: readonly Block[],
  isTaken: (id: string) => boolean,
  newId: () => string,
): readonly Block[] => {
  const seen = new Set(['']);
  return content.map((block) => {
    if (block.type !== 'tool_use') return block;
    const isFree = !seen.has(block.id) && !isTaken(block.id);
    seen.add(block.id);
    return isFree ? block : { ...block, id: newId() };
  });
};

/**
 * Results for the tool calls at the end of a thread that have none: what a stopped turn leaves behind. A conversation with
 * calls that nobody answered would be refused from then on.
 */
export const answersToOpenCalls = (thread: readonly ThreadMessage[], text: string): readonly ToolResultBlock[] => {
  const last = thread.at(-1);
  if (last?.role !== 'assistant' || last.partial) return [];
  return last.content.flatMap((block): readonly ToolResultBlock[] =>
    block.type === 'tool_use' ? [{ type: 'tool_result', toolUseId: block.id, text, isError: true }] : [],
  );
};

/** The answer: the text of the last message. */
export const textOf = (content: readonly Block[]): string =>
  content.reduce((text, block) => (block.type === 'text' ? text + block.text : text), '');
