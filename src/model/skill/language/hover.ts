import { codePointLength, groupDigits } from '../../../base/text.ts';
import { estimateTokens } from '../checks/body-checks.ts';
import { readDocument, type Field, type SkillDocument } from '../document.ts';
import { fieldText, typingOf } from '../fields.ts';
import { KNOWN_TOOLS, nearest } from '../known-names.ts';
import type { TextRange } from '../types.ts';
import type { LanguageFacts } from './completion.ts';
import { fieldDoc, type FieldDoc } from './field-docs.ts';
import { linksOf } from './links.ts';
import { sizeText } from './size-text.ts';

export interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly range: TextRange;
}

const LIMITS: Readonly<Record<string, number>> = { name: 64, description: 1024, compatibility: 500 };

const holds = ({ start, end }: TextRange, offset: number): boolean => offset >= start && offset <= end;

const lengthLine = (document: SkillDocument, name: string, facts: LanguageFacts): string => {
  const limit = LIMITS[name];
  const text = limit === undefined ? undefined : fieldText(document, name, typingOf(facts.profile))?.trim();
  if (text === undefined || limit === undefined) return '';
  const length = codePointLength(text);
  const tokens = name === 'description' ? ` About ${estimateTokens(length)} tokens in every request.` : '';
  return `\n\n${groupDigits(length)} of ${groupDigits(limit)} characters.${tokens}`;
};

const aboutField = ({ name, form, doc, hosts }: FieldDoc): string =>
  `**${name}** · ${form}\n\n${doc}${hosts === '' ? '' : `\n\nRead by ${hosts}. Other agents ignore or refuse it.`}`;

const aboutTool = (tool: string): string => {
  const name = /^[^(]*/.exec(tool)?.[0] ?? tool;
  if (KNOWN_TOOLS.includes(name) || name.startsWith('mcp__'))
    return `\`${tool}\`: a known tool. Lathe shows it but doesn’t enforce it.`;
  const like = nearest(name, KNOWN_TOOLS);
  return `\`${tool}\`: not a tool that Lathe knows${like === undefined ? '' : `; did you mean \`${like}\`?`}`;
};

const toolAt = (document: SkillDocument, field: Field, offset: number): Hover | undefined => {
  const { start, end } = field.value.range;
  for (const match of document.text.slice(start, end).matchAll(/[A-Za-z_][\w-]*(?:\([^)\r\n]{0,200}\))?/g)) {
    const range = { start: start + match.index, end: start + match.index + match[0].length };
    if (holds(range, offset)) return { text: aboutTool(match[0]), range };
  }
  return undefined;
};

const fieldHover = (document: SkillDocument, offset: number, facts: LanguageFacts): Hover | undefined => {
  const field = document.fields.find(({ key, value }) => holds(key.range, offset) || holds(value.range, offset));
  if (!field) return undefined;
  const isKey = holds(field.key.range, offset);
  if (!isKey && field.name.endsWith('-tools')) {
    const tool = toolAt(document, field, offset);
    if (tool) return tool;
  }
  const range = isKey ? field.key.range : field.value.range;
  const doc = fieldDoc(field.name);
  if (!doc) return { text: `**${field.name}** isn’t a field that Lathe knows.`, range };
  return { text: aboutField(doc) + lengthLine(document, field.name, facts), range };
};

const linkHover = (document: SkillDocument, offset: number, facts: LanguageFacts): Hover | undefined => {
  const link = linksOf(document).find(({ range }) => holds(range, offset));
  if (!link) return undefined;
  const { target, range } = link;
  switch (target.kind) {
    case 'skill': {
      const skill = facts.skills.find(({ name }) => name === target.name);
      return {
        text: skill ? `**${skill.name}**\n\n${skill.description}` : `No skill has the name \`${target.name}\`.`,
        range,
      };
    }
    case 'file': {
      const file = facts.files.get(target.path);
      return {
        text: file ? `\`${target.path}\` · ${sizeText(file.size)}` : `\`${target.path}\` doesn’t exist.`,
        range,
      };
    }
    case 'address':
      return undefined;
  }
};

export const hoverSkill = (text: string, offset: number, facts: LanguageFacts): Hover | undefined => {
  const document = readDocument({ content: text, fileName: 'SKILL.md' });
  return offset < document.bodyRange.start ? fieldHover(document, offset, facts) : linkHover(document, offset, facts);
};
