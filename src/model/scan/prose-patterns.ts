/** Patterns in prose, and in every string. Alarms here have almost no honest use; everything else is a note. */
import { blankFences } from './fences.ts';
import type { PatternInput } from './pattern-input.ts';
import { hostOf, isDropHost, publicAddress } from './places.ts';
import { analysePowershell } from './powershell-patterns.ts';

interface NotePattern {
  readonly rule: string;
  /** Where it is found: a pattern that never reads a part of the text twice, or a function. */
  readonly pattern: RegExp | ((text: string) => Iterable<number>);
  readonly message: string;
}

const FAR_LINES = 40;
const FAR_BLANKS = 200;

/** What comes after forty line ends or two hundred blanks. */
const behindBlanks = function* (text: string): Iterable<number> {
  for (const { 0: run, index } of text.matchAll(/[ \t\r\n]+/g)) {
    const next = index + run.length;
    if (run.length < FAR_LINES || next >= text.length || /\s/.test(text.charAt(next))) continue;
    const blanks = run.length - 1 - Math.max(run.lastIndexOf('\n'), run.lastIndexOf('\r'));
    if (blanks >= FAR_BLANKS || run.split('\n').length > FAR_LINES) yield next;
  }
};

/** A download in front of a bar with a shell after it. A piece between bars is read once. */
const pipedDownloads = function* (text: string): Iterable<number> {
  for (const match of text.matchAll(/(?<![^\n|])([^\n|]*)\|(?=\s*(?:sudo\s+)?(?:ba|z)?sh\b)/g)) {
    const at = (match[1] ?? '').search(/\b(?:curl|wget)\b/);
    if (at !== -1) yield match.index + at;
  }
};

const PROSE_NOTES: readonly NotePattern[] = [
  {
    rule: 'overrides-instructions',
    pattern:
      /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|system|all other|your)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines)\b/i,
    message: 'Asks to set other instructions aside.',
  },
  {
    rule: 'conceals',
    pattern:
      /\b(?:do not|don't|never|without)\b[^.\n]{0,40}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|show|notify|notifying|alert)\w*\b[^.\n]{0,20}\b(?:the )?users?\b/i,
    message: 'Asks to keep something from the user.',
  },
  {
    rule: 'skips-confirmation',
    pattern: /--dangerously-skip-permissions|--yolo\b|\bbypassPermissions\b/i,
    message: 'Turns off an agent’s approval prompts.',
  },
  {
    rule: 'remote-instructions',
    pattern:
      /\b(?:fetch|download|read|load|follow)\b[^.\n]{0,60}https?:\/\/\S{1,300}\.(?:md|txt)\b[^.\n]{0,60}\b(?:instructions?|follow|obey|execute)\b/i,
    message: 'Fetches instructions from a URL at run time.',
  },
  {
    rule: 'agent-files',
    pattern:
      /\b(?:append|add|write|insert|modify|edit|update)\b[^.\n]{0,60}\b(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|\.claude\/settings|\.mcp\.json)/i,
    message: 'Changes files that steer an agent.',
  },
  {
    rule: 'encoded-blob',
    pattern: /(?<![\w+/=-])[A-Za-z0-9+/]{200,}={0,2}(?![\w+/-])/,
    message: 'A long encoded block.',
  },
  {
    rule: 'blank-padding',
    pattern: behindBlanks,
    message: 'Text pushed out of sight by spaces.',
  },
  {
    rule: 'pipes-download',
    pattern: pipedDownloads,
    message: 'Pipes a download into a shell.',
  },
];

