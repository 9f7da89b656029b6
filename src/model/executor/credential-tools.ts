/** `find_credentials`, `set_credentials`, `delete_credentials`: what is configured, never what it is. */
import { type Json, isObject } from '../../base/json.ts';
import { sortedJson } from '../tool/canonical-json.ts';
import { ToolError, type Tool, type ToolOutput } from '../tool/types.ts';
import { findSecretKey } from './secrets.ts';
import type { AskInputs, CredentialStore } from './types.ts';

const DAY = 86_400_000;

export interface CredentialToolsDeps {
  readonly credentials: CredentialStore;
  readonly askInputs?: AskInputs;
  readonly now: () => number;
  /** Bindings that executors need, with their fields: those that are missing are listed too. */
  readonly needed: readonly {
    readonly binding: string;
    /** The identity that gets the values, for a person to read. */
    readonly skill: string;
    readonly owner: string;
    readonly fields: readonly {
      readonly name: string;
      readonly prompt: string;
      readonly kind: 'api_key' | 'token' | 'file' | 'text';
    }[];
  }[];
}

/** Whatever is about to be returned is looked through first; a key that could hold a secret is a defect. */
export const guarded = (result: Json): ToolOutput => {
  const found = findSecretKey(result);
  if (found !== undefined) throw new Error(`a result would have shown a secret at ${found}`);
  return { text: sortedJson(result) };
};

const object = (properties: { readonly [key: string]: Json }, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const bindingOf = (input: Json): string =>
  isObject(input) && typeof input['binding'] === 'string' ? input['binding'] : '';

export const credentialTools = ({ credentials, askInputs, now, needed }: CredentialToolsDeps): readonly Tool[] => {
  const rows = (): readonly { readonly [key: string]: Json }[] => {
    // What was given to another identity, or to other files, is missing here.
    const ownerOf = new Map(needed.map(({ binding, owner }) => [binding, owner]));
    const known = credentials.list().filter(({ binding, owner }) => owner === (ownerOf.get(binding) ?? owner));
    const missing = needed.filter(({ binding }) => !known.some((item) => item.binding === binding));
    return [
      ...known.map(({ binding, fingerprint, fields, savedAt, state }) => ({
        binding,
        fingerprint,
        fields_present: [...fields],
        age_days: Math.max(0, Math.floor((now() - savedAt) / DAY)),
        status: state,
      })),
      ...missing.map(({ binding, fields }) => ({
        binding,
        fingerprint: '',
        fields_present: [],
        fields_needed: fields.map(({ name }) => name),
        status: 'missing',
      })),
    ].toSorted((a, b) => (a.binding < b.binding ? -1 : 1));
  };
  return [
    {
      name: 'find_credentials',
      description:
        'List the credentials that executors need: binding, state (configured, expired, missing) and age. Values are never shown.',
      inputSchema: object({
        query: { type: 'string', minLength: 1, description: 'part of a binding' },
        top_k: { type: 'integer', minimum: 1, default: 50 },
      }),
      sideEffects: 'read',
      requiresWorkspace: false,
      run: (input) => {
        const query = isObject(input) && typeof input['query'] === 'string' ? input['query'].toLowerCase() : '';
        const limit = isObject(input) && typeof input['top_k'] === 'number' ? input['top_k'] : 50;
        const found = rows().filter(
          ({ binding }) => typeof binding === 'string' && binding.toLowerCase().includes(query),
        );
        return Promise.resolve(
          guarded({ ok: true, entries: found.slice(0, limit), count: Math.min(found.length, limit) }),
        );
      },
    },
    {
      name: 'set_credentials',
      description:
        'Ask the person for the credentials of a binding. They type them into a form; you never see or send a value.',
      inputSchema: object({ binding: { type: 'string', minLength: 1 } }, ['binding']),
      sideEffects: 'write',
      requiresWorkspace: false,
      run: async (input, context) => {
        const binding = bindingOf(input);
        const need = needed.find((item) => item.binding === binding);
        if (!need) throw new ToolError(`no executor needs credentials called ${JSON.stringify(binding)}`, 'not_found');
        if (!askInputs) throw new ToolError('no one can fill in the form here', 'user_denied');
        const before = credentials.list().find((item) => item.binding === binding);
        const replaced = before !== undefined;
        context.setWaiting(true);
        try {
          const values = await askInputs({
            executor: 'set_credentials',
            skill: need.skill,
            owner: need.owner,
            binding,
            title: binding,
            fields: need.fields,
            reason: before === undefined ? 'missing' : before.owner === need.owner ? 'expired' : 'changed',
            signal: context.signal,
          });
          if (!values) throw new ToolError('the user closed the form', 'user_denied');
          const problem = await credentials.save(binding, values, need.owner);
          if (problem !== undefined) throw new ToolError(problem);
        } finally {
          context.setWaiting(false);
        }
        const saved = credentials.list().find((item) => item.binding === binding);
        return guarded({
          ok: true,
          results: [{ binding, fingerprint: saved?.fingerprint ?? '', fields_count: need.fields.length, replaced }],
        });
      },
    },
    {
      name: 'delete_credentials',
      description: 'Forget the credentials of a binding.',
      inputSchema: object({ binding: { type: 'string', minLength: 1 } }, ['binding']),
      sideEffects: 'execute',
      requiresWorkspace: false,
      run: async (input) => {
        const binding = bindingOf(input);
        const deleted = await credentials.remove(binding);
        return guarded({
          ok: deleted,
          results: [{ binding, deleted }],
          n_deleted: deleted ? 1 : 0,
          unknown_bindings: deleted ? [] : [binding],
        });
      },
    },
  ];
};
