/**
 * The container of a zip archive: which files it says it has, and the bytes around files that are packed. What is inside
 * (deflate) belongs to the caller. An archive is foreign: everything that it says is judged before a byte of it is unpacked. SPEC.md ZF.
 *
 *   [local header, name, data] …  [central directory: one record per file]  [end record]
 *
 * Only the central directory is believed, and each local header has to be where it says.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { isUtf8 } from '../../base/utf8.ts';
import { admitFiles, pathFault, type LeftOut } from './write-rules.ts';

export interface ZipLimits {
  readonly maxFiles: number;
  /** Bytes of all files, unpacked. */
  readonly maxBytes: number;
  /** Bytes of one file, unpacked. */
  readonly maxFileBytes: number;
  /** Unpacked to packed, once it is more than `ratioFrom` bytes. */
  readonly maxRatio: number;
  readonly ratioFrom: number;
}

const MB = 1024 * 1024;
export const ZIP_LIMITS: ZipLimits = {
  maxFiles: 10_000,
  maxBytes: 256 * MB,
  maxFileBytes: 64 * MB,
  maxRatio: 200,
  ratioFrom: 8 * MB,
};

export interface ZipProblem {
  readonly code: 'not-a-zip' | 'damaged' | 'encrypted' | 'unsupported' | 'too-large' | 'unsafe' | 'cancelled';
  readonly message: string;
}

export interface ZipEntry {
  readonly path: string;
  readonly method: 'stored' | 'deflated';
  /** Unpacked, as the archive says. */
  readonly size: number;
  readonly crc: number;
  readonly packed: Uint8Array;
}

export interface ZipDirectory {
  readonly files: readonly ZipEntry[];
  /** What systems add for themselves, and was skipped. */
  readonly skipped: readonly string[];
  /** What may not be written. */
  readonly leftOut: readonly LeftOut[];
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_SIZE = 22;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const MOST_COMMENT = 0xffff;
const UTF8_NAME = 0x800;
const STORED = 0;
const DEFLATED = 8;
const AES = 99;
/** Flags of entries, or of names, that need a password. */
const ENCRYPTED = 0x2041;
/** Hosts whose attributes hold a Unix mode. */
const UNIX_HOSTS = new Set([3, 19]);
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export const crc32 = (bytes: Uint8Array, start = 0): number => {
  let crc = ~start;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
};

/** The upper half of code page 437, which names are written in that are not UTF-8. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ';
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

const nameOf = (bytes: Uint8Array): string =>
  isUtf8(bytes)
    ? utf8.decode(bytes)
    : Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : (CP437[byte - 128] ?? '?'))).join('');

export const archiveProblem = (code: ZipProblem['code'], message: string): Result<never, ZipProblem> =>
  err({ code, message });
const shown = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);

/** Where the end record stands; archives may have a comment after it. */
const findEnd = (view: DataView): number | undefined => {
  const last = view.byteLength - END_SIZE;
  for (let offset = last; offset >= Math.max(0, last - MOST_COMMENT); offset--) {
    if (view.getUint32(offset, true) !== END) continue;
    if (offset + END_SIZE + view.getUint16(offset + 20, true) <= view.byteLength) return offset;
  }
  return undefined;
};

export const isClutter = (path: string): boolean =>
  /^__MACOSX(?:\/|$)/.test(path) || /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(path);

interface CentralRecord {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly mode: number;
  readonly offset: number;
  readonly next: number;
}

const readRecord = (bytes: Uint8Array, view: DataView, at: number): CentralRecord | undefined => {
  if (at + CENTRAL_SIZE > bytes.length || view.getUint32(at, true) !== CENTRAL) return undefined;
  const nameLength = view.getUint16(at + 28, true);
  const next = at + CENTRAL_SIZE + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  if (next > bytes.length) return undefined;
  const isUnix = UNIX_HOSTS.has(view.getUint8(at + 5));
  return {
    name: nameOf(bytes.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameLength)),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    mode: isUnix ? view.getUint32(at + 38, true) >>> 16 : 0,
    offset: view.getUint32(at + 42, true),
    next,
  };
};

/** With it, sizes and checksum come after the bytes and not in front of them. */
const HAS_DESCRIPTOR = 0x8;

