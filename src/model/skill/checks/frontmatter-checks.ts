import type { SkillDocument } from '../document.ts';
import { firstParagraph } from '../first-paragraph.ts';
import { slugify } from '../names.ts';
import { decodeText, type FrontmatterFault } from '../source-text.ts';
import type { Fix, TextEdit } from '../types.ts';
import { editFix, quoteScalar, replaceRange, writeScalar } from '../yaml-edit.ts';
import { repairYaml, YAML_HELP } from '../yaml-repair.ts';
import { scalarType } from '../scalar-types.ts';
import { controlCharacters, parseYaml } from '../yaml-tree.ts';
import { at, say, type CheckContext } from './context.ts';

const METIS_MISSING = 'missing YAML frontmatter (file must start with `---`)';
const METIS_UNCLOSED = 'missing closing `---` for YAML frontmatter';

const fileNameCheck = (context: CheckContext): void => {
  const { fileName } = context.document.input;
  if (fileName === 'SKILL.md') return;
  if (context.profile === 'strict' && fileName === 'skill.md') return;
  const rename: Fix = {
    title: 'Rename the file to SKILL.md',
    safety: 'safe',
    action: { kind: 'rename-file', from: fileName, to: 'SKILL.md' },
  };
  const message = say(
    context,
    `The file’s name is \`${fileName}\`, but agents look for \`SKILL.md\`.`,
    '(skipped: no SKILL.md)',
  );
  context.report('file-name', at(0), message, [rename]);
};

const insertFrontmatter = (document: SkillDocument): Fix | undefined => {
  const name = slugify(document.input.folder ?? '');
  const description = firstParagraph(document.text, document.split.bodyStart);
  if (name === '' || description === '') return undefined;
  const lines = ['---', `name: ${writeScalar(name)}`, `description: ${quoteScalar(description)}`, '---', '', ''];
  const edit = replaceRange({ start: 0, end: document.split.bodyStart }, lines.join(document.eol));
  return editFix(
    'Insert frontmatter from the folder’s name and the first paragraph',
    'unsafe',
    [edit],
    document.input.fileName,
  );
};

/** Frontmatter is never longer than this. */
const SEARCHED = 64 * 1024;

