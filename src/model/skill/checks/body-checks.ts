import { groupDigits, plural } from '../../../base/text.ts';
import { isAbsolutePath, normalPath } from '../skill-path.ts';
import type { Fix, SkillFiles, SkillInput, TextRange } from '../types.ts';
import { editFix, replaceRange } from '../yaml-edit.ts';
import type { BodyLink } from '../body.ts';
import { scanBody } from '../body.ts';
import { at, type CheckContext } from './context.ts';

const SHORT_BODY = 100;
const MAX_LINES = 500;
const MAX_TOKENS = 5000;

/**
 * Invisible or direction-changing characters, and controls. Emoji joiners are left alone, and flags: a black flag with the
 * five letters of a region at most and a last tag. Anything longer is a string that nobody sees.
 */
const HIDDEN =
  /(?:[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\uFEFF]|(?<!\uD83C\uDFF4(?:\uDB40[\uDC00-\uDC7F]){0,5})\uDB40[\uDC00-\uDDEF]){1,4096}/g;
/** The same without the exception for flags. */
const MAY_BE_HIDDEN =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\uDB40\uFEFF]/;
const NOT_ASCII = /[^\t\n\r -~]/g;
/** Strings with more characters beyond ASCII than this are searched as a whole. */
const FEW = 64;

/** Nearly every string ends here: going from one unusual character to the next costs half of a search for the hidden ones. */
const mayHide = (text: string): boolean => {
  NOT_ASCII.lastIndex = 0;
  for (let count = 0; count < FEW; count++) {
    const match = NOT_ASCII.exec(text);
    if (!match) return false;
    if (MAY_BE_HIDDEN.test(match[0])) return true;
  }
  return MAY_BE_HIDDEN.test(text);
};

/** A run is matched in pieces: a pattern that repeats a choice without a limit overflows the stack of the engine. */
const hiddenRuns = (text: string): readonly { readonly start: number; readonly length: number }[] => {
  const runs: { start: number; length: number }[] = [];
  for (const { index, 0: found } of text.matchAll(HIDDEN)) {
    const last = runs.at(-1);
    if (last && last.start + last.length === index) last.length += found.length;
    else runs.push({ start: index, length: found.length });
  }
  return runs;
};

export const estimateTokens = (codePoints: number): number => Math.max(1, Math.floor(codePoints / 4));

const isRemote = (target: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target);
/** `{baseDir}/x`, `${CLAUDE_SKILL_DIR}/x`, `<path>`: filled in later. */
const isTemplate = (target: string): boolean => /[{}$<>*]|\.\.\.$|…/.test(target);

/** The whole folder, if somebody has listed it. */
export const allFiles = (input: SkillInput): SkillFiles | undefined =>
  input.partial === true ? undefined : input.files;

const foldersOf = new WeakMap<SkillFiles, ReadonlySet<string>>();

/** Every folder on the way to a file: worked out once, because a body can have thousands of links. */
const knownFolders = (files: SkillFiles): ReadonlySet<string> => {
  const known = foldersOf.get(files);
  if (known) return known;
  const folders = new Set<string>();
  for (const file of files.keys())
    for (
      let end = file.lastIndexOf('/');
      end > 0 && !folders.has(file.slice(0, end));
      end = file.lastIndexOf('/', end - 1)
    )
      folders.add(file.slice(0, end));
  foldersOf.set(files, folders);
  return folders;
};

const pathExists = (files: SkillFiles, path: string): boolean =>
  path === '' || files.has(path) || knownFolders(files).has(path);

const decodePath = (target: string): string => {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
};

const createFix = (path: string): Fix => ({
  title: `Create \`${path}\``,
  safety: 'manual',
  action: {
    kind: 'create-file',
    file: path,
    text: /\.md$/i.test(path) ? `# ${path.replace(/^.*\/|\.md$/gi, '')}\n` : '',
  },
});

/** What a local link points to, from a file in `folder`. */
const localTarget = (link: BodyLink): { path: string; fragment: string } | undefined => {
  const { target } = link;
  if (isRemote(target) || isTemplate(target) || isAbsolutePath(target)) return undefined;
  const hash = target.indexOf('#');
  const path = (hash === -1 ? target : target.slice(0, hash)).replace(/\?.*$/, '');
  return { path: decodePath(path), fragment: hash === -1 ? '' : decodePath(target.slice(hash + 1)) };
};

type SlugsOf = (text: string) => ReadonlySet<string>;

