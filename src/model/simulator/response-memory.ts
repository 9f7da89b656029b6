/** Responses and conversations that a later request can continue from, as far as they fit into a bounded memory. */
import { type Json, type JsonObject, parseJson } from '../../base/json.ts';
import { itemsOf, memberOf, scanJson } from '../../base/json-scan.ts';
import { err, ok, type Result, valueOr } from '../../base/result.ts';
import { fieldsOf, textOf } from './json-read.ts';
import { invalid, type SimError } from './sim-error.ts';

/** What was said in one response; earlier ones are shared, not copied. */
interface Kept {
  readonly scope: string;
  readonly before: Kept | undefined;
  /** Items as raw JSON: a cache compares bytes. */
  readonly items: readonly string[];
  /** How many of the items are what was sent. */
  readonly sent: number;
  /** As it was answered. Absent for what a conversation was begun with. */
  readonly response?: object;
}

interface Conversation {
  readonly scope: string;
  readonly metadata: Json;
  readonly createdAt: number;
  said: Kept | undefined;
}

interface SaidResponse {
  /** The request as it came. */
  readonly text: string;
  readonly scope: string;
  readonly output: readonly object[];
  readonly response: object;
}

/** What a request continues from. */
export interface Continued {
  readonly previous?: string;
  readonly conversation?: string;
}

export interface ResponseMemory {
  /** The body with what it names (a response, a conversation, single items) in place of the names. */
  readonly expand: (text: string, body: JsonObject, scope: string) => Result<string, SimError>;
  readonly keep: (id: string, response: SaidResponse, from: Continued) => void;
  readonly response: (id: string, scope: string) => object | undefined;
  /** What was sent to make a response, and everything before it; oldest first. */
  readonly inputOf: (id: string, scope: string) => readonly JsonObject[] | undefined;
  readonly forget: (id: string, scope: string) => boolean;
  readonly converse: (id: string, scope: string, metadata: Json, createdAt: number) => void;
  readonly conversation: (id: string, scope: string) => object | undefined;
  readonly itemsIn: (id: string, scope: string) => readonly JsonObject[] | undefined;
  readonly addTo: (id: string, items: readonly JsonObject[]) => void;
  readonly clear: () => void;
}

const MOST_RESPONSES = 500;
const MOST_CHARACTERS = 64_000_000;

const inputItems = (text: string): readonly string[] => {
  const root = scanJson(text);
  const input = root.ok ? memberOf(root.value, 'input') : undefined;
  if (input?.kind === 'string') return [`{"role":"user","content":${text.slice(input.start, input.end)}}`];
  return itemsOf(input).map(({ start, end }) => text.slice(start, end));
};

const lengthOf = ({ items }: Kept): number => items.reduce((sum, item) => sum + item.length, 0);

const chainOf = (kept: Kept | undefined): readonly string[] => {
  const parts: (readonly string[])[] = [];
  for (let at = kept; at; at = at.before) parts.push(at.items);
  return parts.toReversed().flat();
};

/** Replaces the values of members, last first so that positions stay true. */
const withValues = (text: string, values: Readonly<Record<string, string>>): string => {
  const root = scanJson(text);
  if (!root.ok || root.value.kind !== 'object') return text;
  return root.value.members
    .filter(({ key }) => Object.hasOwn(values, key))
    .toReversed()
    .reduce(
      (written, { key, value }) => written.slice(0, value.start) + (values[key] ?? '') + written.slice(value.end),
      text,
    );
};

const notFound = (what: string, id: string, param: string): SimError => ({
  ...invalid(`${what} with id '${id}' not found.`, { param }),
  status: 404,
});

/** Where a request names what a server keeps. */
export const continuedFrom = (body: JsonObject): Continued => {
  const { previous_response_id: previous, conversation } = body;
  const named = typeof conversation === 'string' ? conversation : textOf(fieldsOf(conversation)['id']);
  return {
    ...(typeof previous === 'string' && { previous }),
    ...(named !== '' && { conversation: named }),
  };
};

const parsed = (items: readonly string[]): readonly JsonObject[] =>
  items.map((item) => fieldsOf(valueOr(parseJson(item), undefined)));

