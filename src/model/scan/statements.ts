/** Statements in their order: branches are all taken; loops are taken twice. */
import { assign, set } from './assignments.ts';
import { importedName, moduleValue, remoteModule } from './modules.ts';
import { elementOf } from './operations.ts';
import type { Stmt } from './program.ts';
import { either, NOTHING, partOf, type Scope, type Value } from './value.ts';
import { place, type Walk } from './walk.ts';

const branch = (walk: Walk, scope: Scope, body: readonly Stmt[]): void => {
  walk.branches++;
  walk.execute(scope, body);
  walk.branches--;
};

const classOf = (walk: Walk, scope: Scope, stmt: Stmt & { readonly kind: 'class' }): void => {
  const fields = new Map<string, Value>([['#class', NOTHING]]);
  const bases = stmt.bases.map((base) => walk.evaluate(scope, base));
  for (const base of bases) for (const [name, value] of base.fields ?? []) fields.set(name, value);
  const inner: Scope = { names: fields, parent: scope, globals: new Set() };
  const ref = bases.find((base) => base.ref !== undefined)?.ref;
  const value: Value = { marks: [], texts: [], fields, ...(ref !== undefined && { ref: `${ref}()` }) };
  walk.execute(inner, stmt.body);
  // Methods see the class's surroundings, not its body.
  for (const [name, item] of fields) {
    if (!item.closure || item.closure.scope !== inner) continue;
    walk.functions.set(item.closure.expr, { scope, module: walk.current, self: value });
    fields.set(name, { ...item, closure: { ...item.closure, scope } });
  }
  set(walk, scope, stmt.name, value, true);
};

const step = (walk: Walk, scope: Scope, stmt: Stmt): void => {
  switch (stmt.kind) {
    case 'expr':
      walk.evaluate(scope, stmt.expr);
      return;
    case 'import': {
      if (/^https?:/.test(stmt.path)) remoteModule(walk.world, place(walk, stmt.at), stmt.path);
      const module = moduleValue(walk, stmt.path);
      for (const { name, as } of stmt.names) {
        if (name === '*') for (const [key, value] of module.fields ?? []) set(walk, scope, key, value, true);
        else if (name === '') set(walk, scope, as, module, true);
        else set(walk, scope, as, importedName(walk, stmt.path, module, name, stmt.at), true);
      }
      return;
    }
    case 'define':
      assign(walk, scope, stmt.target, walk.evaluate(scope, stmt.value), stmt.isLocal);
      return;
    case 'each': {
      const value = walk.evaluate(scope, stmt.value);
      walk.branches++;
      for (let round = 0; round < 2; round++) {
        assign(walk, scope, stmt.target, partOf(elementOf(value)), true);
        walk.execute(scope, stmt.body);
      }
      walk.branches--;
      return;
    }
    case 'branch':
      for (const test of stmt.tests) walk.evaluate(scope, test);
      for (const inner of stmt.bodies) branch(walk, scope, inner);
      return;
    case 'block':
      walk.execute(scope, stmt.body);
      return;
    case 'return': {
      const value = walk.evaluate(scope, stmt.value);
      if (walk.returns.length > 0)
        walk.returns[walk.returns.length - 1] = either(walk.returns.at(-1) ?? NOTHING, value);
      return;
    }
    case 'global':
      for (const name of stmt.names) scope.globals.add(name);
      return;
    case 'class':
      classOf(walk, scope, stmt);
  }
};

export const execute = (walk: Walk, scope: Scope, body: readonly Stmt[]): void => {
  // JavaScript calls functions before the line that declares them.
  for (const stmt of body)
    if (stmt.kind === 'define' && stmt.value.kind === 'function' && stmt.target.kind === 'name')
      set(walk, scope, stmt.target.name, walk.evaluate(scope, stmt.value), true);
  for (const stmt of body) {
    if (!walk.world.spend()) return;
    step(walk, scope, stmt);
  }
};
