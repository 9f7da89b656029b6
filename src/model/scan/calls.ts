/** Functions of the skill are followed where they are called; of all others the language says what they do. */
import { assign, member, taint } from './assignments.ts';
import { moduleValue, remoteModule } from './modules.ts';
import type { Expr, FunctionExpr } from './program.ts';
import { allMarks, joinMarks, knownText, marksOf, NOTHING, withMarks, type Scope, type Value } from './value.ts';
import { child, place, type Walk } from './walk.ts';

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

const bind = (
  walk: Walk,
  scope: Scope,
  expr: FunctionExpr,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
  self: Value | undefined,
): void => {
  const given = self && !walk.effects.bindsThis ? [self, ...args] : args;
  if (self && walk.effects.bindsThis) scope.names.set('this', self);
  expr.params.forEach(({ target, fallback }, index) => {
    const byName = target.kind === 'name' ? named.get(target.name) : undefined;
    const value = byName ?? given[index] ?? (fallback ? walk.evaluate(scope, fallback) : NOTHING);
    assign(walk, scope, target, value, true);
  });
  const extra = given.slice(expr.params.length);
  const last = expr.params.at(-1);
  if (extra.length > 0 && last?.target.kind === 'name')
    scope.names.set(last.target.name, withMarks(scope.names.get(last.target.name) ?? NOTHING, marksOf(extra)));
};

export const callFunction = (
  walk: Walk,
  value: Value,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
): Value => {
  const { closure } = value;
  if (!closure) return NOTHING;
  const count = walk.calls.get(closure.expr) ?? 0;
  if (count >= MAX_CALLS || walk.stack.length >= MAX_STACK || walk.stack.includes(closure.expr))
    return { marks: marksOf(args), texts: [] };
  walk.calls.set(closure.expr, count + 1);
  const scope = child(closure.scope);
  const { current, branches, nesting } = walk;
  walk.stack.push(closure.expr);
  walk.returns.push(NOTHING);
  walk.current = closure.module;
  walk.branches = 0;
  walk.nesting = 0;
  bind(walk, scope, closure.expr, args, named, closure.self);
  walk.execute(scope, closure.expr.body);
  Object.assign(walk, { current, branches, nesting });
  walk.stack.pop();
  return walk.returns.pop() ?? NOTHING;
};

const instance = (walk: Walk, cls: Value, args: readonly Value[], named: ReadonlyMap<string, Value>): Value => {
  const self: Value = { ...cls, marks: joinMarks(cls.marks, marksOf(args)) };
  const init = cls.fields?.get('__init__') ?? cls.fields?.get('constructor');
  if (init?.closure) callFunction(walk, { ...init, closure: { ...init.closure, self } }, args, named);
  return self;
};

export const call = (walk: Walk, scope: Scope, expr: Expr & { readonly kind: 'call' }): Value => {
  const { callee } = expr;
  const hasObject = callee.kind === 'member' || callee.kind === 'index';
  const receiver = hasObject ? walk.evaluate(scope, callee.object, true) : NOTHING;
  const name =
    callee.kind === 'member'
      ? callee.name
      : callee.kind === 'index'
        ? knownText(walk.evaluate(scope, callee.index))
        : undefined;
  const target = hasObject
    ? name === undefined
      ? { marks: receiver.marks, texts: [] }
      : member(walk, receiver, name, callee.at)
    : walk.evaluate(scope, callee);
  const args: Value[] = [];
  const named = new Map<string, Value>();
  for (const { name: key, value } of expr.args) {
    const given = walk.evaluate(scope, value);
    if (key === undefined) args.push(given);
    else named.set(key, given);
  }
  const all = [...args, ...named.values()];
  if (target.closure) return callFunction(walk, target, args, named);
  if (target.fields?.has('#class')) return instance(walk, target, args, named);
  const at = place(walk, expr.at);
  const ref = walk.effects.normalRef(target.ref ?? (name === undefined ? '?' : `?.${name}`));
  const method = ref.slice(ref.lastIndexOf('.') + 1);
  if (ref === 'require' || ref === '__import__' || ref === 'importlib.import_module') {
    const path = knownText(args[0]);
    const isRemote = path !== undefined && /^https?:/.test(path);
    if (path !== undefined && !isRemote) return moduleValue(walk, path);
    if (isRemote) {
      remoteModule(walk.world, at, path);
      return { marks: [], texts: [] };
    }
    const carried = args.flatMap(allMarks);
    if (carried.some(({ label }) => label === 'network' || label === 'decoded'))
      walk.world.runCode(at, { marks: carried, texts: [] }, 'other', 'import()', walk.depth);
    walk.world.note('computed-import', at, 'The name of a module is put together while the program runs.');
    walk.world.capability('processes', at, ref);
  }
  if (
    receiver.ref !== undefined &&
    walk.effects.isEnvironment(receiver.ref) &&
    !/^(?:get|pop|setdefault)$/.test(method)
  )
    walk.world.capability('environment', at, 'all variables');
  const result =
    walk.effects.call({ ref, method, receiver, args, named, place: at, world: walk.world, depth: walk.depth }) ??
    ({ marks: joinMarks(allMarks(receiver), ...all.map(allMarks)), texts: [], ref: `${ref}()` } satisfies Value);
  if (hasObject && MUTATORS.has(method)) for (const value of all) taint(walk, scope, callee.object, value);
  // Whoever takes a function calls it with what it has.
  for (const value of all) {
    const inner = value.items?.filter(({ closure }) => closure) ?? [];
    for (const { closure } of [value, ...inner])
      if (closure) {
        const given: Value =
          method === 'then'
            ? receiver
            : {
                marks: joinMarks(result.marks, allMarks(receiver), ...args.filter((arg) => !arg.closure).map(allMarks)),
                texts: [],
                ...(result.ref !== undefined && { ref: result.ref }),
              };
        const out = callFunction(walk, { ...NOTHING, closure }, [given, given], new Map());
        if (out.marks.length > 0) return { ...withMarks(result, allMarks(out)) };
      }
  }
  return result;
};
