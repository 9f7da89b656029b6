export type SegmentKind =
  | 'tool'
  | 'persona'
  | 'instructions'
  | 'skill-index'
  | 'preloaded'
  | 'operating-context'
  | 'environment'
  | 'user'
  | 'memory'
  | 'message';

/**
 * A part of what is sent. The texts of the stable segments, joined without anything between, are the stable system prompt;
 * those of the volatile ones the volatile prompt. A tool's text is its compact JSON.
 */
export interface Segment {
  readonly kind: SegmentKind;
  /** Unique in a request: `tool:read_file`, `preloaded:pdf`, `operating-context:3`, `message:4.0`. */
  readonly id: string;
  readonly text: string;
  /** UTF-8, of the text itself. */
  readonly bytes: number;
  /** The estimate of D14. */
  readonly tokens: number;
  /** SHA-256 of the text. */
  readonly hash: string;
  readonly stability: 'stable' | 'volatile';
}

/** Where a segment is in the body that is sent. */
export interface PlacedSegment extends Segment {
  readonly byteStart: number;
  readonly byteEnd: number;
}

export const PADDING_POLICIES = ['spec', 'model', 'off'] as const;
export type PaddingPolicy = (typeof PADDING_POLICIES)[number];
