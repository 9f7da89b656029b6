/**
 * Repairs of frontmatter that is not YAML. Every repair is a guess that has been tried: it is offered only if the parser
 * gets further with it than without.
 */
import type { SkillDocument } from './document.ts';
import type { FixSafety, TextEdit } from './types.ts';
import { quoteScalar } from './yaml-edit.ts';
import { parseYaml, type YamlTree } from './yaml-tree.ts';

export const YAML_HELP = 'Values with `: `, ` #`, or a special first character need quotes.';

export interface YamlRepair {
  readonly title: string;
  readonly cause: string;
  readonly safety: FixSafety;
  readonly edits: readonly TextEdit[];
}

interface SourceLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly indent: number;
}

const linesOf = (text: string, start: number, end: number): SourceLine[] => {
  const lines: SourceLine[] = [];
  let at = start;
  while (at < end) {
    let stop = at;
    while (stop < end && text[stop] !== '\n' && text[stop] !== '\r') stop++;
    const line = text.slice(at, stop);
    lines.push({ start: at, end: stop, text: line, indent: /^[ \t]*/.exec(line)?.[0].length ?? 0 });
    at = text[stop] === '\r' && text[stop + 1] === '\n' ? stop + 2 : stop + 1;
  }
  return lines;
};

const KEY_VALUE = /^([ \t]*(?:- +)?(?:[A-Za-z_][\w.-]*|"[^"\r\n]*"|'[^'\r\n]*')[ \t]*:[ \t]+)(\S.*)$/;

/** What was meant by a value that is badly quoted or not quoted at all. */
const meantText = (raw: string): string => {
  const value = raw.trim();
  const quote = value[0];
  if (quote === '"' || quote === "'") {
    const body = value.endsWith(quote) && value.length > 1 ? value.slice(1, -1) : value.slice(1);
    return quote === '"' ? body.replace(/\\(["\\])/g, '$1') : body.replace(/''/g, "'");
  }
  return value;
};

const apply = (text: string, edits: readonly TextEdit[]): { text: string; shift: number } => {
  let out = text;
  let shift = 0;
  for (const edit of edits.toSorted((a, b) => b.range.start - a.range.start)) {
    out = out.slice(0, edit.range.start) + edit.text + out.slice(edit.range.end);
    shift += edit.text.length - (edit.range.end - edit.range.start);
  }
  return { text: out, shift };
};

/** The value that the parser stumbled over, in quotes. */
const quoteBroken = (lines: readonly SourceLine[], offset: number): TextEdit[] | undefined => {
  let index = lines.findIndex((line) => offset <= line.end);
  if (index === -1) index = lines.length - 1;
  for (let up = index; up >= 0; up--) {
    const line = lines[up];
    const match = line && KEY_VALUE.exec(line.text);
    if (!line || !match) continue;
    const head = match[1] ?? '';
    let raw = match[2] ?? '';
    if (/^[|>][-+0-9]*\s*(?:#.*)?$/.test(raw)) return undefined;
    let end = line.end;
    for (let down = up + 1; down < lines.length; down++) {
      const next = lines[down];
      if (!next || (next.text.trim() !== '' && next.indent <= line.indent)) break;
      if (next.text.trim() === '') continue;
      raw += ` ${next.text.trim()}`;
      end = next.end;
    }
    return [{ range: { start: line.start + head.length, end }, text: quoteScalar(meantText(raw)) }];
  }
  return undefined;
};

/** What it is about a value that makes it need quotes. */
const quoteCause = (text: string, edits: readonly TextEdit[] | undefined): string => {
  const range = edits?.[0]?.range;
  const raw = range ? text.slice(range.start, range.end) : '';
  if (/^["']/.test(raw))
    return 'The quotes of this value don’t match. A quote inside ends it early, or the closing one is missing.';
  if (/^[[{]/.test(raw)) return `Without quotes, a value that starts with \`${raw[0] ?? ''}\` is a list or a mapping.`;
  if (/:(?:\s|$)/.test(raw)) return 'This unquoted value contains `: `, so YAML can’t parse it.';
  if (/^[^\p{L}\p{N}]/u.test(raw)) return `A value that starts with \`${raw[0] ?? ''}\` needs quotes.`;
  return 'The value needs quotes.';
};

const eachLine = (
  lines: readonly SourceLine[],
  pattern: RegExp,
  replace: (match: RegExpExecArray) => { from: number; length: number; text: string },
): TextEdit[] =>
  lines.flatMap((line) => {
    const match = pattern.exec(line.text);
    if (!match) return [];
    const { from, length, text } = replace(match);
    return [{ range: { start: line.start + from, end: line.start + from + length }, text }];
  });

/** How far a tree is from good: sound mappings first, then the later the first problem the better. */
const betterThan = (before: YamlTree, after: YamlTree, slack: number): boolean => {
  if (after.problems.length === 0) return after.root?.kind === 'map';
  const [was] = before.problems;
  const [is] = after.problems;
  return was !== undefined && is !== undefined && is.range.start > was.range.end + slack;
};

/** So many problems are not one slip, and every guess costs as much as the first reading did. */
const HOPELESS = 200;

const KNOWN_KEYS = 'name|description|license|compatibility|metadata|allowed-tools';

/** The best repair for the first problem of the document's frontmatter. */
export const repairYaml = (document: SkillDocument): YamlRepair | undefined => {
  const { text, split, yaml } = document;
  const problem = yaml?.problems[0];
  if (!split.yaml || !yaml || !problem || problem.kind === 'too-large' || problem.kind === 'too-deep') return undefined;
  if (yaml.problems.length > HOPELESS) return undefined;
  const { start, end } = split.yaml;
  const lines = linesOf(text, start, end);
  const quoted = quoteBroken(lines, problem.range.start);
  const candidates: { title: string; cause: string; safety: FixSafety; edits: TextEdit[] | undefined }[] = [
    {
      title: 'Indent with spaces',
      cause: 'YAML doesn’t allow tabs for indentation.',
      safety: 'safe',
      edits: eachLine(lines, /^[ ]*\t[ \t]*/, (match) => ({
        from: 0,
        length: match[0].length,
        text: match[0].replace(/\t/g, '  '),
      })),
    },
    {
      title: 'Add a space after the colon',
      cause: 'Missing space after the colon.',
      safety: 'safe',
      edits: eachLine(lines, new RegExp(`^[ ]*(?:${KNOWN_KEYS}):(?=[^\\s:/])`), (match) => ({
        from: match[0].length,
        length: 0,
        text: ' ',
      })),
    },
    {
      title: 'Use an ASCII colon',
      cause: 'A full-width colon follows the key.',
      safety: 'safe',
      edits: eachLine(lines, /^[ ]*[A-Za-z_][\w-]*：[ ]*/, (match) => ({
        from: 0,
        length: match[0].length,
        text: `${match[0].replace(/：[ ]*$/, '')}: `,
      })),
    },
    {
      title: 'Put the value in quotes',
      cause: quoteCause(text, quoted),
      safety: 'safe',
      edits: quoted,
    },
    {
      title: 'Remove the indentation',
      cause: 'The key is indented, but it belongs at the top level.',
      safety: 'unsafe',
      edits: eachLine(lines, new RegExp(`^[ ]+(?=(?:${KNOWN_KEYS})[ ]*:(?:[ ]|$))`), (match) => ({
        from: 0,
        length: match[0].length,
        text: '',
      })),
    },
  ];
  for (const { title, cause, safety, edits } of candidates) {
    if (!edits || edits.length === 0) continue;
    const repaired = apply(text, edits);
    const after = parseYaml(repaired.text, start, end + repaired.shift);
    if (betterThan(yaml, after, Math.max(0, repaired.shift))) return { title, cause, safety, edits };
  }
  return undefined;
};
