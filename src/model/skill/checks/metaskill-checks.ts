import type { Field } from '../document.ts';
import { withoutComments } from '../first-paragraph.ts';
import { METASKILL_FIELDS } from '../known-names.ts';
import { DEFAULT_PROGRAM, PROGRAM_SIZE_ADVICE, PROGRAM_SIZE_LIMIT, type ProgramFinding } from '../metaskill-package.ts';
import { codePointLength } from '../../../base/text.ts';
import type { Fix, TextEdit } from '../types.ts';
import { editFix, removeEntry, replaceRange, setValueFix } from '../yaml-edit.ts';
import { resolveAlias } from '../yaml-tree.ts';
import { at, type CheckContext } from './context.ts';

const fieldRange = (field: Field) =>
  field.value.range.end > field.value.range.start ? field.value.range : field.key.range;

const removeFields = (
  context: CheckContext,
  names: readonly string[],
  title: string,
  safety: Fix['safety'],
): Fix | undefined => {
  const { document } = context;
  const edits: TextEdit[] = [];
  for (const name of names) {
    const field = document.field(name);
    if (!field) continue;
    const edit = removeEntry(document, field);
    if (!edit) return undefined;
    edits.push(edit);
  }
  return edits.length === 0 ? undefined : editFix(title, safety, edits, document.input.fileName);
};

const refusalCheck = (context: CheckContext, finding: ProgramFinding): void => {
  const { document } = context;
  const { refusal, path = '' } = finding;
  const field = document.field('metaskill');
  const range = field ? fieldRange(field) : at(0);
  const hasDefault = document.input.files?.has(DEFAULT_PROGRAM) === true;
  const useDefault = hasDefault ? removeFields(context, ['metaskill'], 'Use SKILL.star', 'unsafe') : undefined;
  switch (refusal) {
    case 'path-absolute':
      context.report(
        'MS-path-absolute',
        range,
        `The program’s path \`${path}\` is absolute, so the skill is only text.`,
        [useDefault],
      );
      return;
    case 'path-escape': {
      const message = finding.declared
        ? `The program \`${path}\` is outside the skill’s folder, so the skill is only text.`
        : `\`${path}\` is a link outside the skill’s folder, so the skill is only text.`;
      context.report('MS-path-escape', range, message, [finding.declared ? useDefault : undefined]);
      return;
    }
    case 'file-missing': {
      const hint = hasDefault ? ' `SKILL.star` exists, but the skill declares a different file.' : '';
      context.report(
        'MS-file-missing',
        range,
        `The program \`${path}\` doesn’t exist, so the skill is only text.${hint}`,
        [useDefault],
      );
      return;
    }
    case 'file-case':
      context.report('MS-file-case', at(0), `The program’s name is \`${path}\`, but Lathe finds only \`SKILL.star\`.`, [
        {
          title: 'Rename it to SKILL.star',
          safety: 'safe',
          action: { kind: 'rename-file', from: path, to: DEFAULT_PROGRAM },
        },
      ]);
      return;
    case 'program-is-skill-md':
      context.report('MS-program-is-skill-md', range, '`SKILL.md` can’t be the program, so the skill is only text.', [
        useDefault,
      ]);
      return;
    case 'language-unsupported': {
      const language = document.field('metaskill_language');
      if (!language) return;
      const node = resolveAlias(language.value);
      const text = node?.kind === 'scalar' ? node.text : '';
      const close = text.trim().toLowerCase() === 'starlark' || text.trim() === '';
      const fix = setValueFix('Write `starlark`', close ? 'safe' : 'manual', document, language, 'starlark');
      const message = `Lathe can’t run the language \`${text}\`, only \`starlark\` with exactly that spelling. The skill is only text.`;
      context.report('MS-language-unsupported', fieldRange(language), message, [fix]);
      return;
    }
    case undefined:
      return;
  }
};