const linkCheck = (context: CheckContext, link: BodyLink, reported: Set<string>, slugsOf: SlugsOf): void => {
  const { document } = context;
  const files = allFiles(document.input);
  const local = localTarget(link);
  if (!local) return;
  const path = local.path === '' ? '' : normalPath(local.path);
  if (path === undefined) {
    context.report('link-escapes', link.range, `The link \`${link.target}\` is outside the skill’s folder.`);
    return;
  }
  if (local.path.includes('\\') && /^[\w.-]+(?:\\[\w.-]+)+$/.test(local.path)) {
    context.report('link-backslash', link.range, `The path \`${link.target}\` uses backslashes.`, [
      editFix('Use `/`', 'safe', [replaceRange(link.range, link.target.replace(/\\/g, '/'))], document.input.fileName),
    ]);
  }
  if (!files) return;
  if (!pathExists(files, path)) {
    reported.add(path);
    context.report('link-broken', link.range, `The link points to \`${path}\`, which does not exist.`, [
      createFix(path),
    ]);
    return;
  }
  if (local.fragment === '') return;
  const inThisFile = path === '' || path === document.input.fileName;
  const text = inThisFile ? undefined : files.get(path)?.text;
  if (!inThisFile && (text === undefined || !/\.(?:md|markdown)$/i.test(path))) return;
  const slugs = inThisFile ? document.bodyFacts.headingSlugs() : slugsOf(text ?? '');
  if (!slugs.has(local.fragment.toLowerCase()) && !slugs.has(local.fragment)) {
    context.report(
      'link-fragment',
      link.range,
      `No heading matches \`#${local.fragment}\`${inThisFile ? '' : ` in \`${path}\``}.`,
    );
  }
};

const linkChecks = (context: CheckContext): void => {
  const { document } = context;
  const { knownSkills } = document.input;
  const files = allFiles(document.input);
  const facts = document.bodyFacts;
  const reported = new Set<string>();
  const seen = new Set<string>();
  const known = new Map<string, ReadonlySet<string>>();
  const slugsOf: SlugsOf = (text) => {
    const slugs = known.get(text) ?? scanBody(text, 0).headingSlugs();
    known.set(text, slugs);
    return slugs;
  };
  for (const link of facts.links) {
    if (!seen.has(link.target)) linkCheck(context, link, reported, slugsOf);
    seen.add(link.target);
  }
  if (files) {
    for (const mention of facts.mentions()) {
      const path = normalPath(mention.target);
      if (path === undefined || reported.has(path) || files.has(path)) continue;
      reported.add(path);
      context.report('mention-missing', mention.range, `The body mentions \`${path}\`, which does not exist.`, [
        createFix(path),
      ]);
    }
  }
  if (knownSkills) {
    const unknown = new Set<string>();
    for (const link of facts.wikiLinks) {
      if (!/^[a-z0-9-]+$/.test(link.target) || knownSkills.has(link.target) || unknown.has(link.target)) continue;
      unknown.add(link.target);
      context.report('wiki-link-unknown', link.range, `No skill has the name \`${link.target}\`.`);
    }
  }
};

const rangeAt = (start: number, length: number): TextRange => ({ start, end: start + length });

const UNDERLINE = /\n(?:=+|-+)[ \t]*(?:\r?\n|$)/y;

/** Comments may be before the heading, which may be underlined. */
const startsWithHeading = (text: string, from: number): boolean => {
  let offset = from;
  for (;;) {
    while (/\s/.test(text.charAt(offset))) offset++;
    const close = text.startsWith('<!--', offset) ? text.indexOf('-->', offset) : -1;
    if (close === -1) break;
    offset = close + 3;
  }
  if (/^#{1,6}[ \t]/.test(text.slice(offset, offset + 7))) return true;
  UNDERLINE.lastIndex = text.indexOf('\n', offset);
  return UNDERLINE.lastIndex > offset && UNDERLINE.test(text);
};

export const checkBody = (context: CheckContext): void => {
  const { document } = context;
  const facts = document.bodyFacts;
  const { start } = document.bodyRange;
  const file = document.input.fileName;
  const body = document.text.slice(start);
  const isEmpty = !/\S/.test(body);
  if (isEmpty) {
    context.report('body-empty', at(start), 'The body is empty.');
  } else if (facts.length < 2 * SHORT_BODY && facts.codePoints() < SHORT_BODY) {
    context.report(
      'body-short',
      at(start),
      `The body has only ${plural(facts.codePoints(), 'character')}. Describe the steps.`,
    );
  }
  if (!isEmpty && !startsWithHeading(document.text, start)) {
    context.report('body-no-heading', at(start), 'The body doesn’t start with a heading.');
  }
  if (facts.lineCount > MAX_LINES) {
    context.report(
      'body-lines',
      at(start),
      `The body has ${groupDigits(facts.lineCount)} lines. Keep it under ${MAX_LINES}, and move details to references/.`,
    );
  }
  const tokens = facts.length > MAX_TOKENS * 4 ? estimateTokens(facts.codePoints()) : 0;
  if (tokens > MAX_TOKENS) {
    context.report(
      'body-tokens',
      at(start),
      `The body takes about ${groupDigits(tokens)} tokens. Keep it under ${groupDigits(MAX_TOKENS)}, and move details to references/.`,
    );
  }
  if (facts.openFence) {
    const glue = document.text.endsWith('\n') ? '' : document.eol;
    const edit = replaceRange(at(document.text.length), `${glue}${facts.openFenceMarker}${document.eol}`);
    context.report('fence-unclosed', facts.openFence, 'This code fence isn’t closed.', [
      editFix('Close it at the end of the file', 'unsafe', [edit], file),
    ]);
  }
  const tag = body.indexOf('</skill_content>');
  if (tag !== -1) {
    context.report(
      'skill-content-tag',
      rangeAt(start + tag, 16),
      'The body contains `</skill_content>`, the tag that agents put after a loaded body.',
    );
  }
  const from = document.split.yaml?.start ?? start;
  const visible = document.text.slice(from);
  const hidden = mayHide(visible) ? hiddenRuns(visible).map((run) => rangeAt(from + run.start, run.length)) : [];
  const [first] = hidden;
  if (first) {
    const code = (document.text.codePointAt(first.start) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const edits = hidden.map((range) => replaceRange(range, ''));
    context.report('hidden-characters', first, `This is the invisible character U+${code}.`, [
      editFix('Remove all of them', 'unsafe', edits, file),
    ]);
  }
  linkChecks(context);
};
