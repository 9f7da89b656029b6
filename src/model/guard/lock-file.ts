/** `lathe.lock.yaml`: the cached prefixes that a project agreed on. */
import { stringify } from 'yaml';
import { isObject, parseJson } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { WIRES, type Wire, type WriteTtl } from '../provider/types.ts';
import { readYamlFile, type YamlFault } from '../yaml-file.ts';
import type { CachedPrefix, PrefixPart } from './prefix.ts';

export const LOCK_FILE = 'lathe.lock.yaml';

export interface LockedPrefix extends CachedPrefix {
  /** By the estimate of the simulator, when it was written. */
  readonly tokens: number;
}

const VERSION = 1;
const TTLS: readonly WriteTtl[] = ['5m', '1h', '30m', '12h'];
/** What `text` stands for; a part with any other member, or in another order, is written as JSON. */
const asText = (json: string): { readonly text: string; readonly ttl?: string } | undefined => {
  const parsed = parseJson(json);
  const value = parsed.ok ? parsed.value : undefined;
  if (typeof value === 'string') return JSON.stringify(value) === json ? { text: value } : undefined;
  const text = isObject(value) ? value['text'] : undefined;
  if (typeof text !== 'string') return undefined;
  const control = isObject(value) && isObject(value['cache_control']) ? value['cache_control'] : undefined;
  const ttl = control === undefined ? undefined : (control['ttl'] ?? '');
  if (ttl !== undefined && typeof ttl !== 'string') return undefined;
  const told = { text, ...(ttl !== undefined && { ttl }) };
  return toBlock(told) === json ? told : undefined;
};

const toBlock = ({ text, ttl }: { readonly text: string; readonly ttl?: string }): string =>
  JSON.stringify({
    type: 'text',
    text,
    ...(ttl !== undefined && { cache_control: { type: 'ephemeral', ...(ttl !== '' && { ttl }) } }),
  });

const writtenPart = ({ at, json }: PrefixPart): Readonly<Record<string, unknown>> => {
  const told = asText(json);
  if (!told) return { at, json };
  if (json.startsWith('"')) return { at, string: told.text };
  return { at, ...(told.ttl !== undefined && { cache: told.ttl === '' ? 'default' : told.ttl }), text: told.text };
};

const HEAD = `# The cached prefixes of this project's agents. Commit this file.
# \`lathe guard -- COMMAND\` compares with it, \`lathe guard --update -- COMMAND\` writes it.
`;

export const writeLock = (prefixes: readonly LockedPrefix[]): string => {
  const document = {
    version: VERSION,
    prefixes: prefixes.map(({ wire, model, tokens, messageTtl, parts }) => ({
      model,
      wire,
      tokens,
      ...(messageTtl !== undefined && { messages: messageTtl }),
      parts: parts.map(writtenPart),
    })),
  };
  return `${HEAD}${stringify(document, { lineWidth: 0 })}`;
};

type Fault = (path: readonly PropertyKey[], message: string) => undefined;

const readPart = (value: unknown, path: readonly PropertyKey[], fault: Fault): PrefixPart | undefined => {
  if (!isObject(value) || typeof value['at'] !== 'string')
    return fault(path, 'a part has `at` and `text`, `string`, or `json`');
  const { at, text, string, json, cache } = value;
  if (typeof json === 'string') {
    return parseJson(json).ok ? { at, json } : fault([...path, 'json'], `the JSON of ${at} can't be read`);
  }
  if (typeof string === 'string') return { at, json: JSON.stringify(string) };
  if (typeof text !== 'string') return fault(path, `${at} has no \`text\`, \`string\`, or \`json\``);
  const ttl = cache === 'default' ? '' : cache;
  return { at, json: toBlock({ text, ...(typeof ttl === 'string' && { ttl }) }) };
};

const readPrefix = (value: unknown, path: readonly PropertyKey[], fault: Fault): LockedPrefix | undefined => {
  if (!isObject(value)) return fault(path, 'a prefix has model, wire, tokens, and parts');
  const { model, tokens, messages, parts } = value;
  const wire: Wire | undefined = WIRES.find((one) => one === value['wire']);
  const messageTtl = TTLS.find((one) => one === messages);
  if (typeof model !== 'string') return fault([...path, 'model'], 'model must be a string');
  if (!wire) return fault([...path, 'wire'], `wire is one of ${WIRES.join(', ')}`);
  if (messages !== undefined && messageTtl === undefined)
    return fault([...path, 'messages'], `messages is one of ${TTLS.join(', ')}`);
  if (!Array.isArray(parts)) return fault([...path, 'parts'], 'parts is a list');
  const read = parts.map((part, index) => readPart(part, [...path, 'parts', index], fault));
  return {
    wire,
    model,
    tokens: typeof tokens === 'number' ? tokens : 0,
    parts: read.flatMap((part) => part ?? []),
    ...(messageTtl !== undefined && { messageTtl }),
  };
};

export const readLock = (text: string): Result<readonly LockedPrefix[], readonly YamlFault[]> => {
  const file = readYamlFile(text);
  if (!file.ok) return file;
  const { data, lineOf } = file.value;
  const faults: YamlFault[] = [];
  const fault: Fault = (path, message) => void faults.push({ line: lineOf(path), message });
  if (!isObject(data) || !Array.isArray(data['prefixes']))
    return err([{ line: 1, message: 'missing list `prefixes`' }]);
  if (data['version'] !== VERSION)
    return err([
      {
        line: lineOf(['version']),
        message: `version ${JSON.stringify(data['version'] ?? null)} isn't known; this Lathe reads version ${VERSION}`,
      },
    ]);
  const prefixes = data['prefixes'].map((item, index) => readPrefix(item, ['prefixes', index], fault));
  return faults.length > 0
    ? err(faults.toSorted((a, b) => a.line - b.line))
    : ok(prefixes.flatMap((prefix) => prefix ?? []));
};
