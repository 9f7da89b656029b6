/** What lowering Python and JavaScript share: both walk a tree of Lezer. */
import type { Parser, PartialParse, SyntaxNode, Tree } from '@lezer/common';
import type { Expr } from './program.ts';

/** Deeper than any program that a person writes; a made-up one must not end the stack. */
const MAX_DEPTH = 200;

/**
 * Steps on which the parser looks for a way out of a string that is no program. Each follows many ways, so a string of nothing else takes
 * minutes per MiB; a program with some mistakes takes a few hundred.
 */
const MAX_RECOVERY = 2000;
/** Such a step may look at all of the text, so a long text has fewer of them: as many as make this many characters, and never less than the least. */
const MAX_RECOVERED = 40_000_000;
const LEAST_RECOVERY = 200;

/**
 * Numbers on the stack of the parser: three for each open part of a program. Where a string can be read in two ways, the parser copies its
 * stack at each step, so a deep one makes its time grow with the square of the text. Lowering reads `MAX_DEPTH` parts of it anyway.
 */
const MAX_STACK = 6000;

/** Lezer has no types for what it keeps of its work. */
const isTooDeep = (parse: PartialParse): boolean => {
  const stacks: unknown = 'stacks' in parse ? parse.stacks : undefined;
  const [first]: unknown[] = Array.isArray(stacks) ? stacks : [];
  const open: unknown = typeof first === 'object' && first !== null && 'stack' in first ? first.stack : undefined;
  return Array.isArray(open) && open.length > MAX_STACK;
};

/** Counted by Lezer. */
const isRecovering = (parse: PartialParse): boolean => 'recovering' in parse && Number(parse.recovering) > 0;

/** The tree of a string up to the place where it stops being a program. */
export const parseWithin = (parser: Parser, text: string): { readonly tree: Tree; readonly isCut: boolean } => {
  const parse = parser.startParse(text);
  const most = Math.min(MAX_RECOVERY, Math.max(LEAST_RECOVERY, MAX_RECOVERED / text.length));
  let recovery = 0;
  for (;;) {
    const tree = parse.advance();
    if (tree) return { tree, isCut: parse.stoppedAt !== null };
    if (isRecovering(parse)) recovery++;
    if (parse.stoppedAt === null && (recovery > most || isTooDeep(parse))) parse.stopAt(parse.parsedPos);
  }
};

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
  /** `tooDeep` stands for what is below. */
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