/** A closing line below the last line that reads as YAML, if that makes the frontmatter sound. */
const closeFrontmatter = (document: SkillDocument, fault: { readonly end: number }): Fix | undefined => {
  const { text } = document;
  const start = text.indexOf('\n', fault.end) + 1;
  if (start === 0) return undefined;
  let end = start;
  while (end < text.length && end - start < SEARCHED) {
    const next = text.indexOf('\n', end);
    const line = text.slice(end, next === -1 ? text.length : next);
    if (!/^(?:[A-Za-z_][\w-]*[ \t]*:(?:\s|$)|[ \t]+\S|- |#(?=\s*\w+:))/.test(line)) break;
    if (next === -1) {
      end = text.length;
      break;
    }
    end = next + 1;
  }
  if (end === start) return undefined;
  const tree = parseYaml(text, start, end);
  if (tree.problems.length > 0 || tree.root?.kind !== 'map') return undefined;
  const glue = text.charCodeAt(end - 1) === 10 ? '' : document.eol;
  const edit = replaceRange({ start: end, end }, `${glue}---${document.eol}`);
  return editFix('Insert the closing `---`', 'unsafe', [edit], document.input.fileName);
};

const beforeFix = (document: SkillDocument, fault: FrontmatterFault & { kind: 'not-first' }): Fix | undefined => {
  const file = document.input.fileName;
  const before = { start: 0, end: fault.end };
  if (fault.before === 'bom') return editFix('Remove the byte order mark', 'safe', [replaceRange(before, '')], file);
  if (fault.before === 'blank') return editFix('Remove the blank lines', 'safe', [replaceRange(before, '')], file);
  if (document.split.closingLineStart === undefined) return undefined;
  const moved = document.text
    .slice(0, fault.end)
    .replace(/^\uFEFF/, '')
    .trim();
  const edits: TextEdit[] = [
    replaceRange(before, ''),
    replaceRange(at(document.split.bodyStart), `${moved}${document.eol}${document.eol}`),
  ];
  return editFix('Move the text after the frontmatter', 'unsafe', edits, file);
};

const reportFault = (context: CheckContext, fault: FrontmatterFault): void => {
  const { document } = context;
  switch (fault.kind) {
    case 'missing': {
      const message = say(context, 'Missing frontmatter. The first line must be `---`.', METIS_MISSING);
      context.report('frontmatter-missing', at(0), message, [insertFrontmatter(document)]);
      return;
    }
    case 'not-first': {
      const range = { start: 0, end: fault.end };
      if (fault.before === 'bom') {
        const message = say(context, 'A byte order mark comes before the opening `---`.', METIS_MISSING);
        context.report('bom', range, message, [beforeFix(document, fault)]);
        return;
      }
      const what = fault.before === 'blank' ? 'Blank lines come' : 'Text comes';
      const message = say(context, `${what} before the opening \`---\`.`, METIS_MISSING);
      context.report('frontmatter-not-first', range, message, [beforeFix(document, fault)]);
      return;
    }
    case 'delimiter': {
      const found = document.text.slice(fault.start, fault.end);
      const message = say(
        context,
        `The ${fault.which} line of the frontmatter is \`${found}\`, not \`---\`.`,
        fault.which === 'opening' ? METIS_MISSING : METIS_UNCLOSED,
      );
      const glued = fault.end < document.text.length && !/[\r\n]/.test(document.text[fault.end] ?? '');
      const text = `---${glued ? document.eol : ''}`;
      const fix = editFix(
        'Write `---`',
        'safe',
        [replaceRange({ start: fault.start, end: fault.end }, text)],
        document.input.fileName,
      );
      context.report('frontmatter-delimiter', { start: fault.start, end: fault.end }, message, [fix]);
      return;
    }
    case 'unclosed': {
      const message = say(context, 'The frontmatter isn’t closed. Add a second `---` line.', METIS_UNCLOSED);
      context.report('frontmatter-unclosed', { start: fault.start, end: fault.end }, message, [
        closeFrontmatter(document, fault),
      ]);
      return;
    }
  }
};

const yamlCheck = (context: CheckContext): boolean => {
  const { document } = context;
  const tree = document.yaml;
  if (!tree || !document.split.yaml) return false;
  const [problem] = tree.problems;
  if (problem) {
    const repaired = repairYaml(document);
    if (problem.kind === 'control-character') {
      const edits = controlCharacters(document.text, document.split.yaml).map((range) => replaceRange(range, ''));
      context.report(
        'yaml-control-character',
        problem.range,
        say(context, problem.message, `yaml parse error: ${problem.message}`),
        [editFix('Remove all control characters', 'safe', edits, document.input.fileName)],
      );
    } else if (problem.kind === 'too-large' || problem.kind === 'too-deep') {
      context.report(
        'yaml-limit',
        problem.range,
        say(context, problem.message, `yaml parse error: ${problem.message}`),
      );
    } else {
      const ours = repaired?.cause ?? `${problem.message}. ${YAML_HELP}`.replace(/\.\. /, '. ');
      const fix = repaired && editFix(repaired.title, repaired.safety, repaired.edits, document.input.fileName);
      // One character is hard to see: the value that needs quotes is the place.
      const [edit] = repaired?.edits ?? [];
      const range = edit && edit.range.end > edit.range.start ? edit.range : problem.range;
      context.report('yaml-syntax', range, say(context, ours, `yaml parse error: ${problem.message}`), [fix]);
    }
    return false;
  }
  if (tree.root && tree.root.kind !== 'map') {
    // A host of Python takes every empty value for an empty mapping, and the skill format's loader a `null` too.
    const isNothing =
      tree.root.kind === 'scalar' &&
      (tree.root.text === '' || (context.profile === 'metis' && scalarType(tree.root, '1.1') === 'null'));
    if (!isNothing || context.profile === 'strict') {
      const message = say(
        context,
        'The frontmatter isn’t a list of `key: value` pairs.',
        'frontmatter must be a YAML mapping',
      );
      context.report('frontmatter-not-mapping', tree.root.range, message);
      return false;
    }
  }
  if (!tree.root && context.profile === 'strict') {
    context.report('frontmatter-not-mapping', document.split.yaml, 'The frontmatter is empty.');
    return false;
  }
  return true;
};

const lineEndingCheck = (context: CheckContext): void => {
  const { text, input } = context.document;
  if (!text.includes('\r')) return;
  const kind = /\r(?!\n)|(?<!\r)\n/.test(text) ? 'mixed line endings' : 'Windows line endings';
  const action = {
    kind: 'edit',
    file: input.fileName,
    // One for every line: made only when somebody asks for them.
    get edits() {
      return Array.from(text.matchAll(/\r\n?/g), ({ 0: found, index }) =>
        replaceRange({ start: index, end: index + found.length }, '\n'),
      );
    },
  } as const;
  context.report('line-endings', at(text.indexOf('\r')), `The file has ${kind}.`, [
    { title: 'Use LF everywhere', safety: 'safe', action },
  ]);
};

/** True if the fields can be looked at. */
export const checkFrontmatter = (context: CheckContext): boolean => {
  const { document } = context;
  fileNameCheck(context);
  if (context.profile === 'metis' && document.input.fileName !== 'SKILL.md') return false;
  if (document.invalidAt !== undefined) {
    const offset = decodeText(document.input.content.slice(0, document.invalidAt)).text.length;
    context.report(
      'not-utf8',
      { start: offset, end: offset + 1 },
      `The file isn’t UTF-8. Byte ${document.invalidAt} doesn’t start a valid character.`,
    );
    return false;
  }
  for (const fault of document.split.faults) {
    reportFault(context, fault);
    // The skill format's loader stops at the first problem and says nothing else.
    if (context.profile === 'metis') return false;
  }
  for (const range of document.split.paddedDelimiters) {
    context.report('delimiter-trailing-space', range, 'The delimiter line ends in spaces.', [
      editFix('Remove the spaces', 'safe', [replaceRange(range, '')], document.input.fileName),
    ]);
  }
  lineEndingCheck(context);
  return yamlCheck(context);
};