/** In every text file, scripts too. The key of Amazon's documents is nobody's. */
const FILE_NOTES: readonly NotePattern[] = [
  {
    rule: 'secret-in-text',
    pattern:
      /\b(?:sk-ant-[\w-]{20,}|sk-(?:proj-)?[A-Za-z0-9]{32,}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,}|AKIA(?![0-9A-Z]{9}EXAMPLE)[0-9A-Z]{16}|xox[bap]-[\w-]{20,}|AIza[\w-]{35})\b|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}/,
    message: 'Looks like a real key. Remove it and rotate the key.',
  },
  {
    rule: 'mixed-scripts',
    pattern: /(?<![\p{L}\d])(?=\p{L}*[a-zA-Z])(?=\p{L}*[\u0400-\u04FF\u03BF\u0555\u0585])\p{L}{2,}/u,
    message: 'Mixes letters from two scripts in one word. It may imitate another word.',
  },
];

const placesOf = function* (pattern: NotePattern['pattern'], text: string): Iterable<number> {
  if (typeof pattern === 'function') yield* pattern(text);
  else for (const { index } of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) yield index;
};

const mark = ({ text, placeOf, world }: PatternInput, patterns: readonly NotePattern[]): void => {
  for (const { rule, pattern, message } of patterns) {
    let count = 0;
    for (const at of placesOf(pattern, text)) {
      if (++count > 20) break;
      world.note(rule, placeOf(at), message);
    }
  }
};

/** What stands between each `open` and the next `close`. */
export const between = function* (
  text: string,
  open: string,
  close: string,
): Iterable<{ start: number; inner: string }> {
  for (let start = text.indexOf(open); start !== -1;) {
    const end = text.indexOf(close, start + open.length);
    if (end === -1) return;
    yield { start, inner: text.slice(start + open.length, end) };
    start = text.indexOf(open, end + close.length);
  }
};

const notes = (input: PatternInput): void => {
  const { text, placeOf, world } = input;
  mark(input, PROSE_NOTES);
  // A comment in a block of code is shown with the code.
  for (const { start, inner } of between(
    blankFences(text, ({ prefix }) => !prefix.includes('>')),
    '<!--',
    '-->',
  )) {
    if (/\b(?:you must|always|never|ignore|execute|run|send|do not|secretly|agent|assistant)\b/i.test(inner))
      world.note(
        'hidden-comment',
        placeOf(start),
        `A comment that the rendered page hides: ${inner.trim().slice(0, 200)}`,
      );
  }
};

const URL = /https?:\/\/[^\s)\]>"'`|]+/gi;

/** Addresses of channels, each with its key. */
const CHANNEL =
  /discord(?:app)?\.com\/api\/webhooks\/\d{3,}\/(?!x{3}|\.{3})[\w-]{5,}|api\.telegram\.org\/bot\d{4,}:[\w-]{3,}|hooks\.slack\.com\/services\/T(?!0{5}|X{3})\w{5,}\/B\w{5,}\/(?!X{5})\w{10,}/gi;
const SECRETS_OF_CI = /\btoJSON\(\s{0,4}secrets\s{0,4}\)/g;

const channels = ({ text, placeOf, world }: PatternInput): void => {
  for (const { index } of text.matchAll(CHANNEL))
    world.alarm('drop-host', placeOf(index), 'Messages go to a channel of the author. The address contains its key.');
  for (const { index } of text.matchAll(SECRETS_OF_CI))
    if (/\b(?:curl|wget|https?:\/\/)/.test(text.slice(Math.max(0, index - 300), index + 300)))
      world.alarm('secret-to-network', placeOf(index), 'All secrets of the build go to an address.');
};

const addresses = ({ text, placeOf, world }: PatternInput): void => {
  for (const { 0: url, index } of text.matchAll(URL)) {
    const address = publicAddress(url);
    if (address !== undefined)
      world.alarm('raw-address', placeOf(index), `${address} is an IP address without a host name.`);
  }
};

