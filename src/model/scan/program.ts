/** Python and JavaScript in one small form, with only what the flow of data needs. Offsets are into the parsed text. */

interface At {
  readonly at: number;
}

export interface Argument {
  /** Of a keyword argument. */
  readonly name?: string;
  readonly value: Expr;
}

export interface Parameter {
  readonly target: Expr;
  readonly fallback?: Expr;
}

export interface FunctionExpr extends At {
  readonly kind: 'function';
  readonly name?: string;
  readonly params: readonly Parameter[];
  readonly body: readonly Stmt[];
}

export type Expr =
  | (At & { readonly kind: 'text'; readonly text: string })
  | (At & { readonly kind: 'name'; readonly name: string })
  | (At & { readonly kind: 'member'; readonly object: Expr; readonly name: string })
  | (At & { readonly kind: 'index'; readonly object: Expr; readonly index: Expr })
  /** `step` −1 turns the text round. */
  | (At & { readonly kind: 'slice'; readonly object: Expr; readonly bounds: readonly (Expr | undefined)[] })
  | (At & { readonly kind: 'call'; readonly callee: Expr; readonly args: readonly Argument[] })
  | (At & { readonly kind: 'concat'; readonly parts: readonly Expr[] })
  | (At & { readonly kind: 'list'; readonly items: readonly Expr[] })
  | (At & { readonly kind: 'dict'; readonly entries: readonly { readonly key?: Expr; readonly value: Expr }[] })
  /** Either of them. */
  | (At & { readonly kind: 'either'; readonly parts: readonly Expr[] })
  /** Made of them in some way; `op` where it matters. */
  | (At & { readonly kind: 'mix'; readonly op: string; readonly parts: readonly Expr[] })
  | (At & { readonly kind: 'sequence'; readonly parts: readonly Expr[] })
  | (At & { readonly kind: 'assign'; readonly target: Expr; readonly value: Expr; readonly adds: boolean })
  /** `before` is done, then `value` is what comes of it. */
  | (At & { readonly kind: 'comprehension'; readonly before: readonly Stmt[]; readonly value: Expr })
  | FunctionExpr;

export type Stmt =
  | { readonly kind: 'expr'; readonly expr: Expr }
  | (At & { readonly kind: 'import'; readonly path: string; readonly names: readonly ImportedName[] })
  | (At & { readonly kind: 'define'; readonly target: Expr; readonly value: Expr; readonly isLocal: boolean })
  /** `of`: the target is an element of the value. */
  | (At & { readonly kind: 'each'; readonly target: Expr; readonly value: Expr; readonly body: readonly Stmt[] })
  | { readonly kind: 'branch'; readonly tests: readonly Expr[]; readonly bodies: readonly (readonly Stmt[])[] }
  | { readonly kind: 'block'; readonly body: readonly Stmt[] }
  | { readonly kind: 'return'; readonly value: Expr }
  | { readonly kind: 'global'; readonly names: readonly string[] }
  | (At & {
      readonly kind: 'class';
      readonly name: string;
      readonly bases: readonly Expr[];
      readonly body: readonly Stmt[];
    });

export interface ImportedName {
  /** `*` is everything, the empty text the module itself. */
  readonly name: string;
  readonly as: string;
}

export interface Lowered {
  readonly body: readonly Stmt[];
  /** It is nested deeper than was read. */
  readonly isCut: boolean;
}
