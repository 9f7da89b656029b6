/**
 * Follows data through Python and JavaScript without running them. Functions of the skill are followed where they are called; branches are
 * all taken; loops are taken twice. What is not known is empty, never guessed.
 */
import { elementOf, mixValues, sliceValue } from './operations.ts';
import type { Expr, FunctionExpr, Lowered, Stmt } from './program.ts';
import type { Place } from './types.ts';
import {
  allMarks,
  concat,
  either,
  HOLE,
  joinMarks,
  knownText,
  marksOf,
  NOTHING,
  textValue,
  withMarks,
  type Scope,
  type Value,
} from './value.ts';
import type { World } from './world.ts';

export interface CallSite {
  /** What is called, by its full name: `os.system`, `?.join` for a method of something unknown. */
  readonly ref: string;
  readonly method: string;
  readonly receiver: Value;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly place: Place;
  readonly world: World;
  readonly depth: number;
}

export interface LanguageEffects {
  readonly call: (site: CallSite) => Value | undefined;
  /** What a name with dots stands for, in its usual spelling. */
  readonly normalRef: (ref: string) => string;
  readonly isEnvironment: (ref: string) => boolean;
  /** Sources that are no calls, such as `process.env`. */
  readonly member: (world: World, place: Place, ref: string) => Value | undefined;
  /** The module of the skill that an import means. */
  readonly resolve: (from: string, path: string) => string | undefined;
  /** Methods of JavaScript see `this`; those of Python get it as their first parameter. */
  readonly bindsThis: boolean;
}

export interface Module {
  readonly file: string;
  readonly program: Lowered;
  readonly placeOf: (offset: number) => Place;
}

const MUTATORS = new Set([
  'append',
  'extend',
  'add',
  'update',
  'push',
  'unshift',
  'insert',
  'set',
  'setdefault',
  'put',
  'write',
  'writelines',
]);
const MAX_CALLS = 40;
const MAX_STACK = 24;
const MAX_EXPR = 400;

