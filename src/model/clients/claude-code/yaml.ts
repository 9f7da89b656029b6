/** YAML as the reader in Claude Code's runtime takes it: it overlooks some faults, refuses others, and ignores tags. */
import { isMap, isPair, isScalar, isSeq, Scalar, visit } from 'yaml';
import type { Result } from '../../../base/result.ts';
import { quotePlainValues, readYaml, type Fields } from '../frontmatter.ts';

/** Two generations whose listings differ: 2.1.197 is the newest that was measured of the old one. */
export type Generation = 'old' | 'new';

const LONE_SURROGATE = /\p{Cs}/u;

/** A list or a mapping in front of a colon, on the line of another key. */
const isKeyInsideValue = (items: readonly unknown[]): boolean =>
  items.some((item, index) => {
    if (index === 0 || !isPair(item)) return false;
    const before = items[index - 1];
    const value = isPair(before) ? before.value : undefined;
    const isNameless = item.key === null || (isScalar(item.key) && item.key.source === '');
    return isNameless && (isMap(value) || isSeq(value)) && value.flow === true;
  });

const QUOTED: ReadonlySet<unknown> = new Set([Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE]);

/** A tag leaves a quoted value a string, and says nothing of others. */
const withoutTag = (node: Scalar): void => {
  if (node.tag === undefined || typeof node.source !== 'string') return;
  if (QUOTED.has(node.type) || node.value instanceof Uint8Array) node.value = node.source;
  else if (node.tag.endsWith(':float') && Number.isFinite(Number(node.source))) node.value = Number(node.source);
};

const refuse = (contents: unknown): string | undefined => {
  let fault: string | undefined;
  if (isMap(contents) || isSeq(contents) || isScalar(contents))
    visit(contents, {
      Map: (_key, { items }) => {
        if (!isKeyInsideValue(items)) return undefined;
        fault = 'a list or a mapping can’t be a key here';
        return visit.BREAK;
      },
      Scalar: (_key, node) => {
        withoutTag(node);
        if (typeof node.value !== 'string' || !LONE_SURROGATE.test(node.value)) return undefined;
        fault = 'half a surrogate pair isn’t a character';
        return visit.BREAK;
      },
    });
  return fault;
};

/** It merges mappings alone, and takes a comma at the start of a value for text. */
const AS_BUN_READS = {
  merge: true,
  lax: true,
  overlook: (code: string, message: string) => code === 'BAD_SCALAR_START' && message.endsWith(' ,'),
  refuse,
};

/** A value that YAML may take for something else. */
const RISKY = /[{}[\]*&#!|>%@`]|: /;
/** A key with a digit is skipped. */
const KEY_AND_VALUE = /^([A-Za-z_-]+):[ \t]+(\S.*)$/;

const isQuotedOrList = (value: string): boolean =>
  /^(?:".*"|'.*')$/.test(value) || (/^\[.*\]$/.test(value) && readYaml(`value: ${value}`).ok);

/** A value in quotes. Its ends are looked for within what frontmatter may hold. */
const QUOTED_VALUE = /(?=["'])(?<=:[ \t]+)(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')/g;

/** A carriage return ends a line; in quotes it does before a line feed, too, which leaves an empty line. */
const withLineFeeds = (yaml: string): string =>
  yaml.includes('\r')
    ? yaml.replaceAll(QUOTED_VALUE, (value) => value.replaceAll('\r', '\n')).replaceAll(/\r\n?/g, '\n')
    : yaml;

const readAsBun = (yaml: string): Result<Fields, string> => readYaml(withLineFeeds(yaml), AS_BUN_READS);

/** What cannot be read is read again with quotes; what still cannot is empty. A NUL makes it empty; the old version stops there. */
export const readFields = (text: string, generation: Generation): Fields => {
  const end = text.indexOf('\0');
  if (end !== -1 && generation === 'new') return {};
  const yaml = end === -1 ? text : text.slice(0, end);
  const first = readAsBun(yaml);
  if (first.ok) return first.value;
  const quoted = quotePlainValues(yaml, KEY_AND_VALUE, (value) => RISKY.test(value) && !isQuotedOrList(value));
  const spaced = quoted.replaceAll(/^\t+/gm, (tabs) => '  '.repeat(tabs.length));
  const second = readAsBun(spaced);
  return second.ok ? second.value : {};
};
