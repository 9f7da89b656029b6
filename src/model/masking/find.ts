/** Private values in a text that is taken as it stands. Every search starts from a character or word that is rare, so that it is linear. */
import { FIELD_IN_TEXT, kindOfField, looksSecret, VALUE_IN_TEXT } from './fields.ts';
import { KEY_FORMS } from './key-forms.ts';
import { isStandIn, type MaskKind } from './stand-in.ts';
import { findInForms, findPacked } from './text-forms.ts';

export interface Found {
  readonly start: number;
  readonly end: number;
  readonly kind: MaskKind;
}

type Take = (start: number, end: number, kind: MaskKind) => void;

const PEM_BEGIN = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d{1,4}(?=\s|\\)/g;
const PEM_END = '-----END';
const MOST_OF_KEY = 8_000;
const findPrivateKeys = (text: string, take: Take): void => {
  let done = 0;
  for (const { index, 0: begin } of text.matchAll(PEM_BEGIN)) {
    const start = index + begin.length;
    if (start < done) continue;
    const rest = text.slice(start, start + MOST_OF_KEY);
    const end = begin.startsWith('-') ? rest.indexOf(PEM_END) : -1;
    // A key that is cut off is masked to the end of what can be one.
    const key = end === -1 ? (/^(?:[A-Za-z0-9+/=\s\\:]|-(?!----))*/.exec(rest)?.[0] ?? '') : rest.slice(0, end);
    done = start + key.length;
    // Line ends stay, and so do their escapes.
    for (const { index: at, 0: line } of key.matchAll(/(?:(?<=\\[nr])|(?<![\\A-Za-z0-9+/=-]))[A-Za-z0-9+/=]{8,}/g))
      take(start + at, start + at + line.length, 'key');
  }
};

