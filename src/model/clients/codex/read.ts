/** A SKILL.md as Codex reads it: strict about what must be there, lenient about how it is written. */
import { codePointLength } from '../../../base/text.ts';
import { isMap, isScalar, Scalar, visit, type YAMLMap } from 'yaml';
import { BYTE_ORDER_MARK, isRecord, overlooksComment, readYaml, scalarText, type Fields } from '../frontmatter.ts';
import type { ReadSkill } from '../plain-listing.ts';
import type { FoundSkill } from '../types.ts';

const MOST_NAME = 64;

/** What Rust calls white space: a byte order mark is none, the control character U+0085 is. */
const BLANKS = /[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/;

const onOneLine = (text: string): string =>
  text
    .split(BLANKS)
    .filter((part) => part !== '')
    .join(' ');

const isRule = (line: string | undefined): boolean => line !== undefined && onOneLine(line) === '---';

/** From the first line to the next one that holds nothing but `---`. */
const yamlOf = (text: string): string | undefined => {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (!isRule(lines[0])) return undefined;
  const end = lines.findIndex((line, index) => index > 0 && isRule(line));
  return end > 1 ? lines.slice(1, end).join('\n') : undefined;
};

/** Its YAML reader takes no control characters, and no line that begins with a tab, a byte order mark, or a colon without a key. */
// oxlint-disable-next-line no-control-regex -- these are what it refuses
const REFUSED = /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]|^[\t\uFEFF]|^:[ \t]/m;
/** Its YAML reader ends a line at these, too; in quotes that is a blank. */
const LINE_ENDS = /[\r\u0085\u2028\u2029]/g;
const withLineEnds = (yaml: string): string =>
  yaml
    .split('\n')
    .map((line) => line.replaceAll(LINE_ENDS, /:[ \t]+["']/.test(line) ? ' ' : '\n'))
    .join('\n');

/** Fields with a type: each once, and `metadata` a mapping or nothing at all. */
const TYPED = new Set(['name', 'description', 'metadata']);

/** Its YAML reader knows no surrogates, not even in pairs. */
const SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** `!!null` in front of anything else is a fault. */
const isFalseNull = ({ tag, source = '' }: Scalar): boolean =>
  tag === 'tag:yaml.org,2002:null' && !/^(?:~|null|Null|NULL)?$/.test(source);

const hasSurrogates = (contents: YAMLMap, text: string): boolean => {
  let has = false;
  visit(contents, {
    Scalar: (_key, { type, range }) => {
      if (type !== Scalar.QUOTE_DOUBLE || !range || !SURROGATE.test(text.slice(range[0], range[1]))) return undefined;
      has = true;
      return visit.BREAK;
    },
  });
  return has;
};

const refuse = (contents: unknown, text: string): string | undefined => {
  if (!isMap(contents)) return undefined;
  if (text.includes('\\u') && hasSurrogates(contents, text)) return 'it contains half a surrogate pair';
  const seen = new Set<unknown>();
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? key.value : undefined;
    if (isScalar(value) && isFalseNull(value)) return 'a value is not empty';
    if (typeof name !== 'string' || !TYPED.has(name)) continue;
    if (seen.has(name)) return `\`${name}\` appears twice`;
    seen.add(name);
    if (name !== 'metadata' || (isScalar(value) && value.type === Scalar.PLAIN && value.source === '')) continue;
    if (!isMap(value)) return '`metadata` isn’t a mapping';
    const short = value.get('short-description', true);
    if (short !== undefined && !isScalar(short)) return '`short-description` isn’t text';
  }
  return undefined;
};

const AS_CODEX_READS = {
  asWritten: true,
  overlook: overlooksComment,
  refuse,
};

const isText = (value: unknown): boolean => value === undefined || value === null || scalarText(value) !== undefined;

const readTyped = (yaml: string): Fields | undefined => {
  if (REFUSED.test(yaml)) return undefined;
  const read = readYaml(withLineEnds(yaml), AS_CODEX_READS);
  return read.ok && isText(read.value['name']) && isText(read.value['description']) ? read.value : undefined;
};

/** A list or a mapping on one line that can be read. */
const isCollection = (value: string): boolean => readYaml(`value: ${value}`, AS_CODEX_READS).ok;

/** Codex puts these in quotes where the YAML cannot be read, or is not text where there must be one. */
const isRisky = (value: string): boolean =>
  !/^["']/.test(value) && (/:[ \t]|^[@`]/.test(value) || (/^[[{]/.test(value) && !isCollection(value)));

/** On every line with a key, however deep it lies. A comment is left out. */
const quotePlainValues = (yaml: string): string =>
  yaml
    .split('\n')
    .map((line) => {
      const [, key, rest] = /^([^\n]*?):[ \t]+([^\n]*)$/.exec(line) ?? [];
      if (key === undefined || rest === undefined) return line;
      const value = rest.replace(/[ \t]#[^\n]*$/, '').trim();
      return isRisky(value) ? `${key}: '${value.replaceAll("'", "''")}'` : line;
    })
    .join('\n');

const fieldsOf = (yaml: string): Fields | undefined => readTyped(yaml) ?? readTyped(quotePlainValues(yaml));

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isTextOrNone = (value: unknown): boolean => isAbsent(value) || scalarText(value) !== undefined;
/** Nothing, or a mapping of strings. */
const isTexts = (value: unknown): boolean =>
  isAbsent(value) || (isRecord(value) && Object.values(value).every(isTextOrNone));
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isTools = (value: unknown): boolean =>
  isAbsent(value) ||
  (isRecord(value) && (isAbsent(value['tools']) || (isList(value['tools']) && value['tools'].every(isTexts))));

/** A file with a section of another shape counts as none. */
const policyOf = (beside: string | undefined): Fields => {
  const yaml = beside === undefined ? undefined : readYaml(beside);
  if (!yaml?.ok || !isTexts(yaml.value['interface']) || !isTools(yaml.value['dependencies'])) return {};
  const policy = yaml.value['policy'];
  if (!isRecord(policy)) return {};
  const { products } = policy;
  return isAbsent(products) || isList(products) ? policy : {};
};

/** Why the model is not told of it. */
const forbidden = (beside: string | undefined): string | undefined => {
  const { products, allow_implicit_invocation: implicit } = policyOf(beside);
  if (implicit === false) return '`agents/openai.yaml` forbids implicit invocation.';
  const isForOthers = isList(products) && products.length > 0 && !products.includes('codex');
  return isForOthers ? '`agents/openai.yaml` names other products.' : undefined;
};

export const readCodexSkill = (found: FoundSkill): ReadSkill => {
  const hide = (hidden: string, name = found.folder): ReadSkill => ({ found, name, hidden });
  if (found.text.startsWith(BYTE_ORDER_MARK))
    return hide('It starts with a byte order mark, so Codex sees no frontmatter.');
  if (found.isBroken) return hide('It isn’t UTF-8.');
  const yaml = yamlOf(found.text);
  if (yaml === undefined) return hide('It has no frontmatter.');
  const fields = fieldsOf(yaml);
  if (!fields) return hide('Its frontmatter isn’t valid YAML.');
  const name = onOneLine(scalarText(fields['name']) ?? '') || onOneLine(found.folder);
  if (codePointLength(name) > MOST_NAME) return hide(`Its name is longer than ${MOST_NAME} characters.`, name);
  const whole = onOneLine(scalarText(fields['description']) ?? '');
  if (whole === '') return hide('It has no description.', name);
  const reason = forbidden(found.beside);
  if (reason !== undefined) return hide(reason, name);
  return { found, name: found.plugin === undefined ? name : `${found.plugin}:${name}`, text: whole };
};
