/** Masks what is exported: a text, a file of JSON lines, or any value. Equal values get equal stand-ins throughout. */
import { isObject } from '../../base/json.ts';
import { rescanJson, type Scanned } from '../../base/json-rescan.ts';
import { type JsonNode, scanJson } from '../../base/json-scan.ts';
import { kindOfField, looksSecret } from './fields.ts';
import { findNamed, findPrivate, type Found, withoutOverlap } from './find.ts';
import { isPersonal, isWordPart, isWordStart } from './user-names.ts';
import { fingerprint, isStandIn, type MaskKind, standInFor } from './stand-in.ts';

export interface MaskedValue {
  readonly kind: MaskKind;
  readonly standIn: string;
  readonly length: number;
  /** How often it was masked. */
  readonly count: number;
  /** The first 8 hex digits of the value's SHA-256. */
  readonly hash: string;
}

export interface Masker {
  /** Finds values that fields name, in a part of an export that is masked later. */
  readonly learn: (value: unknown) => void;
  /** The same text or JSON value with stand-ins. */
  readonly mask: <T>(value: T) => T;
  /** What was masked so far, by kind; never a value. */
  readonly masked: () => readonly MaskedValue[];
  /** For bodies of requests, of which each repeats the previous one. */
  readonly bodies: () => BodyMasker;
}

/** `base` is the body that this one continues from, unmasked: what both begin with is looked at once. Learn all before masking any. */
export interface BodyMasker {
  readonly learn: (body: string, base?: string) => void;
  readonly mask: (body: string, base?: string) => string;
}

export interface MaskerOptions {
  /** Values that are known to be secret, such as the API keys in use. */
  readonly secrets?: readonly string[];
}

