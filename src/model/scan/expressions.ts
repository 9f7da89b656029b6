/** What an expression may be: its known strings, and the marks of all that went into it. */
import { assign, member } from './assignments.ts';
import { call } from './calls.ts';
import { mixValues, sliceValue } from './operations.ts';
import type { Expr } from './program.ts';
import {
  allMarks,
  concat,
  either,
  HOLE,
  joinMarks,
  knownText,
  NOTHING,
  partOf,
  textValue,
  withMarks,
  type Scope,
  type Value,
} from './value.ts';
import { child, lookup, place, type Walk } from './walk.ts';

const MAX_EXPR = 400;

const evaluateKind = (walk: Walk, scope: Scope, expr: Expr): Value => {
  switch (expr.kind) {
    case 'text':
      return expr.text.includes(HOLE) ? withMarks(textValue(expr.text), walk.holes.marks) : textValue(expr.text);
    case 'name': {
      const found = lookup(scope, expr.name);
      if (found) return found;
      const ref = walk.effects.normalRef(expr.name);
      return { ...(walk.effects.member(walk.world, place(walk, expr.at), ref) ?? NOTHING), ref };
    }
    case 'member':
      return partOf(member(walk, walk.evaluate(scope, expr.object, true), expr.name, expr.at));
    case 'index': {
      const object = partOf(walk.evaluate(scope, expr.object, true));
      const index = walk.evaluate(scope, expr.index);
      const key = knownText(index);
      if (object.items && key !== undefined && /^-?\d+$/.test(key))
        return withMarks(object.items.at(Number(key)) ?? NOTHING, object.marks);
      const special =
        object.ref === undefined
          ? undefined
          : walk.effects.call({
              ref: `${object.ref}[]`,
              method: '[]',
              receiver: object,
              args: [index],
              named: new Map(),
              place: place(walk, expr.at),
              world: walk.world,
              depth: walk.depth,
            });
      if (special) return special;
      if (key !== undefined && object.texts.length > 0 && /^\d+$/.test(key))
        return { marks: object.marks, texts: object.texts.map((text) => text.charAt(Number(key))) };
      if (key === undefined)
        return {
          marks: joinMarks([allMarks(object), index.marks]),
          texts: [],
          ...(object.items && { items: object.items }),
        };
      return member(walk, object, key, expr.at);
    }
    case 'slice':
      return sliceValue(
        walk.world,
        place(walk, expr.at),
        walk.evaluate(scope, expr.object),
        expr.bounds.map((bound) => bound && walk.evaluate(scope, bound)),
      );
    case 'call':
      return call(walk, scope, expr);
    case 'concat':
      return concat(expr.parts.map((part) => walk.evaluate(scope, part)));
    case 'list': {
      const items = expr.items.map((item) => walk.evaluate(scope, item));
      return { marks: [], texts: [], items };
    }
    case 'dict': {
      const fields = new Map<string, Value>();
      let marks: Value['marks'] = [];
      for (const { key, value } of expr.entries) {
        const name = key && knownText(walk.evaluate(scope, key));
        const inner = walk.evaluate(scope, value);
        if (name === undefined) marks = joinMarks([marks, allMarks(inner)]);
        else fields.set(name, inner);
      }
      return { marks, texts: [], fields };
    }
    case 'either':
      return expr.parts.map((part) => walk.evaluate(scope, part)).reduce(either, NOTHING);
    case 'sequence':
      return expr.parts.map((part) => walk.evaluate(scope, part)).at(-1) ?? NOTHING;
    case 'mix':
      return mixValues(
        walk.world,
        place(walk, expr.at),
        expr.op,
        expr.parts.map((part) => walk.evaluate(scope, part)),
      );
    case 'assign': {
      const value = walk.evaluate(scope, expr.value);
      const whole = expr.adds ? concat([walk.evaluate(scope, expr.target), value]) : value;
      assign(walk, scope, expr.target, whole, false);
      return whole;
    }
    case 'comprehension': {
      const inner = child(scope);
      walk.execute(inner, expr.before);
      const value = walk.evaluate(inner, expr.value);
      const source = expr.before.flatMap((stmt) =>
        stmt.kind === 'each' ? allMarks(walk.evaluate(scope, stmt.value)) : [],
      );
      return {
        marks: joinMarks([allMarks(value), source.filter(({ label }) => label === 'decoded')]),
        texts: [],
        items: value.texts.map(textValue),
      };
    }
    case 'function':
      walk.functions.set(expr, { scope, module: walk.current });
      return { marks: [], texts: [], closure: { expr, scope, module: walk.current } };
  }
};

/** `isObject`: only a part of it is used. */
export const evaluate = (walk: Walk, scope: Scope, expr: Expr, isObject = false): Value => {
  if (!walk.world.spend() || walk.nesting >= MAX_EXPR) return NOTHING;
  walk.nesting++;
  try {
    const value = evaluateKind(walk, scope, expr);
    if (!isObject && value.ref !== undefined && walk.effects.isEnvironment(value.ref))
      walk.world.capability('environment', place(walk, expr.at), 'all variables');
    return value;
  } finally {
    walk.nesting--;
  }
};
