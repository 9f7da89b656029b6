/** A SKILL.md as Codex reads it: strict about what must be there, lenient about how it is written. */
import { codePointLength, takeCodePoints } from '../../../base/text.ts';
import { BYTE_ORDER_MARK, isRecord, quotePlainValues, readYaml, scalarText, type Fields } from '../frontmatter.ts';
import type { ReadSkill } from '../plain-listing.ts';
import type { FoundSkill } from '../types.ts';

const MOST_NAME = 64;
const MOST_TEXT = 1024;

const onOneLine = (text: string): string =>
  text
    .split(/\s+/u)
    .filter((part) => part !== '')
    .join(' ');

/** From the first line to the next one that holds nothing but `---`. */
const yamlOf = (text: string): string | undefined => {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines[0]?.trim() !== '---') return undefined;
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === '---');
  return end > 1 ? lines.slice(1, end).join('\n') : undefined;
};

/** Codex puts these in quotes where the YAML cannot be read, or is no text where there must be one. */
const RISKY = /: |^[@`]|^\[(?!.*\]$)/;
const AS_WRITTEN = { asWritten: true, unique: true };

const isText = (value: unknown): boolean => value === undefined || value === null || scalarText(value) !== undefined;

const fieldsOf = (yaml: string): Fields | undefined => {
  const first = readYaml(yaml, AS_WRITTEN);
  if (first.ok && isText(first.value['name']) && isText(first.value['description'])) return first.value;
  const quoted = quotePlainValues(yaml, (value) => RISKY.test(value) && !/^(?:".*"|'.*')$/.test(value));
  const second = readYaml(quoted, AS_WRITTEN);
  return second.ok ? second.value : undefined;
};

const isImplicit = (beside: string | undefined): boolean => {
  const yaml = beside === undefined ? undefined : readYaml(beside);
  const policy = yaml?.ok ? yaml.value['policy'] : undefined;
  return !(isRecord(policy) && policy['allow_implicit_invocation'] === false);
};

export const readCodexSkill = (found: FoundSkill): ReadSkill => {
  const hide = (hidden: string, name = found.folder): ReadSkill => ({ found, name, hidden });
  if (found.text.startsWith(BYTE_ORDER_MARK))
    return hide('It starts with a byte order mark, so Codex sees no frontmatter.');
  const yaml = yamlOf(found.text);
  if (yaml === undefined) return hide('It has no frontmatter.');
  const fields = fieldsOf(yaml);
  if (!fields) return hide('Its frontmatter is not YAML.');
  const given = fields['name'];
  const name = onOneLine(scalarText(given) ?? '') || onOneLine(found.folder);
  if (given !== undefined && given !== null && scalarText(given) === undefined) return hide('`name` is not text.');
  if (codePointLength(name) > MOST_NAME) return hide(`Its name is longer than ${MOST_NAME} characters.`, name);
  const whole = onOneLine(scalarText(fields['description']) ?? '');
  if (whole === '') return hide('It has no description.', name);
  if (!isImplicit(found.beside)) return hide('`agents/openai.yaml` forbids implicit invocation.', name);
  const isLong = codePointLength(whole) > MOST_TEXT;
  const text = isLong ? `${takeCodePoints(whole, MOST_TEXT - 3)}...` : whole;
  const shown = found.plugin === undefined ? name : `${found.plugin}:${name}`;
  return { found, name: shown, text };
};