const programCheck = (context: CheckContext, finding: ProgramFinding): void => {
  const { metaskill } = finding;
  if (!metaskill) return;
  const file = context.document.input.files?.get(metaskill.program);
  if (!file) return;
  const { program } = metaskill;
  if (file.notUtf8 === true)
    context.report('MS-not-utf8', at(0), `The program \`${program}\` is not UTF-8.`, [], program);
  if (file.text?.startsWith('\uFEFF')) {
    context.report(
      'MS-bom',
      { start: 0, end: 1 },
      `The program \`${program}\` starts with a byte order mark.`,
      [editFix('Remove the byte order mark', 'safe', [replaceRange({ start: 0, end: 1 }, '')], program)],
      program,
    );
  }
  if (metaskill.fault === 'own-frontmatter') {
    context.report(
      'MS-own-frontmatter',
      { start: 0, end: 3 },
      `The program \`${program}\` has frontmatter. All metadata belongs in SKILL.md.`,
      [],
      program,
    );
  }
  if (file.size > PROGRAM_SIZE_ADVICE) {
    const limit = file.size > PROGRAM_SIZE_LIMIT ? 'over 1 MiB, so it does not run' : 'over 64 KiB';
    context.report('MS-size', at(0), `The program \`${program}\` has ${file.size} bytes, ${limit}.`, [], program);
  }
};

const declarationCheck = (context: CheckContext, finding: ProgramFinding): void => {
  const { document } = context;
  const { files } = document.input;
  const field = document.field('metaskill');
  const language = document.field('metaskill_language');
  if (language && finding.path === undefined && files) {
    context.report(
      'MS-field-without-file',
      language.key.range,
      'The skill has no program, so `metaskill_language` has no effect.',
      [removeFields(context, ['metaskill_language'], 'Remove the field', 'safe')],
    );
  }
  const { metaskill } = finding;
  if (!metaskill) return;
  if (field && finding.declared && metaskill.program !== DEFAULT_PROGRAM && files?.has(DEFAULT_PROGRAM)) {
    context.report(
      'MS-declared-hides-default',
      field.value.range,
      `\`SKILL.star\` exists, but the skill declares \`${metaskill.program}\`, which runs instead.`,
    );
  }
  if (metaskill.program === DEFAULT_PROGRAM && (field ?? language)) {
    const range = (field ?? language)?.key.range ?? at(0);
    context.report(
      'MS-fields-optional',
      range,
      'These fields repeat the defaults. Without them, the skill is valid in more agents.',
      [removeFields(context, [...METASKILL_FIELDS], 'Remove the fields', 'safe')],
    );
  }
};

/** “Input keys” as a line, a heading or in bold. */
const INPUT_KEYS = /^[ \t>#*_-]*input keys?\b/im;

export const checkMetaskill = (context: CheckContext, finding: ProgramFinding): void => {
  const { document } = context;
  if (!context.isOn('MS-file-missing')) return;
  if (!context.isLoading) {
    refusalCheck(context, finding);
    programCheck(context, finding);
    declarationCheck(context, finding);
  }
  // The metaskill specification asks this of every skill; the other profiles only of those that it is about.
  if (!finding.metaskill && context.profile !== 'metaskill') return;
  const description = document.field('description');
  const node = description && resolveAlias(description.value);
  if (description && node?.kind === 'scalar') {
    if (node.text.trim() !== '' && withoutComments(node.text).trim() === '') {
      context.report('MS-description-comment-only', node.range, 'The description is empty once comments are removed.');
    }
    if (finding.metaskill && codePointLength(node.text) > 1024) {
      context.report(
        'MS-description-over-limit-will-be-dropped',
        node.range,
        'Metaskill hosts drop a skill with a description over 1,024 characters.',
      );
    }
  }
  if (context.isLoading) return;
  const { bodyFacts } = document;
  if (bodyFacts.length > 20_000 && bodyFacts.codePoints() > 20_000) {
    context.report(
      'body-characters',
      at(document.bodyRange.start),
      `The body has ${bodyFacts.codePoints()} characters. Metaskill hosts can cut it after 20,000.`,
    );
  }
  if (finding.metaskill && !INPUT_KEYS.test(document.body)) {
    const { text, eol } = document;
    const glue = text.endsWith('\n') ? '' : eol;
    context.report(
      'MS-input-keys-undocumented',
      at(document.bodyRange.start),
      'The body doesn’t list the input keys that the program reads.',
      [
        editFix(
          'Add “Input keys: none”',
          'manual',
          [replaceRange(at(text.length), `${glue}${eol}Input keys: none${eol}`)],
          document.input.fileName,
        ),
      ],
    );
  }
};
