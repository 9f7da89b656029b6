/** What OpenAI's wire keeps and gives out again: responses, and conversations. */
import { type JsonObject, isObject, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { pageOfList, type BatchCall, type BatchReply } from './batch/types.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import { checkNumber } from './openai-words.ts';
import type { ResponseMemory } from './response-memory.ts';
import { invalid, type SimError } from './sim-error.ts';

const RESPONSE = /^\/v1\/responses\/((?!input_tokens$|compact$)[^/]+)(?:\/(cancel|input_items))?$/;
const CONVERSATION = /^\/v1\/conversations(?:\/([^/]+)(?:\/(items))?)?$/;
const MOST_ITEMS = 100;

export const isStoredPath = (path: string): boolean => RESPONSE.test(path) || CONVERSATION.test(path);

const missing = (what: string, id: string): { readonly error: SimError } => ({
  error: { ...invalid(`${what} with id '${id}' not found.`), status: 404 },
});

/** As the list says them: each has an id, of those that were sent one that stays the same. */
const listed = (items: readonly JsonObject[], call: BatchCall): BatchReply => {
  const all = items.map((item, index) => ({
    type: 'message',
    ...item,
    ...(typeof item['content'] === 'string' && { content: [{ type: 'input_text', text: item['content'] }] }),
    id: textOf(item['id']) || `item_${index}`,
  }));
  const page = pageOfList(call.query.get('order') === 'asc' ? all : all.toReversed(), call.query, {
    after: 'after',
    before: 'before',
    most: MOST_ITEMS,
  });
  if (!page) return { error: checkNumber(Number(call.query.get('limit')), 'limit', 'integer', 1, MOST_ITEMS) ?? LIMIT };
  const { data, hasMore } = page;
  return {
    body: { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore },
  };
};
const LIMIT = invalid("Invalid 'limit'.", { param: 'limit' });

export const createStored = (memory: ResponseMemory, now: () => number) => {
  const ofResponse = (call: BatchCall, id: string, part: string | undefined): BatchReply | undefined => {
    const { method, scope } = call;
    const response = memory.response(id, scope);
    if (!response) return missing('Response', id);
    if (part === 'input_items') return method === 'GET' ? listed(memory.inputOf(id, scope) ?? [], call) : undefined;
    if (part === 'cancel')
      return method === 'POST'
        ? { error: invalid('Only responses that run in the background can be canceled.') }
        : undefined;
    if (method === 'GET') return { body: response };
    if (method !== 'DELETE') return undefined;
    memory.forget(id, scope);
    return { body: { id, object: 'response', deleted: true } };
  };

  const ofConversation = (
    call: BatchCall,
    given: string | undefined,
    part: string | undefined,
  ): BatchReply | undefined => {
    const { method, scope } = call;
    const body = call.body === '' ? {} : valueOr(parseJson(call.body), undefined);
    const items = listOf(fieldsOf(body)['items']).filter((item): item is JsonObject => isObject(item));
    if (given === undefined) {
      if (method !== 'POST') return undefined;
      const id = call.ids.hex('conv');
      memory.converse(id, scope, fieldsOf(fieldsOf(body)['metadata']), Math.floor(now() / 1000));
      memory.addTo(id, items);
      return { body: memory.conversation(id, scope) ?? {} };
    }
    const conversation = memory.conversation(given, scope);
    if (!conversation) return missing('Conversation', given);
    if (part === 'items') {
      if (method === 'POST') memory.addTo(given, items);
      return method === 'POST' || method === 'GET' ? listed(memory.itemsIn(given, scope) ?? [], call) : undefined;
    }
    if (method === 'GET') return { body: conversation };
    if (method !== 'DELETE') return undefined;
    memory.forget(given, scope);
    return { body: { id: given, object: 'conversation.deleted', deleted: true } };
  };

  return {
    /** Nothing where there is no such endpoint. */
    handle: (call: BatchCall): BatchReply | undefined => {
      const [isResponse, id = '', part] = RESPONSE.exec(call.path) ?? [];
      if (isResponse !== undefined) return ofResponse(call, id, part);
      const [, conversation, items] = CONVERSATION.exec(call.path) ?? [];
      return ofConversation(call, conversation, items);
    },
  };
};
