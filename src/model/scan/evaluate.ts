/**
 * Follows data through Python and JavaScript without running them. Functions of the skill are followed where they are called; branches are
 * all taken; loops are taken twice. What is not known is empty, never guessed.
 */
import { callFunction } from './call-function.ts';
import { evaluate } from './expressions.ts';
import type { LanguageEffects, Module } from './language.ts';
import { runModule } from './modules.ts';
import { execute } from './statements.ts';
import { NOTHING, type Value } from './value.ts';
import type { Walk } from './walk.ts';
import type { World } from './world.ts';

export interface Interpreter {
  readonly run: (module: Module) => void;
  /** Functions that nobody called. */
  readonly finish: () => void;
}

export const createInterpreter = (
  world: World,
  effects: LanguageEffects,
  modules: ReadonlyMap<string, Module>,
  depth: number,
  holes: Value = NOTHING,
): Interpreter => {
  const walk: Walk = {
    world,
    effects,
    modules,
    depth,
    holes,
    done: new Map(),
    list: [],
    current: 0,
    functions: new Map(),
    calls: new Map(),
    stack: [],
    returns: [],
    branches: 0,
    nesting: 0,
    evaluate: (scope, expr, isObject) => evaluate(walk, scope, expr, isObject),
    execute: (scope, body) => execute(walk, scope, body),
  };
  return {
    run: (module) => runModule(walk, module),
    finish: () => {
      // A function may hold others: once round for each layer.
      for (let round = 0; round < 4; round++) {
        const open = [...walk.functions].filter(([expr]) => !walk.calls.has(expr));
        if (open.length === 0) return;
        for (const [expr, { scope, module, self }] of open)
          callFunction(walk, { ...NOTHING, closure: { expr, scope, module, ...(self && { self }) } }, [], new Map());
      }
    },
  };
};