const child = (parent: Scope | undefined): Scope => ({ names: new Map(), parent, globals: new Set() });

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
  const done = new Map<string, Scope>();
  const list: Module[] = [];
  const functions = new Map<FunctionExpr, { readonly scope: Scope; readonly module: number; readonly self?: Value }>();
  const calls = new Map<FunctionExpr, number>();
  const stack: FunctionExpr[] = [];
  const returns: Value[] = [];
  let current = 0;
  let branches = 0;
  let nesting = 0;

  const place = (at: number): Place => list[current]?.placeOf(at) ?? { file: '', line: 1, column: 1 };

  const lookup = (scope: Scope, name: string): Value | undefined => {
    for (let at: Scope | undefined = scope; at; at = at.parent) {
      const found = at.names.get(name);
      if (found) return found;
    }
    return undefined;
  };

  const top = (scope: Scope): Scope => {
    let at = scope;
    while (at.parent) at = at.parent;
    return at;
  };

  const home = (scope: Scope, name: string, isLocal: boolean): Scope => {
    if (scope.globals.has(name)) return top(scope);
    if (isLocal) return scope;
    for (let at: Scope | undefined = scope; at; at = at.parent) if (at.names.has(name)) return at;
    return effects.bindsThis ? top(scope) : scope;
  };

  const set = (scope: Scope, name: string, value: Value, isLocal: boolean): void => {
    const owner = home(scope, name, isLocal);
    const before = owner.names.get(name);
    owner.names.set(name, before && branches > 0 ? either(value, before) : value);
  };

  const member = (object: Value, name: string, at: number): Value => {
    const own = object.fields?.get(name);
    if (own) {
      const bound =
        own.closure && !own.closure.self && object.fields?.has('#class')
          ? { ...own, closure: { ...own.closure, self: object } }
          : own;
      return withMarks(bound, object.marks);
    }
    const ref = effects.normalRef(object.ref === undefined ? `?.${name}` : `${object.ref}.${name}`);
    const special = object.ref === undefined ? undefined : effects.member(world, place(at), ref);
    if (special) return { ...special, ref };
    return { marks: object.marks, texts: [], ref };
  };

  const assign = (scope: Scope, target: Expr, value: Value, isLocal: boolean): void => {
    switch (target.kind) {
      case 'name':
        set(scope, target.name, value, isLocal);
        return;
      case 'list':
        target.items.forEach((item, index) => {
          const part = value.items?.[index];
          assign(scope, item, part ? withMarks(part, value.marks) : elementOf(value), isLocal);
        });
        return;
      case 'dict':
        for (const { key, value: inner } of target.entries) {
          const name = key?.kind === 'text' ? key.text : undefined;
          assign(
            scope,
            inner,
            name === undefined ? { marks: allMarks(value), texts: [] } : member(value, name, target.at),
            isLocal,
          );
        }
        return;
      case 'member':
      case 'index': {
        const object = evaluate(scope, target.object, true);
        const name = target.kind === 'member' ? target.name : knownText(evaluate(scope, target.index));
        if (object.fields && name !== undefined) {
          const before = object.fields.get(name);
          object.fields.set(name, before && branches > 0 ? either(value, before) : value);
          return;
        }
        if (object.ref !== undefined && name !== undefined) onAssign(scope, target, object.ref, name, value);
        taint(scope, target.object, value);
        return;
      }
      default:
        return;
    }
  };

  /** `module.exports = x`, `exports.x = y`. */
  const onAssign = (scope: Scope, _target: Expr, ref: string, name: string, value: Value): void => {
    if (ref === 'exports' || ref === 'module.exports') top(scope).names.set(name, value);
    if (ref === 'module' && name === 'exports' && value.fields)
      for (const [key, item] of value.fields) top(scope).names.set(key, item);
    if (ref === 'module' && name === 'exports' && value.closure) top(scope).names.set('default', value);
  };

  /** The marks of what is put into a container become those of the container. */
  const taint = (scope: Scope, object: Expr, value: Value): void => {
    const marks = allMarks(value);
    if (object.kind === 'name') {
      const before = lookup(scope, object.name);
      if (!before || (marks.length === 0 && !before.items)) return;
      const items = before.items && [...before.items, value];
      home(scope, object.name, false).names.set(object.name, { ...withMarks(before, marks), ...(items && { items }) });
    } else if (object.kind === 'member' || object.kind === 'index') {
      if (marks.length === 0) return;
      const owner = evaluate(scope, object.object);
      const name = object.kind === 'member' ? object.name : undefined;
      const before = name === undefined ? undefined : owner.fields?.get(name);
      if (owner.fields && name !== undefined) owner.fields.set(name, withMarks(before ?? NOTHING, marks));
      else taint(scope, object.object, value);
    }
  };

  const bind = (
    scope: Scope,
    expr: FunctionExpr,
    args: readonly Value[],
    named: ReadonlyMap<string, Value>,
    self: Value | undefined,
  ): void => {
    const given = self && !effects.bindsThis ? [self, ...args] : args;
    if (self && effects.bindsThis) scope.names.set('this', self);
    expr.params.forEach(({ target, fallback }, index) => {
      const byName = target.kind === 'name' ? named.get(target.name) : undefined;
      const value = byName ?? given[index] ?? (fallback ? evaluate(scope, fallback) : NOTHING);
      assign(scope, target, value, true);
    });
    const extra = given.slice(expr.params.length);
    const last = expr.params.at(-1);
    if (extra.length > 0 && last?.target.kind === 'name')
      scope.names.set(last.target.name, withMarks(scope.names.get(last.target.name) ?? NOTHING, marksOf(extra)));
  };

  const callFunction = (value: Value, args: readonly Value[], named: ReadonlyMap<string, Value>): Value => {
    const { closure } = value;
    if (!closure) return NOTHING;
    const count = calls.get(closure.expr) ?? 0;
    if (count >= MAX_CALLS || stack.length >= MAX_STACK || stack.includes(closure.expr))
      return { marks: marksOf(args), texts: [] };
    calls.set(closure.expr, count + 1);
    const scope = child(closure.scope);
    const before = { current, branches, nesting };
    stack.push(closure.expr);
    returns.push(NOTHING);
    current = closure.module;
    branches = 0;
    nesting = 0;
    bind(scope, closure.expr, args, named, closure.self);
    execute(scope, closure.expr.body);
    ({ current, branches, nesting } = before);
    stack.pop();
    return returns.pop() ?? NOTHING;
  };

  const importModule = (path: string): Scope | undefined => {
    const file = effects.resolve(list[current]?.file ?? '', path);
    const module = file === undefined ? undefined : modules.get(file);
    if (!module) return undefined;
    run(module);
    return done.get(module.file);
  };

  const moduleValue = (path: string): Value => {
    const scope = importModule(path);
    if (scope) return { marks: [], texts: [], fields: scope.names };
    return { marks: [], texts: [], ref: effects.normalRef(path) };
  };

  const instance = (cls: Value, args: readonly Value[], named: ReadonlyMap<string, Value>): Value => {
    const self: Value = { ...cls, marks: joinMarks(cls.marks, marksOf(args)) };
    const init = cls.fields?.get('__init__') ?? cls.fields?.get('constructor');
    if (init?.closure) callFunction({ ...init, closure: { ...init.closure, self } }, args, named);
    return self;
  };

  const call = (scope: Scope, expr: Expr & { readonly kind: 'call' }): Value => {
    const { callee } = expr;
    const hasObject = callee.kind === 'member' || callee.kind === 'index';
    const receiver = hasObject ? evaluate(scope, callee.object, true) : NOTHING;
    const name =
      callee.kind === 'member'
        ? callee.name
        : callee.kind === 'index'
          ? knownText(evaluate(scope, callee.index))
          : undefined;
    const target = hasObject
      ? name === undefined
        ? { marks: receiver.marks, texts: [] }
        : member(receiver, name, callee.at)
      : evaluate(scope, callee);
    const args: Value[] = [];
    const named = new Map<string, Value>();
    for (const { name: key, value } of expr.args) {
      const given = evaluate(scope, value);
      if (key === undefined) args.push(given);
      else named.set(key, given);
    }
    const all = [...args, ...named.values()];
    if (target.closure) return callFunction(target, args, named);
    if (target.fields?.has('#class')) return instance(target, args, named);
    const at = place(expr.at);
    const ref = effects.normalRef(target.ref ?? (name === undefined ? '?' : `?.${name}`));
    const method = ref.slice(ref.lastIndexOf('.') + 1);
    if (ref === 'require' || ref === '__import__' || ref === 'importlib.import_module') {
      const path = knownText(args[0]);
      if (path !== undefined) return moduleValue(path);
      world.note('computed-import', at, 'The name of a module is put together while the program runs.');
      world.capability('processes', at, ref);
    }
    if (receiver.ref !== undefined && effects.isEnvironment(receiver.ref) && !/^(?:get|pop|setdefault)$/.test(method))
      world.capability('environment', at, 'all variables');
    const result =
      effects.call({ ref, method, receiver, args, named, place: at, world, depth }) ??
      ({ marks: joinMarks(allMarks(receiver), ...all.map(allMarks)), texts: [], ref: `${ref}()` } satisfies Value);
    if (hasObject && MUTATORS.has(method)) for (const value of all) taint(scope, callee.object, value);
    // Whoever takes a function calls it with what it has.
    for (const value of all) {
      const inner = value.items?.filter(({ closure }) => closure) ?? [];
      for (const { closure } of [value, ...inner])
        if (closure) {
          const given: Value = {
            marks: joinMarks(result.marks, allMarks(receiver), ...args.filter((arg) => !arg.closure).map(allMarks)),
            texts: [],
            ...(result.ref !== undefined && { ref: result.ref }),
          };
          const out = callFunction({ ...NOTHING, closure }, [given, given], new Map());
          if (out.marks.length > 0) return { ...withMarks(result, allMarks(out)) };
        }
    }
    return result;
  };

  /** `isObject`: only a part of it is used. */
  const evaluate = (scope: Scope, expr: Expr, isObject = false): Value => {
    if (!world.spend() || nesting >= MAX_EXPR) return NOTHING;
    nesting++;
    try {
      const value = evaluateKind(scope, expr);
      if (!isObject && value.ref !== undefined && effects.isEnvironment(value.ref))
        world.capability('environment', place(expr.at), 'all variables');
      return value;
    } finally {
      nesting--;
    }
  };

  const evaluateKind = (scope: Scope, expr: Expr): Value => {
    switch (expr.kind) {
      case 'text':
        return expr.text.includes(HOLE) ? withMarks(textValue(expr.text), holes.marks) : textValue(expr.text);
      case 'name': {
        const found = lookup(scope, expr.name);
        if (found) return found;
        const ref = effects.normalRef(expr.name);
        return { ...(effects.member(world, place(expr.at), ref) ?? NOTHING), ref };
      }
      case 'member':
        return member(evaluate(scope, expr.object, true), expr.name, expr.at);
      case 'index': {
        const object = evaluate(scope, expr.object, true);
        const index = evaluate(scope, expr.index);
        const key = knownText(index);
        if (object.items && key !== undefined && /^-?\d+$/.test(key))
          return withMarks(object.items.at(Number(key)) ?? NOTHING, object.marks);
        const special =
          object.ref === undefined
            ? undefined
            : effects.call({
                ref: `${object.ref}[]`,
                method: '[]',
                receiver: object,
                args: [index],
                named: new Map(),
                place: place(expr.at),
                world,
                depth,
              });
        if (special) return special;
        if (key !== undefined && object.texts.length > 0 && /^\d+$/.test(key))
          return { marks: object.marks, texts: object.texts.map((text) => text.charAt(Number(key))) };
        if (key === undefined)
          return {
            marks: joinMarks(allMarks(object), index.marks),
            texts: [],
            ...(object.items && { items: object.items }),
          };
        return member(object, key, expr.at);
      }
      case 'slice':
        return sliceValue(
          world,
          place(expr.at),
          evaluate(scope, expr.object),
          expr.bounds.map((bound) => bound && evaluate(scope, bound)),
        );
      case 'call':
        return call(scope, expr);
      case 'concat':
        return concat(expr.parts.map((part) => evaluate(scope, part)));
      case 'list': {
        const items = expr.items.map((item) => evaluate(scope, item));
        return { marks: [], texts: [], items };
      }
      case 'dict': {
        const fields = new Map<string, Value>();
        let marks: Value['marks'] = [];
        for (const { key, value } of expr.entries) {
          const name = key && knownText(evaluate(scope, key));
          const inner = evaluate(scope, value);
          if (name === undefined) marks = joinMarks(marks, allMarks(inner));
          else fields.set(name, inner);
        }
        return { marks, texts: [], fields };
      }
      case 'either':
        return expr.parts.map((part) => evaluate(scope, part)).reduce(either, NOTHING);
      case 'sequence':
        return expr.parts.map((part) => evaluate(scope, part)).at(-1) ?? NOTHING;
      case 'mix':
        return mixValues(
          world,
          place(expr.at),
          expr.op,
          expr.parts.map((part) => evaluate(scope, part)),
        );
      case 'assign': {
        const value = evaluate(scope, expr.value);
        const whole = expr.adds ? concat([evaluate(scope, expr.target), value]) : value;
        assign(scope, expr.target, whole, false);
        return whole;
      }
      case 'comprehension': {
        const inner = child(scope);
        execute(inner, expr.before);
        const value = evaluate(inner, expr.value);
        const source = expr.before.flatMap((stmt) =>
          stmt.kind === 'each' ? allMarks(evaluate(scope, stmt.value)) : [],
        );
        return {
          marks: joinMarks(
            allMarks(value),
            source.filter(({ label }) => label === 'decoded'),
          ),
          texts: [],
          items: value.texts.map(textValue),
        };
      }
      case 'function':
        functions.set(expr, { scope, module: current });
        return { marks: [], texts: [], closure: { expr, scope, module: current } };
    }
  };

  const branch = (scope: Scope, body: readonly Stmt[]): void => {
    branches++;
    execute(scope, body);
    branches--;
  };

  const classOf = (scope: Scope, stmt: Stmt & { readonly kind: 'class' }): void => {
    const fields = new Map<string, Value>([['#class', NOTHING]]);
    const bases = stmt.bases.map((base) => evaluate(scope, base));
    for (const base of bases) for (const [name, value] of base.fields ?? []) fields.set(name, value);
    const inner: Scope = { names: fields, parent: scope, globals: new Set() };
    const ref = bases.find((base) => base.ref !== undefined)?.ref;
    const value: Value = { marks: [], texts: [], fields, ...(ref !== undefined && { ref: `${ref}()` }) };
    execute(inner, stmt.body);
    // Methods see the class's surroundings, not its body.
    for (const [name, item] of fields) {
      if (!item.closure || item.closure.scope !== inner) continue;
      functions.set(item.closure.expr, { scope, module: current, self: value });
      fields.set(name, { ...item, closure: { ...item.closure, scope } });
    }
    set(scope, stmt.name, value, true);
  };

  const execute = (scope: Scope, body: readonly Stmt[]): void => {
    // JavaScript calls functions before the line that declares them.
    for (const stmt of body)
      if (stmt.kind === 'define' && stmt.value.kind === 'function' && stmt.target.kind === 'name')
        set(scope, stmt.target.name, evaluate(scope, stmt.value), true);
    for (const stmt of body) {
      if (!world.spend()) return;
      step(scope, stmt);
    }
  };

  const step = (scope: Scope, stmt: Stmt): void => {
    switch (stmt.kind) {
      case 'expr':
        evaluate(scope, stmt.expr);
        return;
      case 'import': {
        const module = moduleValue(stmt.path);
        for (const { name, as } of stmt.names) {
          if (name === '*') for (const [key, value] of module.fields ?? []) set(scope, key, value, true);
          else if (name === '') set(scope, as, module, true);
          else set(scope, as, importedName(stmt.path, module, name, stmt.at), true);
        }
        return;
      }
      case 'define':
        assign(scope, stmt.target, evaluate(scope, stmt.value), stmt.isLocal);
        return;
      case 'each': {
        const value = evaluate(scope, stmt.value);
        branches++;
        for (let round = 0; round < 2; round++) {
          assign(scope, stmt.target, elementOf(value), true);
          execute(scope, stmt.body);
        }
        branches--;
        return;
      }
      case 'branch':
        for (const test of stmt.tests) evaluate(scope, test);
        for (const inner of stmt.bodies) branch(scope, inner);
        return;
      case 'block':
        execute(scope, stmt.body);
        return;
      case 'return': {
        const value = evaluate(scope, stmt.value);
        if (returns.length > 0) returns[returns.length - 1] = either(returns.at(-1) ?? NOTHING, value);
        return;
      }
      case 'global':
        for (const name of stmt.names) scope.globals.add(name);
        return;
      case 'class':
        classOf(scope, stmt);
    }
  };

  /** `from . import helper` names a module, `from helper import send` something in one. */
  const importedName = (path: string, module: Value, name: string, at: number): Value => {
    const inner = module.fields ? undefined : importModule(/[./]$/.test(path) ? `${path}${name}` : `${path}.${name}`);
    if (inner) return { marks: [], texts: [], fields: inner.names };
    return member(module, name, at);
  };

  const run = (module: Module): void => {
    if (done.has(module.file)) return;
    const scope = child(undefined);
    done.set(module.file, scope);
    const before = { current, branches };
    list.push(module);
    current = list.length - 1;
    branches = 0;
    execute(scope, module.program.body);
    ({ current, branches } = before);
  };

  return {
    run,
    finish: () => {
      // A function may hold others: once round for each layer.
      for (let round = 0; round < 4; round++) {
        const open = [...functions].filter(([expr]) => !calls.has(expr));
        if (open.length === 0) return;
        for (const [expr, { scope, module, self }] of open)
          callFunction({ ...NOTHING, closure: { expr, scope, module, ...(self && { self }) } }, [], new Map());
      }
    },
  };
};
