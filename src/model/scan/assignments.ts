/** Where values go: into names, into parts of others, and their marks into whatever holds them. */
import { elementOf } from './operations.ts';
import type { Expr } from './program.ts';
import { allMarks, either, knownText, NOTHING, partOf, withMarks, type Scope, type Value } from './value.ts';
import { home, lookup, place, top, type Walk } from './walk.ts';

export const set = (walk: Walk, scope: Scope, name: string, value: Value, isLocal: boolean): void => {
  const owner = home(walk, scope, name, isLocal);
  const before = owner.names.get(name);
  owner.names.set(name, before && walk.branches > 0 ? either(value, before) : value);
};

export const member = (walk: Walk, object: Value, name: string, at: number): Value => {
  const own = object.fields?.get(name);
  if (own) {
    const bound =
      own.closure && !own.closure.self && object.fields?.has('#class')
        ? { ...own, closure: { ...own.closure, self: object } }
        : own;
    return withMarks(bound, object.marks);
  }
  // What makes functions makes them of text.
  if (object.closure && name === 'constructor') return { marks: [], texts: [], ref: 'Function' };
  const ref = walk.effects.normalRef(object.ref === undefined ? `?.${name}` : `${object.ref}.${name}`);
  const special = object.ref === undefined ? undefined : walk.effects.member(walk.world, place(walk, at), ref);
  if (special) return { ...special, ref };
  return { marks: object.marks, texts: [], ref };
};

/** `module.exports = x`, `exports.x = y`. */
const exportName = (scope: Scope, ref: string, name: string, value: Value): void => {
  if (ref === 'exports' || ref === 'module.exports') top(scope).names.set(name, value);
  if (ref === 'module' && name === 'exports' && value.fields)
    for (const [key, item] of value.fields) top(scope).names.set(key, item);
  if (ref === 'module' && name === 'exports' && value.closure) top(scope).names.set('default', value);
};

/** The marks of what is put into a container become those of the container. */
export const taint = (walk: Walk, scope: Scope, object: Expr, value: Value): void => {
  const marks = allMarks(value);
  if (object.kind === 'name') {
    const before = lookup(scope, object.name);
    if (!before || (marks.length === 0 && !before.items)) return;
    const items = before.items && [...before.items, value];
    home(walk, scope, object.name, false).names.set(object.name, {
      ...withMarks(before, marks),
      ...(items && { items }),
    });
  } else if (object.kind === 'member' || object.kind === 'index') {
    if (marks.length === 0) return;
    const owner = walk.evaluate(scope, object.object);
    const name = object.kind === 'member' ? object.name : undefined;
    const before = name === undefined ? undefined : owner.fields?.get(name);
    if (owner.fields && name !== undefined) owner.fields.set(name, withMarks(before ?? NOTHING, marks));
    else taint(walk, scope, object.object, value);
  }
};

export const assign = (walk: Walk, scope: Scope, target: Expr, value: Value, isLocal: boolean): void => {
  switch (target.kind) {
    case 'name':
      set(walk, scope, target.name, value, isLocal);
      return;
    case 'list':
      target.items.forEach((item, index) => {
        const part = value.items?.[index];
        assign(walk, scope, item, partOf(part ? withMarks(part, value.marks) : elementOf(value)), isLocal);
      });
      return;
    case 'dict':
      for (const { key, value: inner } of target.entries) {
        const name = key?.kind === 'text' ? key.text : undefined;
        assign(
          walk,
          scope,
          inner,
          partOf(name === undefined ? { marks: allMarks(value), texts: [] } : member(walk, value, name, target.at)),
          isLocal,
        );
      }
      return;
    case 'member':
    case 'index': {
      const object = walk.evaluate(scope, target.object, true);
      const name = target.kind === 'member' ? target.name : knownText(walk.evaluate(scope, target.index));
      if (object.fields && name !== undefined) {
        const before = object.fields.get(name);
        object.fields.set(name, before && walk.branches > 0 ? either(value, before) : value);
        return;
      }
      if (object.ref !== undefined && name !== undefined) exportName(scope, object.ref, name, value);
      taint(walk, scope, target.object, value);
      return;
    }
    default:
      return;
  }
};