/** Whether the header in front of the bytes says what the directory says: other programs believe the header. */
const isSameInFront = (bytes: Uint8Array, view: DataView, record: CentralRecord): boolean => {
  const { offset, flags } = record;
  const start = offset + LOCAL_SIZE;
  const local = view.getUint16(offset + 6, true);
  if (nameOf(bytes.subarray(start, start + view.getUint16(offset + 26, true))) !== record.name) return false;
  if ((local & ENCRYPTED) !== 0 || view.getUint16(offset + 8, true) !== record.method) return false;
  return (
    ((local | flags) & HAS_DESCRIPTOR) !== 0 ||
    (view.getUint32(offset + 14, true) === record.crc &&
      view.getUint32(offset + 18, true) === record.packedSize &&
      view.getUint32(offset + 22, true) === record.size)
  );
};

/** Where a file's packed bytes begin. */
const dataStart = (view: DataView, { offset, packedSize }: CentralRecord): number | undefined => {
  if (offset + LOCAL_SIZE > view.byteLength || view.getUint32(offset, true) !== LOCAL) return undefined;
  const start = offset + LOCAL_SIZE + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  return start + packedSize <= view.byteLength ? start : undefined;
};

/** Why an entry is refused whatever its bytes are. */
const objection = (record: CentralRecord, path: string, limits: ZipLimits): Result<never, ZipProblem> | undefined => {
  const name = shown(record.name);
  if ((record.flags & ENCRYPTED) !== 0 || record.method === AES) {
    return archiveProblem(
      'encrypted',
      `${name} is encrypted. Unpack the archive with its password and open the folder instead.`,
    );
  }
  const type = record.mode & FILE_TYPE;
  if (type !== 0 && type !== REGULAR && type !== FOLDER) {
    return archiveProblem('unsafe', `${name} is a link or a device, which Lathe doesn’t unpack.`);
  }
  const fault = pathFault(path);
  if (fault !== undefined) return archiveProblem('unsafe', `${fault} Lathe refuses the archive.`);
  if (record.method !== STORED && record.method !== DEFLATED) {
    return archiveProblem(
      'unsupported',
      `${name} is packed in a way (${record.method}) that Lathe doesn’t support. Pack it as a plain zip.`,
    );
  }
  if ([record.size, record.packedSize, record.offset].includes(0xffffffff)) {
    return archiveProblem('unsupported', 'It is a zip64 archive, made for more than 4 GB. Pack a smaller one.');
  }
  if (record.size > limits.maxFileBytes) {
    return archiveProblem(
      'too-large',
      `${name} has ${Math.ceil(record.size / MB)} MB unpacked; the limit is ${Math.floor(limits.maxFileBytes / MB)} MB.`,
    );
  }
  return undefined;
};

