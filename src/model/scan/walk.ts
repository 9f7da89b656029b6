/**
 * One walk through the programs of a skill: what its parts (assignments, calls, expressions, statements) share. They reach each other's
 * work through `evaluate` and `execute`.
 */
import type { LanguageEffects, Module } from './language.ts';
import type { Expr, FunctionExpr, Stmt } from './program.ts';
import type { Place } from './types.ts';
import type { Scope, Value } from './value.ts';
import type { World } from './world.ts';

export interface Walk {
  readonly world: World;
  readonly effects: LanguageEffects;
  readonly modules: ReadonlyMap<string, Module>;
  readonly depth: number;
  /** What is in the holes of its strings. */
  readonly holes: Value;

  /** The names of modules that were run, by file. */
  readonly done: Map<string, Scope>;
  readonly list: Module[];
  /** The module in `list` that is being run. */
  current: number;
  readonly functions: Map<FunctionExpr, { readonly scope: Scope; readonly module: number; readonly self?: Value }>;
  readonly calls: Map<FunctionExpr, number>;
  readonly stack: FunctionExpr[];
  readonly returns: Value[];
  /** Of the function that is being run: how many branches and expressions are around this place. */
  branches: number;
  nesting: number;

  /** `isObject`: only a part of it is used. */
  readonly evaluate: (scope: Scope, expr: Expr, isObject?: boolean) => Value;
  readonly execute: (scope: Scope, body: readonly Stmt[]) => void;
}

export const place = (walk: Walk, at: number): Place =>
  walk.list[walk.current]?.placeOf(at) ?? { file: '', line: 1, column: 1 };

export const child = (parent: Scope | undefined): Scope => ({ names: new Map(), parent, globals: new Set() });

export const lookup = (scope: Scope, name: string): Value | undefined => {
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const found = at.names.get(name);
    if (found) return found;
  }
  return undefined;
};

export const top = (scope: Scope): Scope => {
  let at = scope;
  while (at.parent) at = at.parent;
  return at;
};

/** Where a name lives, or would be made. */
export const home = (walk: Walk, scope: Scope, name: string, isLocal: boolean): Scope => {
  if (scope.globals.has(name)) return top(scope);
  if (isLocal) return scope;
  for (let at: Scope | undefined = scope; at; at = at.parent) if (at.names.has(name)) return at;
  return walk.effects.bindsThis ? top(scope) : scope;
};
