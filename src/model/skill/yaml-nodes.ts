/** The nodes of YAML with positions. Scalars keep their text: what type a plain one has depends on who reads it (`scalar-types.ts`). */
import type { TextRange } from './types.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

export interface NodeBase {
  readonly range: TextRange;
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  /** The content, never coerced. */
  readonly text: string;
}

export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly flow: boolean;
  readonly entries: readonly MapEntry[];
}

export interface SeqNode extends NodeBase {
  readonly kind: 'seq';
  readonly flow: boolean;
  readonly items: readonly YamlNode[];
}

export interface AliasNode extends NodeBase {
  readonly kind: 'alias';
  readonly name: string;
  /** The anchored node, unless it does not exist or contains the alias. */
  readonly target: YamlNode | undefined;
}

export type YamlNode = ScalarNode | MapNode | SeqNode | AliasNode;

export interface MapEntry {
  readonly key: YamlNode;
  /** The key's text if it is a scalar. */
  readonly name: string | undefined;
  readonly value: YamlNode;
}
