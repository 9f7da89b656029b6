/** Secrets that a file or a command names in its own way: `.netrc`, `.pgpass`, options of curl, headers, addresses. */
import { bytesOfBase64 } from '../../base/base64.ts';
import { looksSecret } from './fields.ts';
import type { MaskKind } from './stand-in.ts';

export type TakePlace = (start: number, end: number, kind: MaskKind) => void;

/** Spaces, also as they are escaped in a string. */
const GAP = '(?:\\s|\\\\[nrt]){1,8}';
const WORD = '([^\\s"\'\\\\]{1,200})';
const NETRC = new RegExp(
  `(?<![A-Za-z])(?:machine${GAP}[^\\s"'\\\\]{1,200}|default)${GAP}login${GAP}${WORD}(?:${GAP}account${GAP}[^\\s"'\\\\]{1,200})?${GAP}password${GAP}${WORD}`,
  'dg',
);
const NETRC_TURNED = new RegExp(
  `(?<![A-Za-z])machine${GAP}[^\\s"'\\\\]{1,200}${GAP}password${GAP}${WORD}${GAP}login${GAP}${WORD}`,
  'dg',
);
const PGPASS = /(?<![^\s])[^\s:/\\]{1,200}:(?:\d{3,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:([^\s:]{4,200})(?!\S)/dg;
const CURL_USER =
  /(?<![A-Za-z0-9-])(?:-u|--user|--proxy-user)(?:=|[ \t]{1,4})\\{0,3}["']?[^\s:"'\\]{1,100}:([^\s"'\\]{4,200})/dg;
const CURL_COOKIE =
  /(?<![A-Za-z0-9-])(?:-b|--cookie)(?:=|[ \t]{1,4})\\{0,3}["']?([^\s"'\\=]{1,100}=[^"'\\\r\n]{6,1000}?)(?=["'\\\r\n]|$)/dg;
const QUERY =
  /(?:[?&]|&amp;|\\u0026)(?:sig|signature|x-amz-(?:signature|credential)|x-goog-(?:signature|credential)|key|code|access_key|sas)=([^&\s"'\\#<>]{8,2000})/dgi;
const SESSION = /(?<![A-Za-z0-9])(?:connect\.sid|PHPSESSID|JSESSIONID|ASP\.NET_SessionId)=([^;&\s"'\\]{8,400})/dgi;
/** Every scheme but those that a field has: its parameters are what is secret. */
const AUTHORIZATION =
  /authorization\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?([A-Za-z][A-Za-z0-9-]{2,30} [^\r\n]{8,4000})/dgi;
const PARAMETER = /[A-Za-z0-9+/=_.~-]{8,}/g;
/** A header in one line with its name in another field: pairs in quoted JSON. */
const PAIR =
  /\\{0,3}"name\\{0,3}":\s{0,8}\\{0,3}"([A-Za-z][A-Za-z0-9_-]{1,59})\\{0,3}",\s{0,40}\\{0,3}"value\\{0,3}":\s{0,8}\\{0,3}"([^"\\\r\n]{6,4000})\\{0,3}"/dg;
const PASSWORD =
  /(?<![A-Za-z0-9])[A-Za-z0-9_-]{0,40}(?:password|passwd|passphrase)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?(?![$<{%])([^\s"'\\,;&<>(){}[\]]{8,200})/dgi;

/** As a field of JSON it is no name of a variable. */
const QUOTED_PASSWORD =
  /"[A-Za-z0-9_-]{0,40}(?:password|passwd|passphrase)\\{0,3}"[ \t]{0,4}:[ \t]{0,4}\\{0,3}"([^"\\\r\n]{6,200})\\{0,3}"/dgi;

const groupsOf = (
  text: string,
  pattern: RegExp,
  take: (start: number, end: number, value: string, group: number) => void,
): void => {
  for (const match of text.matchAll(pattern))
    match.indices?.slice(1).forEach((place, index) => {
      const value = match[index + 1];
      if (place && value !== undefined) take(place[0], place[1], value, index);
    });
};

/** What the option or file names is taken as it is; what an address names only if it looks like a secret. */
export const findInForms = (text: string, kindOf: (name: string) => MaskKind | undefined, take: TakePlace): void => {
  if (text.includes('password')) {
    groupsOf(text, NETRC, (start, end, _, group) => take(start, end, group === 0 ? 'account' : 'token'));
    groupsOf(text, NETRC_TURNED, (start, end, _, group) => take(start, end, group === 0 ? 'token' : 'account'));
  }
  if (/pass(?:word|wd|phrase)/i.test(text)) groupsOf(text, QUOTED_PASSWORD, (start, end) => take(start, end, 'token'));
  groupsOf(text, PASSWORD, (start, end, value) => {
    // Names of variables and types have no such character.
    if (/[-!@#$%^*+~?]/.test(value) || looksSecret(value)) take(start, end, 'token');
  });
  if (text.includes(':'))
    groupsOf(text, PGPASS, (start, end, value) => void (looksSecret(value) && take(start, end, 'token')));
  if (text.includes('-u') || text.includes('user'))
    groupsOf(text, CURL_USER, (start, end) => take(start, end, 'token'));
  if (text.includes('-b') || text.includes('--cookie'))
    groupsOf(text, CURL_COOKIE, (start, end, value) => void (/\d/.test(value) && take(start, end, 'token')));
  if (text.includes('=')) {
    groupsOf(text, QUERY, (start, end, value) => void (/\d/.test(value) && take(start, end, 'token')));
    groupsOf(text, SESSION, (start, end) => take(start, end, 'token'));
  }
  if (/authorization/i.test(text))
    groupsOf(text, AUTHORIZATION, (start, _, value) => {
      const isDigest = /^digest/i.test(value);
      const own = isDigest ? value : (/^[^"'\\]*/.exec(value)?.[0] ?? '');
      const scheme = /^\S+\s*/.exec(own)?.[0].length ?? 0;
      for (const { index, 0: piece } of own.slice(scheme).matchAll(PARAMETER)) {
        const secret = piece.slice(piece.search(/=(?=.)/) + 1);
        const at = start + scheme + index + piece.length - secret.length;
        if (looksSecret(secret)) take(at, at + secret.length, 'token');
      }
    });
  if (text.includes('"name') || text.includes('name\\"'))
    for (const match of text.matchAll(PAIR)) {
      const kind = kindOf(match[1] ?? '');
      const place = match.indices?.[2];
      if (kind && place) take(place[0], place[1], kind);
    }
};

const PACKED = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,}={0,2}/g;
/** Longer ones are pictures and archives. */
const LONGEST_PACKED = 64_000;
/** The beginning that tells words from other bytes. */
const SAMPLE = 48;
const TEXT_ONLY = /^[\t\n\r\u0020-\u007E\u00A0-\uFFFC]*$/;

const unpacked = (value: string): string | undefined => {
  const plain = value.replace(/-/g, '+').replace(/_/g, '/');
  const read = (part: string): string | undefined => {
    const bytes = bytesOfBase64(part);
    return bytes && new TextDecoder().decode(bytes);
  };
  const sample = read(plain.slice(0, SAMPLE));
  if (sample === undefined || !TEXT_ONLY.test(sample.replace(/\uFFFD{1,3}$/, ''))) return undefined;
  return read(plain);
};

/** Base64 of something private is private as a whole. */
export const findPacked = (text: string, isPrivate: (plain: string) => boolean, take: TakePlace): void => {
  for (const { index, 0: value } of text.matchAll(PACKED)) {
    if (value.length > LONGEST_PACKED || !/\d/.test(value) || !/[A-Z]/.test(value) || !/[a-z]/.test(value)) continue;
    const plain = unpacked(value);
    if (plain !== undefined && isPrivate(plain)) take(index, index + value.length, 'token');
  }
};