export const readZipDirectory = (
  bytes: Uint8Array,
  limits: ZipLimits = ZIP_LIMITS,
): Result<ZipDirectory, ZipProblem> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length < END_SIZE ? undefined : findEnd(view);
  if (end === undefined) {
    const isCut = bytes.length >= 4 && view.getUint32(0, true) === LOCAL;
    return isCut
      ? archiveProblem('damaged', 'The archive is incomplete: its end is missing. Download it again.')
      : archiveProblem('not-a-zip', 'This isn’t a zip archive.');
  }
  const count = view.getUint16(end + 10, true);
  if (count === 0xffff)
    return archiveProblem('unsupported', 'It is a zip64 archive with more than 65,000 files. Pack a smaller one.');
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count) {
    return archiveProblem('unsupported', 'The archive is one part of several. Join the parts first.');
  }
  if (count > limits.maxFiles) {
    return archiveProblem('too-large', `The archive has ${count} files; the limit is ${limits.maxFiles}.`);
  }

  const files = new Map<string, ZipEntry>();
  const skipped: string[] = [];
  const ranges: [start: number, end: number][] = [];
  const first = view.getUint32(end + 16, true);
  let at = first;
  let [size, packedSize] = [0, 0];
  for (let index = 0; index < count; index++) {
    const record = readRecord(bytes, view, at);
    if (!record) return archiveProblem('damaged', 'The archive’s file list is damaged. Download it again.');
    at = record.next;
    // Old Windows programs write the other slash.
    const name = record.name.replaceAll('\\', '/');
    const isFolder = name.endsWith('/') || (record.mode & FILE_TYPE) === FOLDER;
    const path = isFolder ? name.replace(/\/$/, '') : name;
    const refused = objection(record, path, limits);
    if (refused) return refused;
    if (isFolder) continue;
    if (isClutter(path)) {
      skipped.push(path);
      continue;
    }
    const start = dataStart(view, record);
    if (start === undefined)
      return archiveProblem('damaged', `${shown(path)} isn’t where the archive says. Download it again.`);
    if (!isSameInFront(bytes, view, record))
      return archiveProblem('damaged', `The archive says two different things about ${shown(path)}. Pack it again.`);
    ranges.push([record.offset, start + record.packedSize]);
    size += record.size;
    packedSize += record.packedSize;
    if (files.has(path)) return archiveProblem('unsafe', `${shown(path)} is in the archive twice. Pack it again.`);
    files.set(path, {
      path,
      method: record.method === STORED ? 'stored' : 'deflated',
      size: record.size,
      crc: record.crc,
      packed: bytes.subarray(start, start + record.packedSize),
    });
  }
  // Records that the end doesn't count would be files that only other programs unpack.
  if (at !== first + view.getUint32(end + 12, true))
    return archiveProblem('damaged', 'The archive’s file list is damaged. Download it again.');
  if (size > limits.maxBytes) {
    return archiveProblem(
      'too-large',
      `The archive has ${Math.ceil(size / MB)} MB unpacked; the limit is ${Math.floor(limits.maxBytes / MB)} MB.`,
    );
  }
  if (size > limits.ratioFrom && size > packedSize * limits.maxRatio) {
    return archiveProblem('too-large', 'The archive unpacks to far more than it should, as if made to fill a disk.');
  }
  // Files that share their packed bytes are how small archives become enormous.
  ranges.sort((a, b) => a[0] - b[0]);
  if (ranges.some(([start], index) => index > 0 && start < (ranges[index - 1]?.[1] ?? 0))) {
    return archiveProblem('unsafe', 'Files in the archive overlap. Lathe refuses it.');
  }
  const admitted = admitFiles(files);
  if (!admitted.ok) return archiveProblem('unsafe', admitted.error);
  return ok({ files: [...admitted.value.files.values()], skipped, leftOut: admitted.value.leftOut });
};

export interface PackedFile {
  readonly path: string;
  readonly method: 'stored' | 'deflated';
  readonly packed: Uint8Array;
  /** Unpacked. */
  readonly size: number;
  readonly crc: number;
  readonly isExecutable?: boolean;
}

/** The first day that the format knows, for every file: the same files give the same bytes. */
const FIRST_DAY = (1 << 5) | 1;
const VERSION = 20;

/** An archive of files in the given order. */
export const joinZip = (files: readonly PackedFile[]): Uint8Array => {
  const names = files.map(({ path }) => encoder.encode(path));
  const length = files.reduce(
    (sum, { packed }, index) => sum + LOCAL_SIZE + CENTRAL_SIZE + 2 * (names[index]?.length ?? 0) + packed.length,
    END_SIZE,
  );
  if (files.length >= 0xffff || length >= 0xffffffff) throw new Error('too much for one zip archive');
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const short = (value: number): void => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const long = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const put = (content: Uint8Array): void => {
    bytes.set(content, at);
    at += content.length;
  };
  const common = (file: PackedFile, name: Uint8Array): void => {
    short(VERSION);
    short(UTF8_NAME);
    short(file.method === 'stored' ? STORED : DEFLATED);
    short(0);
    short(FIRST_DAY);
    long(file.crc);
    long(file.packed.length);
    long(file.size);
    short(name.length);
    short(0);
  };

  const offsets: number[] = [];
  files.forEach((file, index) => {
    const name = names[index] ?? new Uint8Array();
    offsets.push(at);
    long(LOCAL);
    common(file, name);
    put(name);
    put(file.packed);
  });
  const directory = at;
  files.forEach((file, index) => {
    const name = names[index] ?? new Uint8Array();
    long(CENTRAL);
    short((3 << 8) | VERSION);
    common(file, name);
    short(0);
    short(0);
    short(0);
    long(((REGULAR | (file.isExecutable === true ? 0o755 : 0o644)) << 16) >>> 0);
    long(offsets[index] ?? 0);
    put(name);
  });
  const directorySize = at - directory;
  long(END);
  short(0);
  short(0);
  short(files.length);
  short(files.length);
  long(directorySize);
  long(directory);
  short(0);
  return bytes;
};
