/**
 * A body as the segments that it is made of, in the order in which a cache reads them: tools, system, messages. Whatever is
 * known of the prompt (persona, index, padding …) is found again in the body itself, so a segment's bytes are those that
 * were sent.
 */
import { memberOf, scanJson, type JsonNode } from '../../base/json-scan.ts';
import { type Json, isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { codePointLength } from '../../base/text.ts';
import { blockText } from '../cache/block-tokens.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheBlock, CacheRequest } from '../cache/types.ts';
import { toolSegment } from '../prompt/segments.ts';
import type { SegmentKind } from '../prompt/types.ts';
import type { ToolSpec, Wire, WriteTtl } from '../provider/types.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import { bytePlaces } from './byte-places.ts';

/** `hidden`: what the provider adds for tools. It is in no body, and every view has it before the first segment. */
export type BodySegmentKind = SegmentKind | 'system' | 'hidden';

export interface BodySegment {
  readonly kind: BodySegmentKind;
  /** Unique in its body: `tool:read_file`, `preloaded:pdf`, `message:4.0`. */
  readonly id: string;
  /** What a person calls it. */
  readonly title: string;
  /** Of the block that it is in: `system[0]`. */
  readonly label: string;
  /** Index of that block. */
  readonly block: number;
  /** What is counted of it. */
  readonly text: string;
  /** The estimate of D14. */
  readonly estimate: number;
  /** What the estimate was made of, where that is not `text`. */
  readonly codePoints?: number;
  readonly isVolatile: boolean;
  readonly isPadding: boolean;
  /** A breakpoint is after it. */
  readonly ttl?: WriteTtl;
  /** UTF-16 offsets in the body. */
  readonly start: number;
  readonly end: number;
  /** The same in bytes of UTF-8. */
  readonly byteStart: number;
  readonly byteEnd: number;
  /** What a reader shows: offsets in the body of a JSON string's content, or of JSON as it is. */
  readonly shown: { readonly start: number; readonly end: number; readonly isString: boolean };
}

/** What is known of a prompt beside its body. */
export interface KnownPrompt {
  readonly tools: readonly ToolSpec[];
  /** The stable system prompt in its order. */
  readonly stable: readonly { readonly kind: SegmentKind; readonly id: string; readonly text: string }[];
}

export const NOTHING_KNOWN: KnownPrompt = { tools: [], stable: [] };

export interface BodySegments {
  readonly body: string;
  readonly request: CacheRequest;
  readonly segments: readonly BodySegment[];
}

const PADDING: ReadonlySet<string> = new Set(['preloaded', 'operating-context']);
const VOLATILE: ReadonlySet<string> = new Set(['environment', 'user', 'memory', 'message']);

const TITLES: Readonly<Partial<Record<BodySegmentKind, string>>> = {
  persona: 'persona',
  instructions: 'instructions',
  'skill-index': 'skill index',
  environment: 'environment',
  user: 'USER.md',
  memory: 'MEMORY.md',
  system: 'system prompt',
};

const MESSAGE_TITLES: Readonly<Record<string, string>> = {
  tool_use: 'tool call',
  function_call: 'tool call',
  tool_call: 'tool call',
  tool_result: 'tool result',
  function_call_output: 'tool result',
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  reasoning: 'thinking',
  image: 'image',
  input_image: 'image',
  image_url: 'image',
};

const titleOf = (kind: BodySegmentKind, id: string): string => {
  const name = id.slice(id.indexOf(':') + 1);
  if (kind === 'tool') return name;
  if (kind === 'preloaded') return name;
  if (kind === 'operating-context') return `context ${Number(name) + 1}`;
  return TITLES[kind] ?? id;
};

/** Headings that the volatile prompt is made of. */
const VOLATILE_PARTS: readonly (readonly [SegmentKind, string])[] = [
  ['environment', '## Environment\n'],
  ['user', '\n\n## User context (USER.md)\n'],
  ['memory', '\n\n## Workspace memory (MEMORY.md)\n'],
];

interface Part {
  readonly kind: BodySegmentKind;
  readonly id: string;
  /** As it is written inside a JSON string. */
  readonly raw: string;
}

const written = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The parts of a volatile text; nothing if it is none. What separates two parts belongs to the second. */
const volatileParts = (raw: string): readonly Part[] => {
  const starts = VOLATILE_PARTS.flatMap(([kind, heading], index) => {
    const at = raw.indexOf(written(heading));
    // Before the environment there may be what separates it from the stable prompt.
    return at === -1 || (index === 0 && !/^(?:\\n)*$/.test(raw.slice(0, at)))
      ? []
      : [{ kind, at: index === 0 ? 0 : at }];
  });
  if (starts[0]?.kind !== 'environment') return [];
  return starts.map(({ kind, at }, index) => ({ kind, id: kind, raw: raw.slice(at, starts[index + 1]?.at) }));
};

/** A system text as the parts that it is known to have; one part for what is not known. */
const systemParts = (raw: string, { stable }: KnownPrompt, index: number): readonly Part[] => {
  const parts: Part[] = [];
  let at = 0;
  for (const { kind, id, text } of stable) {
    const own = written(text);
    if (own === '' || !raw.startsWith(own, at)) break;
    parts.push({ kind, id, raw: own });
    at += own.length;
  }
  const rest = raw.slice(at);
  if (rest === '') return parts;
  const volatile = stable.length > 0 ? volatileParts(rest) : [];
  return [
    ...parts,
    ...(volatile.length > 0 ? volatile : [{ kind: 'system' as const, id: `system:${index}`, raw: rest }]),
  ];
};

/** The string that a person reads of a block; nothing where its JSON has to be shown. */
const stringIn = (node: JsonNode): JsonNode | undefined => {
  if (node.kind === 'string') return node;
  for (const key of ['text', 'content', 'thinking', 'output']) {
    const member = memberOf(node, key);
    if (member?.kind === 'string') return member;
  }
  return undefined;
};

type Draft = Omit<BodySegment, 'byteStart' | 'byteEnd'>;

const draftOf = (
  part: Pick<BodySegment, 'kind' | 'id' | 'text'> & Partial<Pick<BodySegment, 'title' | 'estimate' | 'codePoints'>>,
  block: Pick<CacheBlock, 'label'>,
  index: number,
  place: Pick<BodySegment, 'start' | 'end' | 'shown'>,
): Draft => ({
  kind: part.kind,
  id: part.id,
  title: part.title ?? titleOf(part.kind, part.id),
  label: block.label,
  block: index,
  text: part.text,
  estimate: part.estimate ?? estimateTokens(codePointLength(part.text)),
  ...(part.codePoints !== undefined && { codePoints: part.codePoints }),
  isVolatile: VOLATILE.has(part.kind),
  isPadding: PADDING.has(part.kind),
  ...place,
});

const toolName = (block: CacheBlock): string => {
  const parsed = JSON.parse(block.text) as Json;
  const value = isObject(parsed) ? parsed : {};
  const inner = isObject(value['function']) ? value['function'] : {};
  const name = value['name'] ?? inner['name'] ?? value['type'];
  return typeof name === 'string' ? name : block.label;
};

/** Node of a block, with offsets in the whole body. */
const nodeOf = (body: string, block: CacheBlock): { readonly node: JsonNode; readonly shift: number } | undefined => {
  const scanned = scanJson(body.slice(block.start, block.end));
  return scanned.ok ? { node: scanned.value, shift: block.start } : undefined;
};

const systemDrafts = (body: string, block: CacheBlock, index: number, known: KnownPrompt): readonly Draft[] => {
  const found = nodeOf(body, block);
  const text = found && stringIn(found.node);
  if (!found || !text) {
    const { start, end } = block;
    const part = { kind: 'system' as const, id: `system:${index}`, text: blockText(block) };
    return [draftOf(part, block, index, { start, end, shown: { start, end, isString: false } })];
  }
  const from = found.shift + text.start + 1;
  const raw = body.slice(from, found.shift + text.end - 1);
  let at = from;
  return systemParts(raw, known, index).map((part) => {
    const place = { start: at, end: at + part.raw.length };
    at = place.end;
    return draftOf({ ...part, text: JSON.parse(`"${part.raw}"`) as string }, block, index, {
      ...place,
      shown: { ...place, isString: true },
    });
  });
};

const messageDraft = (body: string, block: CacheBlock, index: number, id: string): Draft => {
  const found = nodeOf(body, block);
  const text = found && stringIn(found.node);
  const { start, end } = block;
  const shown =
    found && text
      ? { start: found.shift + text.start + 1, end: found.shift + text.end - 1, isString: true }
      : { start, end, isString: false };
  const what = MESSAGE_TITLES[block.kind] ?? block.role ?? block.kind;
  return draftOf({ kind: 'message', id, title: what, text: blockText(block) }, block, index, { start, end, shown });
};

const withMarkers = (drafts: readonly Draft[], request: CacheRequest): readonly Draft[] =>
  drafts.map((draft, index) => {
    const marker = request.blocks[draft.block]?.marker;
    const isLast = drafts[index + 1]?.block !== draft.block;
    return marker && isLast ? Object.assign({}, draft, { ttl: marker.ttl }) : draft;
  });

/** Whole bodies as segments; a sentence where a body cannot be read. */
export const segmentsOfBody = (body: string, wire: Wire, known = NOTHING_KNOWN): Result<BodySegments, string> => {
  const read = readRequest(body, wire);
  if (!read.ok) return err(read.error);
  const request = read.value;
  const estimates = new Map(known.tools.map((tool) => [tool.name, toolSegment(tool)]));
  const counts = new Map<number, number>();
  const drafts = request.blocks.flatMap((block, index): readonly Draft[] => {
    const { start, end } = block;
    if (block.label.startsWith('tools[')) {
      const name = toolName(block);
      const own = estimates.get(name);
      const part = {
        kind: 'tool' as const,
        id: `tool:${name}`,
        text: block.text,
        ...(own && { estimate: own.tokens, codePoints: codePointLength(own.text) }),
      };
      return [draftOf(part, block, index, { start, end, shown: { start, end, isString: false } })];
    }
    if (block.tier === 'system') return systemDrafts(body, block, index, known);
    const message = block.message ?? 0;
    const part = counts.get(message) ?? 0;
    counts.set(message, part + 1);
    return [messageDraft(body, block, index, `message:${message}.${part}`)];
  });
  const byteAt = bytePlaces(
    body,
    drafts.flatMap(({ start, end }) => [start, end]),
  );
  const segments = withMarkers(drafts, request).map((draft) =>
    Object.assign({}, draft, { byteStart: byteAt(draft.start), byteEnd: byteAt(draft.end) }),
  );
  return ok({ body, request, segments });
};

/** What a reader shows of a segment. */
export const shownText = (body: string, { shown }: Pick<BodySegment, 'shown'>): string => {
  const raw = body.slice(shown.start, shown.end);
  return shown.isString ? (JSON.parse(`"${raw}"`) as string) : raw;
};

const BACKSLASH = 92;
const LOWER_U = 117;

/** The offset in the body of a character of what a reader shows. */
const bodyOffset = (body: string, { shown }: Pick<BodySegment, 'shown'>, offset: number): number => {
  if (!shown.isString) return Math.min(shown.end, shown.start + offset);
  let raw = shown.start;
  for (let unit = 0; unit < offset && raw < shown.end; unit++) {
    if (body.charCodeAt(raw) !== BACKSLASH) raw += 1;
    else raw += body.charCodeAt(raw + 1) === LOWER_U ? 6 : 2;
  }
  return raw;
};

/** The bytes of the body that a selection in the reader stands for. */
export const selectedBytes = (
  body: string,
  segment: Pick<BodySegment, 'shown'>,
  from: number,
  to: number,
): { readonly start: number; readonly end: number } => {
  const [start, end] = [bodyOffset(body, segment, from), bodyOffset(body, segment, to)];
  const byteAt = bytePlaces(body, [start, end]);
  return { start: byteAt(start), end: byteAt(end) };
};