/** A shorter value would be found inside words that have nothing to do with it. */
const LEAST_KNOWN = 8;
/** No key or token is longer; a text that repeats itself would be compared with itself at every place. */
const MOST_KNOWN = 4_096;
const LEAST_SECRET = 6;
/** People whose files one export shows. */
const MOST_NAMES = 32;
/** Texts that come again in every request are looked at once. */
const LEAST_REMEMBERED = 200;
/** Strings that hold JSON that holds strings… */
const MOST_NESTED = 12;
/** Where JSON can begin inside a line. */
const INLINE_JSON = /[[{](?=\s*["{[])/;
const SCHEME = /^(?:Bearer|Basic)\s+/i;

/** Whether a string that is in a field of that name is private, and as what. */
const kindInField = (field: string | undefined, value: string): MaskKind | undefined => {
  const kind = field === undefined ? undefined : kindOfField(field);
  if (kind === undefined || value.length < LEAST_SECRET || isStandIn(value) || /^\s*[[{]/.test(value)) return undefined;
  // Also a piece of text that a model made.
  if (/^(?:token|user|username|login|logname|_?auth)$/i.test(field ?? '') || kind === 'key')
    return looksSecret(value) ? kind : undefined;
  if (kind === 'token') return kind;
  return /[\s/]/.test(value) || /^user_[0-9a-f]+_account_/.test(value) ? undefined : kind;
};

const endOfString = (source: string, start: number): number => {
  let at = start + 1;
  while (source[at] !== '"') at += source[at] === '\\' ? 2 : 1;
  return at + 1;
};

interface Seen {
  readonly text: string;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly kind: MaskKind;
  readonly value: string;
  readonly standIn: string;
  count: number;
}

interface KeptPart {
  readonly text: string;
  readonly entries: readonly Entry[];
}

interface KeptParts {
  readonly learned: WeakMap<JsonNode, KeptPart>;
  readonly masked: WeakMap<JsonNode, KeptPart>;
}

/** Conversations that continue side by side. */
const MOST_SCANS = 8;

export const createMasker = ({ secrets = [] }: MaskerOptions = {}): Masker => {
  const entries = new Map<string, Entry>();
  const taken = new Set<string>();
  const known = new Map<string, MaskKind>();
  const remembered = new Map<string, Seen>();
  const learned = new Set<string>();
  const names = new Set<string>();
  /** By their first characters. */
  const knownBy = new Map<string, string[]>();
  let isLearning = false;
  let hits: Entry[] | undefined;

  const know = (value: string, kind: MaskKind): void => {
    if (known.has(value)) return;
    known.set(value, kind);
    remembered.clear();
    const start = value.slice(0, LEAST_SECRET);
    const values = [...(knownBy.get(start) ?? []), value];
    knownBy.set(
      start,
      values.toSorted((a, b) => b.length - a.length),
    );
  };
  for (const secret of secrets) if (secret.length >= LEAST_SECRET) know(secret, 'key');

  const entryOf = (kind: MaskKind, value: string): Entry => {
    const id = `${kind === 'home' ? 'home' : ''}\n${value}`;
    const old = entries.get(id);
    if (old) return old;
    let standIn = standInFor(kind, value);
    for (let attempt = 1; (taken.has(standIn) || standIn === value) && attempt < 1_000; attempt++)
      standIn = standInFor(kind, value, attempt);
    taken.add(standIn);
    const entry = { kind, value, standIn, count: 0 };
    entries.set(id, entry);
    return entry;
  };
  const learnValue = (value: string, kind: MaskKind): void => {
    if (value.length >= LEAST_KNOWN && value.length <= MOST_KNOWN && looksSecret(value) && !isStandIn(value))
      know(value, kind);
  };
  /** Whoever has a home path is named elsewhere too: in listings, prompts, and commands. */
  const learnName = (name: string): void => {
    if (!isPersonal(name) || names.has(name) || names.size >= MOST_NAMES) return;
    names.add(name);
    remembered.clear();
  };
  /** A folder name has a dash for each dot and space of the user's name, so the name can't be found in it. */
  const learnFolder = (name: string): void => {
    const dashed = name.replace(/[^A-Za-z0-9]/g, '-');
    if (dashed !== name) for (const parent of ['home', 'Users']) know(`-${parent}-${dashed}`, 'home');
  };
  const replace = (kind: MaskKind, value: string): string => {
    const entry = entryOf(kind, value);
    entry.count++;
    hits?.push(entry);
    return entry.standIn;
  };

  const findKnown = (source: string): readonly Found[] => {
    const found: Found[] = [];
    if (known.size === 0) return found;
    for (let start = 0; start + LEAST_SECRET <= source.length; start++) {
      const value = knownBy
        .get(source.slice(start, start + LEAST_SECRET))
        ?.find((item) => source.startsWith(item, start));
      if (value === undefined) continue;
      found.push({ start, end: start + value.length, kind: known.get(value) ?? 'token' });
      start += value.length - 1;
    }
    return found;
  };

  const findNames = (source: string): readonly Found[] => {
    const found: Found[] = [];
    for (const name of names)
      for (let start = source.indexOf(name); start !== -1; start = source.indexOf(name, start + name.length)) {
        const end = start + name.length;
        if (isWordStart(source, start) && !isWordPart(source[end])) found.push({ start, end, kind: 'home' });
      }
    return found;
  };

  const plain = (source: string): string => {
    if (isLearning) {
      for (const { start, end, kind } of findNamed(source)) {
        const value = source.slice(start, end);
        if (kind === 'home') {
          learnFolder(value);
          learnName(value);
        } else learnValue(value, kind);
      }
      return source;
    }
    const found = withoutOverlap([...findKnown(source), ...findPrivate(source), ...findNames(source)]);
    let out = '';
    let at = 0;
    for (const { start, end, kind } of found) {
      out += source.slice(at, start) + replace(kind, source.slice(start, end));
      at = end;
    }
    return out + source.slice(at);
  };

  /** The literal of a string, with what it says masked; its escapes stay where they are. */
  const literal = (raw: string, field: string | undefined, depth: number): string => {
    const value = JSON.parse(raw) as string;
    const masked = text(value, field, depth);
    if (masked === value) return raw;
    if (raw.length === value.length + 2) return `"${masked}"`;
    let out = '"';
    let at = 1;
    for (let index = 0; index < value.length; index++) {
      const size = raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2;
      const written = raw.slice(at, at + size);
      const isSame = masked.charCodeAt(index) === value.charCodeAt(index);
      out += isSame
        ? written
        : size === 6
          ? `\\u${masked.charCodeAt(index).toString(16).padStart(4, '0')}`
          : masked.charAt(index);
      at += size;
    }
    return `${out}"`;
  };

  /** `kept`: parts of `root` that were masked before. */
  const json = (source: string, root: JsonNode, depth: number, kept?: KeptParts): string => {
    const pieces: string[] = [];
    let at = 0;
    const flush = (end: number): void => {
      pieces.push(source.slice(at, end));
      at = end;
    };
    const put = (start: number, end: number, field: string | undefined): void => {
      flush(start);
      pieces.push(literal(source.slice(start, end), field, depth));
      at = end;
    };
    const walk = (node: JsonNode, field: string | undefined): void => {
      if (node.kind === 'string') put(node.start, node.end, field);
      else if (node.kind === 'array') for (const item of node.items) walk(item, field);
      else if (node.kind === 'object') {
        // Headers of a HAR are pairs of a name and a value.
        let name: string | undefined;
        for (const { key, start, value } of node.members) {
          put(start, endOfString(source, start), undefined);
          const own = key === 'value' && name !== undefined ? name : key;
          if (key === 'cookies') walkCookies(value);
          else if (kept && node === root && value.kind === 'array')
            for (const item of value.items) walkOnce(item, own, kept);
          else walk(value, own);
          if (key === 'name' && value.kind === 'string')
            name = JSON.parse(source.slice(value.start, value.end)) as string;
        }
      }
    };
    /** A browser's own list has names that nobody else knows: every value is one of a cookie. */
    const walkCookies = (node: JsonNode): void => {
      if (node.kind === 'array') for (const item of node.items) walkCookies(item);
      else if (node.kind === 'object')
        for (const { key, start, value } of node.members) {
          put(start, endOfString(source, start), undefined);
          const isPair = node.members.some((member) => member.key === 'name');
          walk(value, key === 'value' || (!isPair && value.kind === 'string') ? 'cookie' : key);
        }
      else walk(node, 'cookie');
    };
    /** An item of a list that the body before had too is the same node, and is masked alike. */
    const walkOnce = (node: JsonNode, field: string, parts: KeptParts): void => {
      flush(node.start);
      const before = isLearning ? parts.learned.get(node) : parts.masked.get(node);
      if (before) {
        for (const entry of before.entries) {
          entry.count++;
          hits?.push(entry);
        }
        pieces.push(before.text);
        at = node.end;
        return;
      }
      const [outer, mark] = [hits, pieces.length];
      const own: Entry[] = (hits = []);
      walk(node, field);
      flush(node.end);
      hits = outer;
      for (const entry of own) hits?.push(entry);
      const written = pieces.splice(mark).join('');
      pieces.push(written);
      (isLearning ? parts.learned : parts.masked).set(node, { text: written, entries: own });
    };
    walk(root, undefined);
    flush(source.length);
    return pieces.join('');
  };

  const line = (source: string, depth: number): string => {
    const start = /^(?:data:)?\s*/.exec(source)?.[0] ?? '';
    const rest = source.slice(start.length);
    const scanned = /^[[{"]/.test(rest) ? scanJson(rest) : undefined;
    return scanned?.ok === true ? start + json(rest, scanned.value, depth) : plain(source);
  };

  const masksOf = (source: string, depth: number): string => {
    if (depth > MOST_NESTED) return plain(source);
    const head = source.slice(0, 200);
    const isStructured = /^\s*(?:[[{]|data:|event:)/.test(head);
    if (!isStructured) return lines(source, depth);
    const scanned = /^\s*[[{]/.test(head) ? scanJson(source) : undefined;
    if (scanned?.ok === true) return json(source, scanned.value, depth);
    return source.includes('\n') ? lines(source, depth) : line(source, depth);
  };

  /** JSON in a line each for itself; the lines between together: a key may go over several lines. */
  const lines = (source: string, depth: number): string => {
    if (!INLINE_JSON.test(source) && !/(?:^|\n)\s*(?:data:\s*)?"/.test(source)) return plain(source);
    let out = '';
    let between = '';
    source.split('\n').forEach((part, index) => {
      const first = /^(?:data:)?\s*(?=")/.exec(part)?.[0].length ?? part.search(INLINE_JSON);
      const last = part.trimEnd().endsWith('"') ? part.trimEnd().length : /[}\]](?=[^}\]]*$)/.exec(part)?.index;
      const end = last === undefined ? 0 : Math.max(last, part[last] === undefined ? last : last + 1);
      const inner = first === -1 || end <= first ? undefined : part.slice(first, end);
      const scanned = inner === undefined ? undefined : scanJson(inner);
      if (index > 0) between += '\n';
      if (inner === undefined || scanned?.ok !== true) {
        between += part;
        return;
      }
      out += plain(between + part.slice(0, first)) + json(inner, scanned.value, depth);
      between = part.slice(end);
    });
    return out + plain(between);
  };

  const text = (value: string, field: string | undefined, depth: number): string => {
    const kind = kindInField(field, value);
    if (kind !== undefined) {
      const scheme = SCHEME.exec(value)?.[0] ?? '';
      const secret = value.slice(scheme.length);
      learnValue(secret, kind);
      if (isLearning) return value;
      return secret.length >= LEAST_SECRET ? scheme + replace(known.get(secret) ?? kind, secret) : value;
    }
    if (value.length < LEAST_REMEMBERED) return masksOf(value, depth + 1);
    if (isLearning) {
      if (!learned.has(value)) masksOf(value, depth + 1);
      learned.add(value);
      return value;
    }
    const before = remembered.get(value);
    if (before) {
      for (const entry of before.entries) {
        entry.count++;
        hits?.push(entry);
      }
      return before.text;
    }
    const outer = hits;
    const own: Entry[] = (hits = []);
    const masked = masksOf(value, depth + 1);
    hits = outer;
    for (const entry of own) hits?.push(entry);
    remembered.set(value, { text: masked, entries: own });
    return masked;
  };

  const walk = (value: unknown, field: string | undefined): unknown => {
    if (typeof value === 'string') return text(value, field, 0);
    if (Array.isArray(value)) return value.map((item) => walk(item, field));
    if (!isObject(value)) return value;
    const name = typeof value['name'] === 'string' ? value['name'] : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        text(key, undefined, 0),
        walk(item, key === 'value' && name !== undefined ? name : key),
      ]),
    );
  };

  const learn = (value: unknown): void => {
    isLearning = true;
    walk(value, undefined);
    isLearning = false;
  };

  const bodies = (): BodyMasker => {
    const parts: KeptParts = { learned: new WeakMap(), masked: new WeakMap() };
    let scans: readonly Scanned[] = [];
    const one = (body: string, base: string | undefined): string => {
      const before = scans.find((scan) => scan.text === base);
      const scanned = rescanJson(body, before ?? scans[0]);
      if (!scanned.ok) return text(body, undefined, 0);
      scans = [{ text: body, root: scanned.value }, ...scans.filter((scan) => scan !== before)].slice(0, MOST_SCANS);
      return json(body, scanned.value, 1, parts);
    };
    return {
      learn: (body, base) => {
        isLearning = true;
        one(body, base);
        isLearning = false;
      },
      mask: one,
    };
  };

  return {
    learn,
    bodies,
    mask: <T>(value: T): T => {
      learn(value);
      return walk(value, undefined) as T;
    },
    masked: () =>
      [...entries.values()]
        .filter(({ count }) => count > 0)
        .map(({ kind, value, standIn, count }) => ({
          kind,
          standIn,
          length: value.length,
          count,
          hash: fingerprint(value),
        })),
  };
};