const ARCHIVE = /\b(?:archives?|zip(?:ped)?|rar|7z|\.zip|\.rar)\b|\.(?:zip|rar|7z)\b/i;
/** Only where the password itself is given: "set a password for the account" is advice. */
const PASSWORD =
  /\b(?:pass(?:word|phrase|code)?|pwd)\b[*_]{0,4}\s{0,20}(?:(?:is|:|=|\()[*_]{0,4}\s{0,20}(?!(?:required|needed|optional|not|stored|the|an?|your|set|correct|wrong|empty|missing|asked|protected|known|given|provided|string|str|none|null|true|false)\b)[`"'“*]{0,8}|[`"'“*]{1,8})[\w@!#$.-]{3,}|\b(?:with|using)\s{1,20}(?:the\s{1,20})?pass(?:word|phrase|code)?\s{1,20}(?!(?:for|of|in|to|that|which|from|when|if|and|or|protection|manager|file|hash\w*|auth\w*|prompt|field|option|flag|set)\b)[\w@!#$.-]{3,}/i;
const OPEN =
  /\b(?:extract|unzip|unpack|open|decompress|download|estra(?:i|rre|ilo)|apri\w*|scarica\w*|decomprim\w*|entpack\w*|herunterlad\w*|extrae\w*|descarga\w*|décompress\w*|télécharge\w*)\b/i;

export interface Paragraph {
  readonly text: string;
  readonly start: number;
}

export const paragraphs = (text: string): Paragraph[] => {
  const found: Paragraph[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r?\n[ \t]*\r?\n/g)) {
    found.push({ text: text.slice(start, match.index), start });
    start = match.index + match[0].length;
  }
  found.push({ text: text.slice(start), start });
  return found;
};

/** A program that is only named, beside an address. */
const BINARY_NAME = /(?<![\w-])[\w-]+\.(?:exe|msi|dmg|pkg|scr)\b/i;
const BINARY_END = /\.(?:exe|msi|dmg|pkg|scr|bat|cmd|ps1|apk|zip|rar|7z|tar\.gz|tgz)\b/gi;

interface Found {
  readonly text: string;
  readonly index: number;
}

/** The first address of a program or an archive, up to its ending. */
const binaryLink = (block: string): Found | undefined => {
  for (const { 0: url, index } of block.matchAll(/https?:\/\/[^\s)\]>"'`]+/gi)) {
    const last = [...url.matchAll(BINARY_END)].at(-1);
    if (last) return { text: url.slice(0, last.index + last[0].length), index };
  }
  return undefined;
};

const binaryName = (block: string): Found | undefined => {
  const match = /https?:\/\//i.test(block) ? BINARY_NAME.exec(block) : null;
  return match ? { text: match[0], index: match.index } : undefined;
};

const RUN_IT =
  /\b(?:run|execute|launch|double[- ]click|start|open)\b[^.\n]{0,60}\b(?:it|file|installer|executable|program|binary|the app|setup|agent|tool|utility|\w+\.(?:exe|dmg|pkg|msi|bat|cmd|ps1|command))\b/i;

/** Code with a language has its own reader; blanks keep the offsets. */
const withoutCode = (text: string): string =>
  blankFences(text, ({ prefix, tag }) => !prefix.includes('>') && /^(?!te?xt\b|plain)\w/.test(tag));

const without = (text: string, matches: readonly RegExpExecArray[]): string => {
  let done = 0;
  const kept = matches.map(({ 0: match, index }) => {
    const before = text.slice(done, index);
    done = index + match.length;
    return before;
  });
  return kept.join('') + text.slice(done);
};

/** Ways of getting a person, or an agent, to install something. */
const lures = ({ text: whole, placeOf, world }: PatternInput): void => {
  const text = withoutCode(whole);
  for (const { text: block, start } of paragraphs(text)) {
    const archive = ARCHIVE.exec(block);
    const password = PASSWORD.exec(block);
    if (archive && password && OPEN.test(block) && Math.abs(archive.index - password.index) < 200)
      world.alarm('protected-archive', placeOf(start + password.index), 'Opens an archive with a password given here.');
    const link = binaryLink(block) ?? binaryName(block);
    if (
      link &&
      RUN_IT.test(block.slice(link.index + link.text.length, link.index + link.text.length + 160)) &&
      /\bdownload|\binstall|\bget\b/i.test(block)
    )
      world.alarm(
        'download-and-run',
        placeOf(start + link.index),
        `${hostOf(link.text) ?? 'A URL'} has a program to download and run.`,
      );
    const drops = [...block.matchAll(URL)].filter(({ 0: url }) => isDropHost(hostOf(url) ?? ''));
    if (
      drops.length === 0 ||
      !/\b(?:run|execute|paste|terminal|shell|command|install|curl|wget|bash)\b/i.test(without(block, drops))
    )
      continue;
    for (const { 0: url, index } of drops)
      world.alarm(
        'drop-host',
        placeOf(start + index),
        `${hostOf(url) ?? ''} is a paste site, and something from there gets run.`,
      );
  }
};

/** Where a host may put data into an address. */
const SLOT =
  /(?<==)(?:CONVERSATION|DATA|CONTENTS?|HISTORY|PAYLOAD|ENCODED|BASE64|SECRETS?|TOKENS?|MESSAGES?|CHAT|SUMMARY|CONTEXT|OUTPUT|RESULT|PROMPT|ANSWER)\w*|\{\{?[\w .]+\}?\}|\$\{?\w+\}?|<[^<>\n]{2,80}>|\[[A-Z_ ]+\]|%7B/i;
const HTML_SLOT = /\{\{?\w+\}?\}|\$\{?\w+\}?|\[[A-Z_ ]+\]/i;
const MAX_ADDRESS = 2000;
const MAX_ALT = 300;

/** Addresses of images in Markdown, each up to its closing parenthesis. */
const pictureTargets = function* (text: string): Iterable<{ readonly start: number; readonly target: string }> {
  let end = -1;
  for (let at = text.indexOf(']('); at !== -1; at = text.indexOf('](', at + 2)) {
    if (end < at) {
      end = text.indexOf(')', at);
      if (end === -1) return;
    }
    if (!/^\s{0,20}<?https?:/i.test(text.slice(at + 2, at + 32))) continue;
    const start = text.slice(Math.max(0, at - MAX_ALT), at).lastIndexOf('![');
    if (start !== -1)
      yield { start: Math.max(0, at - MAX_ALT) + start, target: text.slice(at + 2, Math.min(end, at + MAX_ADDRESS)) };
  }
};

const IMAGE_SOURCE = /\bsrc=["'](https?:\/\/[^"'?]*)\?([^"']*)["']/gi;

const beacons = ({ text, placeOf, world }: PatternInput): void => {
  const report = (at: number, url: string): void =>
    world.alarm(
      'image-beacon',
      placeOf(at),
      `The image at ${hostOf(url) ?? 'an address'} has room for data in its URL.`,
    );
  for (const { start, target } of pictureTargets(text)) {
    const [whole = '', url] = /^\s*<?(https?:\/\/[^\s>?]*)\?/i.exec(target) ?? [];
    if (url === undefined) continue;
    const query = target.slice(whole.length);
    const slot = query.search(SLOT);
    if (slot !== -1 && !/\s/.test(query.slice(0, slot))) report(start, url);
  }
  for (const { 0: tag, index } of text.matchAll(/<img\b[^>]*(?:>|$)/gi))
    for (const [, url = '', query = ''] of tag.matchAll(IMAGE_SOURCE)) if (HTML_SLOT.test(query)) report(index, url);
};

export const analyseProse = (input: PatternInput): void => {
  notes(input);
  lures(input);
  beacons(input);
  analysePowershell(input);
};

/** What is looked for in every text file, whatever it is. */
export const analyseText = (input: PatternInput): void => {
  addresses(input);
  channels(input);
  mark(input, FILE_NOTES);
};
