/** Words and forms of git that need no repository. */
import { nounFor } from '../../base/text.ts';

const encoder = new TextEncoder();

/** A path as git prints it: quoted where it holds anything but plain ASCII. */
export const quotePath = (path: string): string => {
  if (/^[ !#-[\]-~]*$/.test(path)) return path;
  const NAMED: Readonly<Record<number, string>> = {
    7: '\\a',
    8: '\\b',
    9: '\\t',
    10: '\\n',
    11: '\\v',
    12: '\\f',
    13: '\\r',
    34: '\\"',
    92: '\\\\',
  };
  const shown = Array.from(
    encoder.encode(path),
    (byte) =>
      NAMED[byte] ?? (byte < 32 || byte > 126 ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte)),
  );
  return `"${shown.join('')}"`;
};

/** In short and long status, where words are separated by blanks, a blank needs quotes as well. */
export const quoteInLine = (path: string): string => {
  const quoted = quotePath(path);
  return quoted === path && path.includes(' ') ? `"${path}"` : quoted;
};

/** Of one person at one time. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Minutes to add to local time to get UTC, as JavaScript counts. */
  readonly timezoneOffset: number;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const two = (value: number): string => String(value).padStart(2, '0');

const zoneOf = (offset: number, colon = ''): string => {
  const minutes = Math.abs(offset);
  return `${offset > 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${colon}${two(minutes % 60)}`;
};

const UNITS: readonly (readonly [seconds: number, name: string, upTo: number])[] = [
  [1, 'second', 90],
  [60, 'minute', 90 * 60],
  [3600, 'hour', 36 * 3600],
  [86_400, 'day', 14 * 86_400],
  [604_800, 'week', 70 * 86_400],
  [2_629_800, 'month', 365 * 86_400],
];

const relative = (timestamp: number, now: number): string => {
  const age = Math.max(0, now - timestamp);
  const say = (count: number, name: string): string => `${count} ${nounFor(count, name)} ago`;
  for (const [seconds, name, upTo] of UNITS) if (age < upTo) return say(Math.round(age / seconds), name);
  return say(Math.max(1, Math.round(age / 31_557_600)), 'year');
};

/** `format` is that of `--date=`; the default form otherwise. */
export const dateText = ({ timestamp, timezoneOffset }: Signature, format = 'default', now = timestamp): string => {
  const local = new Date((timestamp - timezoneOffset * 60) * 1000);
  const day = `${local.getUTCFullYear()}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
  const time = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
  const [weekday, month] = [DAYS[local.getUTCDay()], MONTHS[local.getUTCMonth()]];
  if (format.startsWith('format:')) {
    const parts: Readonly<Record<string, string>> = {
      Y: String(local.getUTCFullYear()),
      m: two(local.getUTCMonth() + 1),
      d: two(local.getUTCDate()),
      H: two(local.getUTCHours()),
      M: two(local.getUTCMinutes()),
      S: two(local.getUTCSeconds()),
      F: day,
      T: time,
      a: weekday ?? '',
      b: month ?? '',
      y: two(local.getUTCFullYear() % 100),
      e: String(local.getUTCDate()).padStart(2),
      z: zoneOf(timezoneOffset),
      s: String(timestamp),
      '%': '%',
    };
    return format.slice(7).replace(/%(.)/g, (whole, letter: string) => parts[letter] ?? whole);
  }
  switch (format) {
    case 'short':
      return day;
    case 'iso':
    case 'iso8601':
      return `${day} ${time} ${zoneOf(timezoneOffset)}`;
    case 'iso-strict':
    case 'iso8601-strict':
      return timezoneOffset === 0 ? `${day}T${time}Z` : `${day}T${time}${zoneOf(timezoneOffset, ':')}`;
    case 'rfc':
    case 'rfc2822':
      return `${weekday}, ${local.getUTCDate()} ${month} ${local.getUTCFullYear()} ${time} ${zoneOf(timezoneOffset)}`;
    case 'unix':
      return String(timestamp);
    case 'raw':
      return `${timestamp} ${zoneOf(timezoneOffset)}`;
    case 'relative':
      return relative(timestamp, now);
    default:
      return `${weekday} ${month} ${local.getUTCDate()} ${time} ${local.getUTCFullYear()} ${zoneOf(timezoneOffset)}`;
  }
};

export interface CommitInfo {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

export const shortOid = (oid: string): string => oid.slice(0, 7);

/** The first paragraph in one line, and the rest. */
export const splitMessage = (message: string): { readonly subject: string; readonly body: string } => {
  const trimmed = message.replace(/^\n+/, '').trimEnd();
  const end = trimmed.search(/\n[ \t]*\n/);
  const head = end === -1 ? trimmed : trimmed.slice(0, end);
  const body = end === -1 ? '' : trimmed.slice(end).replace(/^\s*\n/, '');
  return { subject: head.split('\n').join(' '), body };
};

const indented = (message: string): string => {
  const lines = message.replace(/^\n+/, '').trimEnd().split('\n');
  return lines.map((line) => `    ${line.trimEnd()}\n`).join('');
};

/** A subject as the name of a file. */
const fileNameOf = (subject: string): string =>
  subject
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^-+|[-.]+$/g, '');

const padded = (text: string, side: string, width: number, cut: string | undefined): string => {
  const characters = Array.from(text);
  if (characters.length > width && cut !== undefined) {
    if (cut === 'ltrunc') return `..${characters.slice(characters.length - width + 2).join('')}`;
    if (cut === 'trunc') return `${characters.slice(0, width - 2).join('')}..`;
    const head = Math.floor((width - 2) / 2);
    return `${characters.slice(0, head).join('')}..${characters.slice(characters.length - (width - 2 - head)).join('')}`;
  }
  const room = ' '.repeat(Math.max(0, width - characters.length));
  return side === '<' ? text + room : room + text;
};

/** `%h %s` and so on. What is not known stays as it is. */
const expandFormat = (
  format: string,
  commit: CommitInfo,
  { date: dateFormat, now, names = [], digits = 7 }: PrettyOptions,
): string => {
  let pad: ((text: string) => string) | undefined;
  const { subject, body } = splitMessage(commit.message);
  const person = (letter: string, signature: Signature): string | undefined => {
    switch (letter) {
      case 'n':
      case 'N':
        return signature.name;
      case 'e':
      case 'E':
        return signature.email;
      case 'd':
        return dateText(signature, dateFormat, now);
      case 'D':
        return dateText(signature, 'rfc');
      case 'r':
        return dateText(signature, 'relative', now);
      case 't':
        return String(signature.timestamp);
      case 'i':
        return dateText(signature, 'iso');
      case 'I':
        return dateText(signature, 'iso-strict');
      case 's':
        return dateText(signature, 'short');
      default:
        return undefined;
    }
  };
  const expand = (whole: string, who?: string, part?: string, plain?: string, hex?: string): string => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (who !== undefined) return person(part as string, who === 'a' ? commit.author : commit.committer) ?? whole;
    switch (plain as string) {
      case 'H':
        return commit.oid;
      case 'h':
        return commit.oid.slice(0, digits);
      case 'f':
        return fileNameOf(subject);
      case 'd':
        return names.length === 0 ? '' : ` (${names.join(', ')})`;
      case 'D':
        return names.join(', ');
      case 'T':
        return commit.tree;
      case 't':
        return shortOid(commit.tree);
      case 'P':
        return commit.parents.join(' ');
      case 'p':
        return commit.parents.map(shortOid).join(' ');
      case 's':
        return subject;
      case 'b':
        return body === '' ? '' : `${body}\n`;
      case 'B':
        return `${commit.message.trimEnd()}\n`;
      case 'n':
        return '\n';
      case '%':
        return '%';
      default:
        return '';
    }
  };
  return format.replace(
    /%(?:(a|c)([nNeEdDrtiIs])|(H|h|T|t|P|p|s|b|B|n|d|D|f|m|%)|x([0-9a-fA-F]{2})|([<>])\(\s*(\d+)\s*(?:,\s*(l?trunc|mtrunc))?\s*\)|C(?:\([^)]*\)|reset|red|green|blue|yellow|magenta|cyan|white|black|bold))/g,
    (
      whole: string,
      who?: string,
      part?: string,
      plain?: string,
      hex?: string,
      side?: string,
      width?: string,
      cut?: string,
    ) => {
      if (side !== undefined) {
        pad = (text) => padded(text, side, Number(width), cut);
        return '';
      }
      // There are no colors.
      if (whole.startsWith('%C')) return '';
      if (plain === 'm') return '>';
      const text = expand(whole, who, part, plain, hex);
      const shown = pad && plain !== 'n' ? pad(text) : text;
      if (plain !== 'n') pad = undefined;
      return shown;
    },
  );
};

export interface PrettyOptions {
  /** `oneline`, `short`, `medium`, `full`, `fuller`, `raw`, or `format:…`/`tformat:…`. */
  readonly format: string;
  readonly abbreviate: boolean;
  readonly date: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** Branches and tags that are at the commit. */
  readonly names?: readonly string[];
  /** Whether they are shown after the commit's own name. */
  readonly isDecorated?: boolean;
  /** Digits of a short name. */
  readonly digits?: number;
  /** After the commit's name: `from` and the parent that it is compared with. */
  readonly fromParent?: string;
}

const isOwnFormat = (format: string): boolean => /^t?format:|%/.test(format);

/** Whether something stands between two commits rather than behind each. */
export const isSeparated = ({ format }: PrettyOptions): boolean =>
  !format.startsWith('tformat:') &&
  (format.startsWith('format:') || !isOwnFormat(format)) &&
  format !== 'oneline' &&
  format !== 'reference';

/** Without the newline that ends it. */
export const prettyCommit = (commit: CommitInfo, options: PrettyOptions): string => {
  const { format, date, now, names = [], digits = 7, fromParent } = options;
  const short = (oid: string): string => (options.abbreviate ? oid.slice(0, digits) : oid);
  const marks = options.isDecorated === true && names.length > 0 ? ` (${names.join(', ')})` : '';
  const oid = `${short(commit.oid)}${fromParent === undefined ? '' : ` (from ${short(fromParent)})`}${marks}`;
  if (isOwnFormat(format)) return expandFormat(format.replace(/^t?format:/, ''), commit, options);
  const { author, committer, message, parents } = commit;
  if (format === 'reference')
    return `${commit.oid.slice(0, digits)} (${splitMessage(message).subject}, ${dateText(author, date === 'default' ? 'short' : date, now)})`;
  if (format === 'oneline') return `${oid} ${splitMessage(message).subject}`;
  const who = ({ name, email }: Signature): string => `${name} <${email}>`;
  const merge = parents.length > 1 ? [`Merge: ${parents.map(shortOid).join(' ')}`] : [];
  const lines =
    format === 'short'
      ? [`commit ${oid}`, ...merge, `Author: ${who(author)}`]
      : format === 'raw'
        ? [
            `commit ${oid}`,
            `tree ${commit.tree}`,
            ...parents.map((parent) => `parent ${parent}`),
            `author ${who(author)} ${dateText(author, 'raw')}`,
            `committer ${who(committer)} ${dateText(committer, 'raw')}`,
          ]
        : format === 'full'
          ? [`commit ${oid}`, ...merge, `Author: ${who(author)}`, `Commit: ${who(committer)}`]
          : format === 'fuller'
            ? [
                `commit ${oid}`,
                ...merge,
                `Author:     ${who(author)}`,
                `AuthorDate: ${dateText(author, date, now)}`,
                `Commit:     ${who(committer)}`,
                `CommitDate: ${dateText(committer, date, now)}`,
              ]
            : [`commit ${oid}`, ...merge, `Author: ${who(author)}`, `Date:   ${dateText(author, date, now)}`];
  const text = format === 'short' ? `    ${splitMessage(message).subject}\n` : indented(message);
  return `${lines.join('\n')}\n\n${text.replace(/\n$/, '')}`;
};

/** Of one file, for `--stat`. */
export interface FileCounts {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** Bytes before and after, if it is not text. */
  readonly binary?: readonly [number, number];
}

/** As git writes it: a large number without commas. */
const counted = (count: number, one: string): string => `${count} ${nounFor(count, one)}`;

export const shortStat = (files: readonly FileCounts[]): string => {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const parts = [` ${counted(files.length, 'file')} changed`];
  if (added > 0 || removed === 0) parts.push(` ${counted(added, 'insertion')}(+)`);
  if (removed > 0 || added === 0) parts.push(` ${counted(removed, 'deletion')}(-)`);
  return `${parts.join(',')}\n`;
};

/** Bars that show how much of each file changed. */
export const statText = (files: readonly FileCounts[], width = 80): string => {
  if (files.length === 0) return '';
  const names = files.map(({ path }) => quotePath(path));
  const most = Math.max(...files.map(({ added, removed, binary }) => (binary ? 0 : added + removed)));
  const hasBinary = files.some(({ binary }) => binary);
  const numberWidth = Math.max(String(most).length, hasBinary ? 3 : 0);
  let nameWidth = Math.max(...names.map(({ length }) => length));
  let graphWidth = most;
  if (nameWidth + numberWidth + 6 + graphWidth > width) {
    const share = Math.floor((width * 3) / 8) - numberWidth - 6;
    if (graphWidth > share) graphWidth = Math.max(6, share);
    if (nameWidth > width - numberWidth - 6 - graphWidth) nameWidth = width - numberWidth - 6 - graphWidth;
    else graphWidth = Math.min(most, width - numberWidth - 6 - nameWidth);
  }
  const scale = (value: number): number => (value === 0 ? 0 : 1 + Math.floor((value * (graphWidth - 1)) / most));
  const lines = files.map(({ added, removed, binary }, index) => {
    let name = names[index] ?? '';
    if (name.length > nameWidth) {
      const cut = name.slice(name.length - nameWidth + 3);
      const slash = cut.indexOf('/');
      name = `...${slash === -1 ? cut : cut.slice(slash)}`;
    }
    const label = ` ${name.padEnd(nameWidth)} | `;
    if (binary) return `${label}${'Bin'.padStart(numberWidth)} ${binary[0]} -> ${binary[1]} bytes`;
    let [plus, minus] = [added, removed];
    if (graphWidth <= most && most > 0) {
      let total = scale(added + removed);
      if (total < 2 && added > 0 && removed > 0) total = 2;
      if (added < removed) {
        plus = scale(added);
        minus = total - plus;
      } else {
        minus = scale(removed);
        plus = total - minus;
      }
    }
    const bar = `${'+'.repeat(plus)}${'-'.repeat(minus)}`;
    return `${label}${String(added + removed).padStart(numberWidth)}${bar === '' ? '' : ` ${bar}`}`;
  });
  return `${lines.join('\n')}\n${shortStat(files)}`;
};