const BEARER = /(?<![A-Za-z0-9])(?:Bearer|Basic)[ \t]{1,4}([A-Za-z0-9._~+/-]{8,}={0,2})/gi;
const SCHEMES = /bearer|basic/i;
const COOKIE_NAME = /cookie:/i;
const URL_PASSWORD = /:\/\/[^\s/:@"'\\]{0,100}:([^\s/@"'\\]{1,200})@/g;
const COOKIE = /^[ \t]*(?:set-)?cookie:[ \t]{0,4}(\S[^\r\n]*)/gim;
const OLD_USER = /(?<![A-Za-z0-9])user_([0-9a-f]{16,})_account_([0-9a-f-]{8,36})?(?=_session_)/g;

/** Values that are named: `device_id=…`, `"api_key": "…"` in a piece of JSON. */
const findFields = (text: string, take: Take): void => {
  if (!/[:=]/.test(text)) return;
  // A value is looked for only behind a name that tells one: an address in front of it would else take it with it.
  let done = 0;
  for (const { index, 0: before, 1: name = '' } of text.matchAll(FIELD_IN_TEXT)) {
    const kind = index < done ? undefined : kindOfField(name);
    if (kind === undefined) continue;
    const start = index + before.length;
    VALUE_IN_TEXT.lastIndex = start;
    const [value = ''] = VALUE_IN_TEXT.exec(text) ?? [];
    done = start + value.length;
    if (looksSecret(value)) take(start, done, kind);
  }
};

const findSecrets = (text: string, take: Take): void => {
  if (text.includes('-----BEGIN') || text.includes('Private-Lines:')) findPrivateKeys(text, take);
  for (const [pattern, kind, piece] of KEY_FORMS)
    if (text.includes(piece))
      for (const { index, 0: value } of text.matchAll(pattern)) take(index, index + value.length, kind);
  const words = SCHEMES.test(text) ? text.matchAll(BEARER) : [];
  for (const { index, 0: whole, 1: value = '' } of words) {
    const end = index + whole.length;
    if (/\d|=$/.test(value)) take(end - value.length, end, 'token');
  }
  const passwords = text.includes('://') ? text.matchAll(URL_PASSWORD) : [];
  for (const { index, 0: whole, 1: value = '' } of passwords)
    take(index + whole.length - 1 - value.length, index + whole.length - 1, 'token');
  const cookies = COOKIE_NAME.test(text) ? text.matchAll(COOKIE) : [];
  for (const { index, 0: whole, 1: value = '' } of cookies)
    take(index + whole.length - value.length, index + whole.length, 'token');
  const users = text.includes('user_') ? text.matchAll(OLD_USER) : [];
  for (const { index, 1: user = '', 2: account = '' } of users) {
    const start = index + 'user_'.length;
    take(start, start + user.length, 'account');
    const second = start + user.length + '_account_'.length;
    take(second, second + account.length, 'account');
  }
  findFields(text, take);
  findInForms(text, kindOfField, take);
};

/** What programs say of themselves. */
const PUBLIC = /^(?:no-?reply@(?:anthropic|github|openai)\.com|git@(?:github\.com|gitlab\.com|bitbucket\.org))$/i;
const AT = /@|%40/g;
const LOCAL_END = /[\p{L}\p{N}][\p{L}\p{N}._+'-]{0,63}$/u;
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/u;
const REACH = 256;

const findEmails = (text: string, take: Take): void => {
  for (const { index, 0: sign } of text.matchAll(AT)) {
    const head = text.slice(Math.max(0, index - 65), index);
    const local = LOCAL_END.exec(head)?.[0];
    const domain = DOMAIN.exec(text.slice(index + sign.length, index + sign.length + REACH))?.[0];
    if (local === undefined || domain === undefined || /^\d(?:\.\d)?x\./.test(domain)) continue;
    let start = index - local.length;
    // The letter behind a backslash belongs to an escape, such as the n of a line end.
    if (text[start - 1] === '\\' && local.length > 1) start++;
    const end = index + sign.length + domain.length;
    if (!PUBLIC.test(text.slice(start, end))) take(start, end, 'email');
  }
};

/** Separators may be escaped (twice, in JSON inside JSON) or percent-encoded. */
const POSIX_HOME = /(?:\/|\\\/|%2F)(?:home|Users)(?:\/|\\\/|%2F)([^\s/\\:*?"'`<>|%,;()[\]{}]{1,64})/gi;
const WINDOWS_HOME =
  /(?<![A-Za-z])[A-Za-z](?::|%3A)(?:\\{1,4}|\/|%5C|%2F)Users(?:\\{1,4}|\/|%5C|%2F)((?:[^\s/\\:*?"'`<>|%,;]{1,64}(?: [^\s/\\:*?"'`<>|%,;]{1,32}){1,3}(?=\\|\/|%5C))|[^\s/\\:*?"'`<>|%,;()[\]{}]{1,64})/gi;
/** The folder of a project as Claude Code names it: everything that is no letter and no digit is a dash. */
const FOLDER_HOME = /(?<![A-Za-z0-9-])(?:-(?:home|Users)-|[A-Za-z]--Users-)([A-Za-z0-9]{1,64})/g;

/** The home of somebody who is named: `~ada/notes`. */
const TILDE_HOME = /(?<![\w~/\\.%@:-])~([A-Za-z_][\w.-]{1,31})(?=\/|\\\/)/g;
const SHARED_HOME = /\\{2,4}[A-Za-z0-9.-]{1,63}\\{1,4}Users\\{1,4}([^\s/\\:*?"'`<>|%,;()[\]{}]{1,64})/gi;

const findHomes = (text: string, take: Take): void => {
  if (!/home|users|~/i.test(text)) return;
  for (const pattern of [POSIX_HOME, WINDOWS_HOME, SHARED_HOME, FOLDER_HOME, TILDE_HOME])
    for (const { index, 0: whole, 1: name = '' } of text.matchAll(pattern)) {
      const trimmed = pattern === FOLDER_HOME ? name : name.replace(/[.!…]+$/, '');
      const start = index + whole.length - name.length;
      if (/^[\p{L}\p{N}_.-]/u.test(trimmed)) take(start, start + trimmed.length, 'home');
    }
};

/** What is also masked where it appears without the field or path that tells it. */
export const findNamed = (text: string): readonly Found[] => {
  const all: Found[] = [];
  const take: Take = (start, end, kind) => void all.push({ start, end, kind });
  findFields(text, take);
  findHomes(text, take);
  return all;
};

/** Keys and tokens alone, in order and without overlap: what must not be written anywhere, masked or not. */
export const findKeys = (text: string): readonly Found[] => {
  const all: Found[] = [];
  findSecrets(text, (start, end, kind) => {
    const isKey = kind === 'key' || kind === 'token';
    if (isKey && end > start && !isStandIn(text.slice(start, end))) all.push({ start, end, kind });
  });
  return withoutOverlap(all);
};

/** In order and without overlap. What begins first is taken; of two at one place the longer one. */
export const findPrivate = (text: string): readonly Found[] => {
  const all: Found[] = [];
  const take: Take = (start, end, kind) => {
    if (end > start && !isStandIn(text.slice(start, end))) all.push({ start, end, kind });
  };
  findSecrets(text, take);
  findEmails(text, take);
  findHomes(text, take);
  findPacked(text, isPrivate, take);
  return withoutOverlap(all);
};

/** Somebody's name and password in one, as registries keep them. */
const LOGIN = /^[\w.@-]{2,64}:[!-~]{6,200}$/;

/** Whether decoded base64 holds anything that is masked. */
const isPrivate = (plain: string): boolean => {
  if (LOGIN.test(plain) && /\d/.test(plain)) return true;
  let found = false;
  const take: Take = () => {
    found = true;
  };
  findSecrets(plain, take);
  findEmails(plain, take);
  findHomes(plain, take);
  return found;
};

export const withoutOverlap = (all: readonly Found[]): readonly Found[] => {
  let last = 0;
  return all
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < last) return false;
      last = end;
      return true;
    });
};
