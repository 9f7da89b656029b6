/**
 * Where segments lie in the body that is sent, in bytes. A wire says at which JSON path a part of the prompt is; JSON writes
 * a joined text as the joined writings of its parts, so segments that follow each other do so in the body too.
 */
import { utf8Length } from '../../base/utf8.ts';
import { nodeAt, scanJson, type JsonNode } from '../../base/json-scan.ts';
import type { WirePlace, WireRequest } from '../provider/types.ts';
import type { PlacedSegment, Segment } from './types.ts';

interface Span {
  readonly segment: Segment;
  /** UTF-16 offsets in the body. */
  readonly start: number;
  readonly end: number;
}

const BACKSLASH = 92;
const LOWER_U = 117;

/** From offsets of a JSON string's value to offsets of its writing. One walk, as long as they ascend. */
class StringWalk {
  readonly #body: string;
  readonly #start: number;
  readonly #end: number;
  #raw: number;
  #unit = 0;

  constructor(body: string, node: JsonNode) {
    this.#body = body;
    this.#start = node.start + 1;
    this.#raw = this.#start;
    this.#end = node.end - 1;
  }

  rawAt(unit: number): number {
    if (unit < this.#unit) {
      this.#raw = this.#start;
      this.#unit = 0;
    }
    while (this.#unit < unit && this.#raw < this.#end) {
      if (this.#body.charCodeAt(this.#raw) !== BACKSLASH) this.#raw += 1;
      else this.#raw += this.#body.charCodeAt(this.#raw + 1) === LOWER_U ? 6 : 2;
      this.#unit += 1;
    }
    if (this.#unit < unit) throw new Error('a string in the body is shorter than its segments');
    return this.#raw;
  }

  /** Where the value ends. */
  get end(): number {
    return this.#end;
  }
}

const pathText = (place: WirePlace): string => place.path.join('.');

/** A body in which places can be looked up. */
class Body {
  readonly #text: string;
  readonly #root: JsonNode;
  readonly #walks = new Map<number, StringWalk>();

  constructor(text: string) {
    const scanned = scanJson(text);
    if (!scanned.ok) throw new Error(`the body isn’t JSON: ${scanned.error.message}`);
    this.#text = text;
    this.#root = scanned.value;
  }

  #nodeOf(place: WirePlace): JsonNode {
    const node = nodeAt(this.#root, place.path);
    if (!node) throw new Error(`the body has nothing at ${pathText(place)}`);
    return node;
  }

  #walkOf(node: JsonNode, place: WirePlace): StringWalk {
    if (node.kind !== 'string') throw new Error(`the body has no text at ${pathText(place)}`);
    const walk = this.#walks.get(node.start) ?? new StringWalk(this.#text, node);
    this.#walks.set(node.start, walk);
    return walk;
  }

  /** A segment that is a whole value, or some characters of a text. */
  spanOf(place: WirePlace, segment: Segment): Span {
    const node = this.#nodeOf(place);
    if (place.from === undefined && place.to === undefined) return { segment, start: node.start, end: node.end };
    const walk = this.#walkOf(node, place);
    const start = walk.rawAt(place.from ?? 0);
    return { segment, start, end: place.to === undefined ? walk.end : walk.rawAt(place.to) };
  }

  /** Segments one after the other inside the text of a place. */
  spansIn(place: WirePlace | undefined, segments: readonly Segment[]): readonly Span[] {
    if (segments.length === 0) return [];
    // Some wires leave out a text of spaces.
    if (!place && segments.every(({ text }) => text.trim() === '')) return [];
    if (!place) throw new Error(`the request has no place for ${segments[0]?.id ?? ''}`);
    const walk = this.#walkOf(this.#nodeOf(place), place);
    let unit = place.from ?? 0;
    const spans = segments.map((segment) => {
      const start = walk.rawAt(unit);
      unit += segment.text.length;
      return { segment, start, end: walk.rawAt(unit) };
    });
    const isWhole = place.to === undefined ? spans.at(-1)?.end === walk.end : place.to === unit;
    if (!isWhole) throw new Error(`the text at ${pathText(place)} is not as long as its segments`);
    return spans;
  }
}

const MESSAGE_ID = /^message:(\d+)\.(\d+)$/;

/**
 * In the order of the body. Tools come in the order of the request, stable and volatile segments in the order of their
 * texts; a block that the wire leaves out is not placed. A body that does not fit its segments is a defect and throws.
 */
export const placeSegments = (
  text: string,
  { places }: WireRequest,
  segments: readonly Segment[],
): readonly PlacedSegment[] => {
  const body = new Body(text);
  const of = (test: (segment: Segment) => boolean): Segment[] => segments.filter(test);
  const isSystem = ({ kind }: Segment): boolean => kind !== 'tool' && kind !== 'message';

  const spans: Span[] = [];
  for (const [index, segment] of of(({ kind }) => kind === 'tool').entries()) {
    const place = places.tools[index];
    if (!place) throw new Error(`the request has no place for ${segment.id}`);
    spans.push(body.spanOf(place, segment));
  }
  const stable = of((segment) => isSystem(segment) && segment.stability === 'stable');
  const volatile = of((segment) => isSystem(segment) && segment.stability === 'volatile');
  spans.push(...body.spansIn(places.stable, stable));
  spans.push(...body.spansIn(places.volatile, volatile));
  for (const segment of of(({ kind }) => kind === 'message')) {
    const [, message, block] = MESSAGE_ID.exec(segment.id) ?? [];
    const place = places.messages[Number(message)]?.[Number(block)];
    if (place) spans.push(body.spanOf(place, segment));
  }

  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  // Ranges do not overlap, so one walk through the body finds all of them.
  let at = 0;
  let bytes = 0;
  const byteAt = (offset: number): number => {
    bytes += utf8Length(text, at, offset);
    at = offset;
    return bytes;
  };
  return spans.map(({ segment: { kind, id, text: own, bytes: size, tokens, hash, stability }, start, end }) => ({
    kind,
    id,
    text: own,
    bytes: size,
    tokens,
    hash,
    stability,
    byteStart: byteAt(start),
    byteEnd: byteAt(end),
  }));
};
