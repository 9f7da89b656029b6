/** What lowering Python and JavaScript share: both walk a tree of Lezer. */
import type { SyntaxNode } from '@lezer/common';
import type { Expr } from './program.ts';

/** Deeper than any program that a person writes; a made-up one must not end the stack. */
const MAX_DEPTH = 200;

export interface TreeReader {
  readonly children: (node: SyntaxNode) => SyntaxNode[];
  readonly isToken: (node: SyntaxNode) => boolean;
  readonly slice: (node: SyntaxNode) => string;
}

export const mix = (at: number, parts: readonly Expr[], op = ''): Expr => ({ kind: 'mix', at, op, parts });

export const splitAtCommas = (nodes: readonly SyntaxNode[]): SyntaxNode[][] => {
  const groups: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === ',') groups.push([]);
    else groups.at(-1)?.push(node);
  }
  return groups.filter((group) => group.length > 0);
};

/** A long chain of `+` is one row, not a deep tree. */
export const addends = (node: SyntaxNode, { children, isToken, slice }: TreeReader): SyntaxNode[] => {
  const found: SyntaxNode[] = [];
  let at: SyntaxNode | undefined = node;
  while (at?.name === 'BinaryExpression') {
    const parts: SyntaxNode[] = children(at);
    const op = parts.find(isToken);
    const [left, right] = parts.filter((part) => !isToken(part));
    if (!op || slice(op) !== '+' || !left || !right) break;
    found.push(right);
    at = left;
  }
  if (at && at !== node) found.push(at);
  return found.toReversed();
};

export interface Descent {
  /** `tooDeep` stands for what lies below. */
  readonly into: <T>(tooDeep: () => T, work: () => T) => T;
  readonly isCut: () => boolean;
}

export const createDescent = (): Descent => {
  let depth = 0;
  let isCut = false;
  return {
    into: (tooDeep, work) => {
      if (depth >= MAX_DEPTH) {
        isCut = true;
        return tooDeep();
      }
      depth++;
      try {
        return work();
      } finally {
        depth--;
      }
    },
    isCut: () => isCut,
  };
};
