/** A function of the skill, followed where it is called. */
import { assign } from './assignments.ts';
import type { FunctionExpr } from './program.ts';
import { marksOf, NOTHING, withMarks, type Scope, type Value } from './value.ts';
import { child, type Walk } from './walk.ts';

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
  if (extra.length > 0 && last?.target.kind === 'name') {
    const first = scope.names.get(last.target.name) ?? NOTHING;
    scope.names.set(last.target.name, { ...withMarks(first, marksOf(extra)), items: [first, ...extra] });
  }
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
