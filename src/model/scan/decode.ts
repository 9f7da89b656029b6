/** Encodings that hide text. Gives text only if what comes out can be read. */

const decoder = new TextDecoder('utf-8', { fatal: true });

const bytesToText = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map(Array.from(ALPHABET).map((char, index) => [char, index]));

const base64Bytes = (text: string): Uint8Array | undefined => {
  const clean = text
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/(?<!=)=+$/, '');
  if (clean.length < 2 || /[^A-Za-z0-9+/]/.test(clean) || clean.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((clean.length * 3) / 4));
  let bits = 0;
  let buffer = 0;
  let at = 0;
  for (const char of clean) {
    buffer = ((buffer << 6) | (VALUES.get(char) ?? 0)) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (buffer >> bits) & 0xff;
    }
  }
  return bytes;
};

const isReadable = (text: string): boolean => {
  const odd = text.match(/[\u0000-\u0008\u000E-\u001F\u007F-\u009F\uFFFD]/g)?.length ?? 0;
  return text.length > 0 && odd / text.length < 0.05;
};

const readable = (text: string | undefined): string | undefined =>
  text !== undefined && isReadable(text) ? text : undefined;

export const decodeBase64 = (text: string): string | undefined => {
  const bytes = base64Bytes(text);
  return bytes && readable(bytesToText(bytes));
};

/** As PowerShell writes commands: UTF-16, little end first. */
export const decodeBase64Utf16 = (text: string): string | undefined => {
  const bytes = base64Bytes(text);
  if (!bytes || bytes.length < 2) return undefined;
  let out = '';
  for (let at = 0; at + 1 < bytes.length; at += 2)
    out += String.fromCharCode((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
  return readable(out);
};

export const decodeHex = (text: string): string | undefined => {
  const clean = text.replace(/\s+|\\x|0x/g, '');
  if (clean.length < 2 || clean.length % 2 === 1 || /[^0-9a-fA-F]/.test(clean)) return undefined;
  const bytes = Uint8Array.from({ length: clean.length / 2 }, (_, index) =>
    Number.parseInt(clean.slice(index * 2, index * 2 + 2), 16),
  );
  return readable(bytesToText(bytes));
};

export const rot13 = (text: string): string =>
  text.replace(/[a-zA-Z]/g, (char) => {
    const base = char <= 'Z' ? 65 : 97;
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base);
  });

export const reverseText = (text: string): string => Array.from(text).toReversed().join('');

/** Whatever way of hiding gives readable text, tried in turn. */
export const decodeAny = (text: string): string | undefined => {
  const trimmed = text.trim();
  if (trimmed.length < 8) return undefined;
  return decodeHex(trimmed) ?? decodeBase64(trimmed);
};
