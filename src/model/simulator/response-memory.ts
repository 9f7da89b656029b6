/** Responses that a later request can go on from, as far as they fit into a bounded memory. */
import { itemsOf, memberOf, scanJson } from '../../base/json-scan.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { invalid, type SimError } from './sim-error.ts';

/** What was said in one response; earlier ones are shared, not copied. */
interface Kept {
  readonly scope: string;
  readonly before: Kept | undefined;
  /** Items as raw JSON: a cache compares bytes. */
  readonly items: readonly string[];
}

interface SaidResponse {
  /** The request as it came. */
  readonly text: string;
  readonly previous: string | null;
  readonly scope: string;
  readonly output: readonly object[];
}

interface ResponseMemory {
  /** The body with everything that its `previous_response_id` names in place of that name. */
  readonly expand: (text: string, previous: string, scope: string) => Result<string, SimError>;
  readonly keep: (id: string, response: SaidResponse) => void;
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

export const createResponseMemory = (): ResponseMemory => {
  const responses = new Map<string, Kept>();
  let characters = 0;
  const find = (id: string | null, scope: string): Kept | undefined => {
    const kept = id === null ? undefined : responses.get(id);
    return kept?.scope === scope ? kept : undefined;
  };
  return {
    expand: (text, previous, scope) => {
      const kept = find(previous, scope);
      if (!kept)
        return err(
          invalid(`Previous response with id '${previous}' not found.`, {
            param: 'previous_response_id',
            code: 'previous_response_not_found',
          }),
        );
      const input = `[${[...chainOf(kept), ...inputItems(text)].join(',')}]`;
      return ok(withValues(text, { previous_response_id: 'null', input }));
    },
    keep: (id, { text, previous, scope, output }) => {
      const items = [...inputItems(text), ...output.map((item) => JSON.stringify(item))];
      const kept: Kept = { scope, before: find(previous, scope), items };
      responses.set(id, kept);
      characters += lengthOf(kept);
      for (const [oldest, one] of responses) {
        if (responses.size <= MOST_RESPONSES && characters <= MOST_CHARACTERS) break;
        responses.delete(oldest);
        characters -= lengthOf(one);
      }
    },
    clear: () => {
      responses.clear();
      characters = 0;
    },
  };
};