export const createResponseMemory = (): ResponseMemory => {
  const responses = new Map<string, Kept>();
  const conversations = new Map<string, Conversation>();
  /** Raw JSON of everything that was answered, by its id. */
  const answered = new Map<string, { readonly scope: string; readonly item: string }>();
  let characters = 0;

  const find = (id: string | undefined, scope: string): Kept | undefined => {
    const kept = id === undefined ? undefined : responses.get(id);
    return kept?.scope === scope ? kept : undefined;
  };
  const conversationOf = (id: string | undefined, scope: string): Conversation | undefined => {
    const found = id === undefined ? undefined : conversations.get(id);
    return found?.scope === scope ? found : undefined;
  };
  const drop = (id: string): void => {
    const kept = responses.get(id);
    if (!kept) return;
    responses.delete(id);
    characters -= lengthOf(kept);
    for (const item of parsed(kept.items.slice(kept.sent))) answered.delete(textOf(item['id']));
  };

  /** References to items, in place of which comes what was answered. */
  const resolved = (items: readonly string[], scope: string): Result<readonly string[], SimError> => {
    const all: string[] = [];
    for (const item of items) {
      // Most items are not references, and need not be parsed.
      const value = item.includes('item_reference') ? fieldsOf(valueOr(parseJson(item), undefined)) : {};
      const id = textOf(value['id']);
      const found = answered.get(id);
      if (value['type'] !== 'item_reference') all.push(item);
      else if (found?.scope === scope) all.push(found.item);
      else return err(notFound('Item', id, 'input'));
    }
    return ok(all);
  };

  return {
    expand: (text, body, scope) => {
      const { previous, conversation } = continuedFrom(body);
      const kept = find(previous, scope);
      const talk = conversationOf(conversation, scope);
      if (previous !== undefined && !kept)
        return err(
          invalid(`Previous response with id '${previous}' not found.`, {
            param: 'previous_response_id',
            code: 'previous_response_not_found',
          }),
        );
      if (conversation !== undefined && !talk) return err(notFound('Conversation', conversation, 'conversation'));
      if (!kept && !talk && !text.includes('item_reference')) return ok(text);
      const sent = resolved(inputItems(text), scope);
      if (!sent.ok) return sent;
      const input = `[${[...chainOf(kept ?? talk?.said), ...sent.value].join(',')}]`;
      const names = { ...(kept && { previous_response_id: 'null' }), ...(talk && { conversation: 'null' }) };
      return ok(withValues(text, { ...names, ...(body['input'] !== undefined && { input }) }));
    },
    keep: (id, { text, scope, output, response }, { previous, conversation }) => {
      const talk = conversationOf(conversation, scope);
      const sent = resolved(inputItems(text), scope);
      const said = sent.ok ? sent.value : [];
      const items = [...said, ...output.map((item) => JSON.stringify(item))];
      const before = talk?.said ?? find(previous, scope);
      const kept: Kept = { scope, before, items, sent: said.length, response };
      responses.set(id, kept);
      if (talk) talk.said = kept;
      for (const item of items.slice(kept.sent)) {
        const itemId = textOf(parsed([item])[0]?.['id']);
        answered.set(itemId, { scope, item });
      }
      characters += lengthOf(kept);
      for (const oldest of responses.keys()) {
        if (responses.size <= MOST_RESPONSES && characters <= MOST_CHARACTERS) break;
        drop(oldest);
      }
    },
    response: (id, scope) => find(id, scope)?.response,
    inputOf: (id, scope) => {
      const kept = find(id, scope);
      return kept && parsed([...chainOf(kept.before), ...kept.items.slice(0, kept.sent)]);
    },
    forget: (id, scope) => {
      if (find(id, scope)) {
        drop(id);
        return true;
      }
      return conversationOf(id, scope) !== undefined && conversations.delete(id);
    },
    converse: (id, scope, metadata, createdAt) => {
      conversations.set(id, { scope, metadata, createdAt, said: undefined });
      const [oldest] = conversations.keys();
      if (conversations.size > MOST_RESPONSES && oldest !== undefined) conversations.delete(oldest);
    },
    conversation: (id, scope) => {
      const found = conversationOf(id, scope);
      return found && { id, object: 'conversation', created_at: found.createdAt, metadata: found.metadata };
    },
    itemsIn: (id, scope) => {
      const found = conversationOf(id, scope);
      return found && parsed(chainOf(found.said));
    },
    addTo: (id, items) => {
      const found = conversations.get(id);
      if (!found || items.length === 0) return;
      const texts = items.map((item) => JSON.stringify(item));
      found.said = { scope: found.scope, before: found.said, items: texts, sent: texts.length };
    },
    clear: () => {
      responses.clear();
      conversations.clear();
      answered.clear();
      characters = 0;
    },
  };
};
