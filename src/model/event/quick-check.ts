/**
 * A yes or no for a payload, many times faster than zod without its code generation, which the page's policy forbids. Every
 * event of a session passes it; zod is asked for the words when it says no, and for whatever it does not know.
 */
/* oxlint-disable no-underscore-dangle -- zod keeps what a schema is made of under `_zod`. */
import { isObject } from '../../base/json.ts';
import { z } from '../zod.ts';

type Test = (value: unknown) => boolean;

const byZod =
  (schema: z.core.$ZodType): Test =>
  (value) =>
    z.safeParse(schema, value).success;

const numberTest = (schema: z.core.$ZodNumber): Test => {
  let isInteger = false;
  let least = -Infinity;
  for (const check of schema._zod.def.checks ?? []) {
    const { def } = check._zod;
    if (def.check === 'number_format' && 'format' in def && def.format === 'safeint') isInteger = true;
    else if (def.check === 'greater_than' && 'value' in def && 'inclusive' in def && def.inclusive)
      least = Math.max(least, Number(def.value));
    else return byZod(schema);
  }
  return (value) =>
    typeof value === 'number' &&
    Number.isFinite(value) &&
    value >= least &&
    (!isInteger || Number.isSafeInteger(value));
};

const objectTest = (schema: z.core.$ZodObject): Test => {
  const { shape, catchall } = schema._zod.def;
  if (catchall?._zod.def.type !== 'never') return byZod(schema);
  const keys = Object.keys(shape);
  const tests = keys.map((key) => {
    const field = shape[key] as z.core.$ZodType;
    return { key, isOptional: field._zod.optin === 'optional', test: quickTest(field) };
  });
  return (value) => {
    if (!isObject(value)) return false;
    let present = 0;
    for (const { key, isOptional, test } of tests) {
      if (Object.hasOwn(value, key)) {
        if (!test(value[key])) return false;
        present++;
      } else if (!isOptional) return false;
    }
    // Nothing that the shape does not name.
    return Object.keys(value).length === present;
  };
};

const recordTest = (schema: z.core.$ZodRecord): Test => {
  const { keyType, valueType } = schema._zod.def;
  const slow = byZod(schema);
  if (!(keyType instanceof z.ZodString) || keyType._zod.def.checks?.length) return slow;
  const test = quickTest(valueType);
  // Records of other kinds are rare, and zod knows which of them it takes.
  return (value) =>
    (isObject(value) &&
      Object.getPrototypeOf(value) === Object.prototype &&
      Object.getOwnPropertySymbols(value).length === 0 &&
      Object.values(value).every(test)) ||
    slow(value);
};

const unionTest = (schema: z.core.$ZodUnion): Test => {
  const tests = schema._zod.def.options.map((option) => quickTest(option));
  return (value) => tests.some((test) => test(value));
};

export const quickTest = (schema: z.core.$ZodType): Test => {
  if (schema instanceof z.ZodObject) return objectTest(schema);
  if (schema instanceof z.ZodNumber) return numberTest(schema);
  if (schema instanceof z.ZodRecord) return recordTest(schema);
  if (schema instanceof z.ZodUnion) return unionTest(schema);
  if (schema instanceof z.ZodString && !schema._zod.def.checks?.length) return (value) => typeof value === 'string';
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodEnum) {
    const values = new Set<unknown>(schema.options);
    return (value) => values.has(value);
  }
  if (schema instanceof z.ZodLiteral) {
    const { values } = schema;
    return (value) => values.has(value as never);
  }
  if (schema instanceof z.ZodExactOptional) return quickTest(schema._zod.def.innerType);
  if (schema instanceof z.ZodNullable) {
    const inner = quickTest(schema._zod.def.innerType);
    return (value) => value === null || inner(value);
  }
  if (schema instanceof z.ZodArray && !schema._zod.def.checks?.length) {
    const element = quickTest(schema._zod.def.element);
    return (value) => {
      if (!Array.isArray(value)) return false;
      // Not `every`, which skips holes.
      for (const item of value) if (!element(item)) return false;
      return true;
    };
  }
  if (schema instanceof z.ZodCustom) {
    const { fn } = schema._zod.def;
    return (value) => Boolean(fn(value));
  }
  return byZod(schema);
};
