/** What a file's bytes are to an editor: text that goes back byte for byte, a image, or neither. SPEC.md TX. */
import { baseName } from '../../base/paths.ts';
import { isUtf8 } from '../../base/utf8.ts';
import { diffLines } from './line-diff.ts';
import { splitLines } from './merge.ts';

/** Larger ones would make an editor slow; they are shown with their size. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

interface NotShown<Kind> {
  readonly kind: Kind;
  readonly path: string;
  readonly size: number;
  /** Says what to do instead. */
  readonly reason: string;
}

export type FileContent =
  | { readonly kind: 'text'; readonly path: string; readonly text: string }
  | { readonly kind: 'image'; readonly path: string; readonly mediaType: string; readonly bytes: Uint8Array }
  | NotShown<'binary'>
  | NotShown<'too-large'>;

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/** By its name. SVG is text: it can be edited, and shown only as an image. */
export const imageType = (path: string): string | undefined => {
  const name = baseName(path).toLowerCase();
  const dot = name.lastIndexOf('.');
  return dot === -1 ? undefined : IMAGE_TYPES[name.slice(dot + 1)];
};

/** The most bytes that are worth reading to open a file. */
export const readLimit = (path: string): number => (imageType(path) === undefined ? MAX_TEXT_BYTES : MAX_IMAGE_BYTES);

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

export const tooLarge = (path: string, size: number): NotShown<'too-large'> => ({
  kind: 'too-large',
  path,
  size,
  reason: `${baseName(path)} has ${megabytes(size)}; files up to ${megabytes(readLimit(path))} are shown here. Open it in another program.`,
});

// The byte order mark and all line endings stay in the text, so that saving changes only what was edited.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export const decodeText = (bytes: Uint8Array): string | undefined =>
  bytes.includes(0) || !isUtf8(bytes) ? undefined : decoder.decode(bytes);

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** What the bytes of a file at that path are. */
export const readContent = (path: string, bytes: Uint8Array): FileContent => {
  const mediaType = imageType(path);
  if (bytes.length > readLimit(path)) return tooLarge(path, bytes.length);
  if (mediaType !== undefined) return { kind: 'image', path, mediaType, bytes };
  const text = decodeText(bytes);
  if (text !== undefined) return { kind: 'text', path, text };
  const size = bytes.length;
  const reason = bytes.includes(0)
    ? `${baseName(path)} isn’t text because it has NUL bytes. Lathe doesn’t change it.`
    : `${baseName(path)} isn’t UTF-8 text. Convert it in another program to edit it here.`;
  return { kind: 'binary', path, size, reason };
};

const BOM = '\uFEFF';
const endOf = (line: string): string => (line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : '');
const bodyOf = (line: string): string => line.slice(0, line.length - endOf(line).length);

/**
 * Editors give every line the same ending and drop a byte order mark. Takes what an editor made of `before` and gives lines
 * that were not edited the ending that they had; new ones get the most frequent.
 */
export const keepLineEnds = (before: string, edited: string): string => {
  const old = splitLines(before.startsWith(BOM) ? before.slice(1) : before);
  const made = splitLines(edited.startsWith(BOM) ? edited.slice(1) : edited);
  const mark = before.startsWith(BOM) ? BOM : '';
  const crlf = old.filter((line) => line.endsWith('\r\n')).length;
  const lf = old.filter((line) => line.endsWith('\n')).length - crlf;
  if (crlf === 0 && lf === 0) return mark + made.join('');
  const usual = crlf > lf ? '\r\n' : '\n';
  const ends: string[] = made.map((line) => (endOf(line) === '' ? '' : usual));
  if (crlf > 0 && lf > 0) {
    const [oldBodies, newBodies] = [old.map(bodyOf), made.map(bodyOf)];
    let [from, to] = [0, 0];
    const keep = (until: number): void => {
      for (; from < until; from++, to++) if (ends[to] !== '') ends[to] = endOf(old[from] ?? '') || usual;
    };
    for (const { start, count, newCount } of diffLines(oldBodies, newBodies)) {
      keep(start);
      from += count;
      to += newCount;
    }
    keep(old.length);
  }
  return mark + made.map((line, index) => bodyOf(line) + (ends[index] ?? '')).join('');
};
