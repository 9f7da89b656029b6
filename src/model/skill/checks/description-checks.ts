import { codePointLength, groupDigits, offsetOfCodePoint, plural } from '../../../base/text.ts';
import type { Field } from '../document.ts';
import { fieldText, misspeltField, readField } from '../fields.ts';
import { firstParagraph } from '../first-paragraph.ts';
import { pythonStrip } from '../python-text.ts';
import type { Fix, TextRange } from '../types.ts';
import { appendEntry, editFix, quoteScalar, renameKeyFix, setValue, setValueFix } from '../yaml-edit.ts';
import { at, type CheckContext, say } from './context.ts';

const LIMIT = 1024;
const SHORT = 50;
const LISTING_CUT = 1536;
const JUDGED = 4096;
const LONG_INDEX_LINE_TOKENS = 100;

const PLACEHOLDER =
  /^(?:todo\b|fixme\b|tbd\b|placeholder\b|a skill that\b|this skill\b|description goes here|enter (?:a )?description|replace (?:this|with)|\[todo|\.\.\.$|…$)/i;
/** Broad on purpose: a hint that is wrong is worse than one that is missing. */
const WHEN =
  /\b(?:use|used|using|useful|invoke|invoked|trigger|triggers|triggered|apply|applies|activate|activates|load|call|run|consult|reach for)\b[^.]{0,60}?\b(?:when|whenever|for|if|this|before|after|while|during|on|to|in|as)\b|\bwhen(?:ever)?\b|\b(?:designed|required|needed|ideal|intended|helps|suitable) (?:for|when)\b|\bfor (?:use|requests|tasks|questions|working|building|creating|writing)\b/i;
const USER_CENTRIC =
  /\b(?:when(?:ever)?|if) (?:the |a )?users?\b|\busers? (?:asks?|mentions?|requests?|wants?|says)\b/i;
const FIRST_PERSON =
  /(?:^|[\s(])(?:I|I'm|I’m|I'll|I’ll|I've|I’ve|my|we|we'll|our)\s+(?:can|will|help|am|have|do|should|want|use|provide)\b|\b(?:helps? me|for me)\b/;

const QUOTED = /"[^"]*"|(?<!\w)'[^']*'(?!\w)|“[^“”]*”|`[^`]*`/g;
/** A list of keywords inside a longer text is an enumeration, which is fine. */
const STUFFED_SHARE = 0.4;

const isKeywordStuffed = (text: string): boolean => {
  const quoted = /["'“`]/.test(text) ? (text.match(QUOTED) ?? []) : [];
  if (quoted.length >= 5) {
    const prose = text.replace(QUOTED, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
    if (prose.length < quoted.length) return true;
  }
  if ((text.match(/,/g)?.length ?? 0) < 7) return false;
  return text.split(/(?<=[.!?])\s+/).some((sentence) => {
    const parts = sentence.split(',');
    const short = parts.filter((part) => part.trim().split(/\s+/).length <= 3).length;
    return parts.length >= 8 && short / parts.length >= 0.6 && sentence.length >= text.length * STUFFED_SHARE;
  });
};

const insertFix = (context: CheckContext): Fix | undefined => {
  const { document } = context;
  const misspelt = document.field('description') ? undefined : misspeltField(document, 'description');
  if (misspelt) return renameKeyFix(document, misspelt, 'description');
  const text = firstParagraph(document.text, document.bodyRange.start);
  if (text === '') return undefined;
  const field = document.field('description');
  const edit = field
    ? setValue(document, field, quoteScalar(text))
    : appendEntry(document, [`description: ${quoteScalar(text)}`]);
  return edit && editFix('Use the first paragraph as the description', 'unsafe', [edit], document.input.fileName);
};

const oneLine = (text: string): string =>
  /[^\S ]|\u0085| {2}|^ | $/.test(text) ? text.replace(/[\s\u0085\u2028\u2029]+/g, ' ').trim() : text;

const withoutBrackets = (text: string): string =>
  text
    .replace(/->/g, '→')
    .replace(/=>/g, '⇒')
    .replace(/<-/g, '←')
    .replace(/<=/g, '≤')
    .replace(/>=/g, '≥')
    .replace(/<\/?([^<>]*?)\/?>/g, '$1')
    .replace(/[<>]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();

/** Where in the source the text exceeds a limit; the whole value where escapes or folding make that hard to say. */
const overflowRange = (context: CheckContext, field: Field, text: string, limit: number): TextRange => {
  const { start, end } = field.value.range;
  const source = context.document.text.slice(start, end);
  const found = source.indexOf(text);
  return found === -1
    ? { start, end }
    : { start: start + found + offsetOfCodePoint(text, limit), end: start + found + text.length };
};

const qualityChecks = (context: CheckContext, range: TextRange, text: string, field: Field): void => {
  const { document } = context;
  const length = codePointLength(text);
  // Enough to judge by; some of the patterns would take their time over a string without end.
  const judged = text.slice(0, JUDGED);
  const rewrite = (title: string, safety: Fix['safety'], next: string): Fix | undefined =>
    setValueFix(title, safety, document, field, quoteScalar(next));

  if (PLACEHOLDER.test(judged)) context.report('description-placeholder', range, 'The description is template text.');
  if (length < SHORT) {
    context.report(
      'description-short',
      range,
      `The description has only ${plural(length, 'character')}. Describe what the skill does and when to use it.`,
    );
  }
  if (!WHEN.test(judged)) {
    const snippet = `${oneLine(text).replace(/[.\s]{1,20}$/, '')}. Use when …`;
    context.report('description-no-when', range, 'The description doesn’t say when to use the skill.', [
      rewrite('Add “Use when …”', 'manual', snippet),
    ]);
  }
  if (USER_CENTRIC.test(judged)) {
    context.report(
      'description-user-centric',
      range,
      'The description mentions what the user says. Name the task instead.',
    );
  }
  if (isKeywordStuffed(judged)) {
    context.report('description-keyword-stuffing', range, 'Much of the description is a list of keywords.');
  }
  const name = fieldText(document, 'name', context.typing) ?? '';
  const bare = (value: string): string => value.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  if (name !== '' && length <= name.length * 2 + 8 && bare(text) === bare(name)) {
    context.report('description-equals-name', range, 'The description only repeats the name.');
  }
  if (FIRST_PERSON.test(judged.replace(QUOTED, ' '))) {
    context.report('description-first-person', range, 'The description uses the first person.');
  }
  const brackets = /[<>]/.exec(text);
  if (brackets) {
    context.report('description-angle-brackets', range, `The description contains \`${brackets[0]}\`.`, [
      rewrite('Remove the angle brackets', 'unsafe', withoutBrackets(oneLine(text))),
    ]);
  }
  const node = field.value;
  if (node.kind === 'scalar' && (node.style === 'literal' || node.style === 'folded' || /\n/.test(text.trim()))) {
    context.report('description-multiline', range, 'The description isn’t on one line.', [
      rewrite('Write it on one quoted line', 'safe', oneLine(text)),
    ]);
  } else if (node.kind === 'scalar' && text !== pythonStrip(text)) {
    context.report('description-whitespace', range, 'The description starts or ends with whitespace.', [
      rewrite('Trim it', 'safe', pythonStrip(text)),
    ]);
  }
  const line = `- ${name}: ${oneLine(text)}`;
  const tokens = Math.max(1, Math.floor(codePointLength(line) / 4));
  if (tokens > LONG_INDEX_LINE_TOKENS) {
    context.report(
      'index-line-long',
      range,
      `The index line takes about ${groupDigits(tokens)} tokens in every request.`,
    );
  }
  const when = fieldText(document, 'when_to_use', context.typing);
  const listed = length + (when === undefined ? 0 : codePointLength(when));
  if (listed > LISTING_CUT) {
    context.report(
      'description-listing-cut',
      range,
      `Claude Code lists only the first ${LISTING_CUT} of ${listed} characters.`,
    );
  }
};

export const checkDescription = (context: CheckContext): void => {
  const { document, profile } = context;
  const { field, value } = readField(document, 'description', context.typing);
  const isMetis = profile === 'metis';
  if (!field) {
    const message = say(context, 'Missing `description`.', 'description: required string');
    context.report('description-missing', at(document.split.yaml?.start ?? 0), message, [insertFix(context)]);
    return;
  }
  const range = field.value.range.end > field.value.range.start ? field.value.range : field.key.range;
  if (value.kind === 'map' || value.kind === 'seq') {
    const message = say(context, 'The description must be a string.', 'description: required string');
    context.report('description-type', range, message);
    return;
  }
  if (value.kind === 'null') {
    const message = say(context, 'The description is empty.', 'description: required string');
    context.report('description-empty', range, message, [insertFix(context)]);
    return;
  }
  const text = value.kind === 'string' || value.kind === 'typed' ? value.text : '';
  if (value.kind === 'typed') {
    const quote = setValueFix('Put the description in quotes', 'safe', document, field, quoteScalar(text));
    const message = `Without quotes, not every agent reads the description \`${text}\` as a string.`;
    context.report(
      profile === 'strict' ? 'description-type' : 'description-coerced',
      range,
      say(context, message, 'description: required string'),
      [quote],
    );
    if (isMetis || profile === 'strict') return;
  }
  if (pythonStrip(text) === '') {
    const message = say(context, 'The description is empty.', 'description: must be non-empty');
    context.report('description-empty', range, message, [insertFix(context)]);
    return;
  }
  const length = codePointLength(text);
  if (length > LIMIT) {
    const message = say(
      context,
      `The description has ${groupDigits(length)} characters. The limit is ${groupDigits(LIMIT)}.`,
      `description: must be 1-1024 chars (got ${length})`,
    );
    context.report('description-length', overflowRange(context, field, text, LIMIT), message);
  }
  if (!context.isLoading) qualityChecks(context, range, text, field);
};
