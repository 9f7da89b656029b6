import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { schemaFaults, validateInput } from './json-schema.ts';

const schema: Json = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    argv: { type: 'array', minItems: 1, items: { type: 'string' } },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    nested: { type: 'object', properties: { deep: { type: ['number', 'null'] } }, required: ['deep'] },
    flag: { type: 'boolean' },
  },
  required: ['path'],
  additionalProperties: false,
};

const texts = (given: Json, input: Json): string[] => validateInput(given, input).map(({ text }) => text);

describe('inputs', () => {
  it('TO20: that are right have no faults', () => {
    for (const input of [
      { path: 'a' },
      { path: 'a', limit: 50, argv: ['x'], mode: 'fast', nested: { deep: null, more: 1 }, flag: false },
      { path: '😀', limit: 2.0 },
    ] satisfies Json[])
      expect(validateInput(schema, input)).toEqual([]);
  });

  it.each<[Json, string[]]>([
    ['text', ['$: must be an object, got "text"']],
    [null, ['$: must be an object, got null']],
    [['a'], ['$: must be an object, got an array of 1 item']],
    [{}, ['path: is required and must be a string of at least 1 character']],
    [{ path: '' }, ['path: must be a string of at least 1 character, got ""']],
    [{ path: { a: 1 } }, ['path: must be a string of at least 1 character, got an object']],
    [{ path: 'a', limit: 'ten' }, ['limit: must be an integer between 1 and 50, got "ten"']],
    [{ path: 'a', limit: 0 }, ['limit: must be an integer between 1 and 50, got 0']],
    [{ path: 'a', limit: 1.5 }, ['limit: must be an integer between 1 and 50, got 1.5']],
    [{ path: 'a', argv: [] }, ['argv: must be an array of at least 1 item, got an empty array']],
    [{ path: 'a', argv: 'git status' }, ['argv: must be an array of at least 1 item, got "git status"']],
    [{ path: 'a', argv: ['git', 3] }, ['argv[1]: must be a string, got 3']],
    [{ path: 'a', mode: 'quick' }, ['mode: must be one of "fast" or "slow", got "quick"']],
    [{ path: 'a', nested: {} }, ['nested.deep: is required and must be a number or null']],
    [{ path: 'a', nested: { deep: 'x' } }, ['nested.deep: must be a number or null, got "x"']],
    [{ path: 'a', flag: 'true' }, ['flag: must be true or false, got "true"']],
    [
      { pth: 'a' },
      [
        'path: is required and must be a string of at least 1 character',
        '$: unknown key "pth"; did you mean "path"? allowed: path, limit, argv, mode, nested, flag',
      ],
    ],
    [{ path: 'a', zzz: 1 }, ['$: unknown key "zzz"; allowed: path, limit, argv, mode, nested, flag']],
  ])('TO21: %j', (input, faults) => {
    expect(texts(schema, input)).toEqual(faults);
  });

  it('TO23: what is kept in the journal has nothing of the input', () => {
    const faults = validateInput(schema, { path: 5, limit: 'SECRET', SECRET: 1, argv: ['SECRET', 7] });
    expect(faults.map(({ bare }) => bare)).toEqual([
      'path: must be a string of at least 1 character',
      'limit: must be an integer between 1 and 50',
      '$: unknown key; allowed: path, limit, argv, mode, nested, flag',
      'argv[1]: must be a string',
    ]);
  });

  it('TO21: a long value is shown in part', () => {
    const [fault] = texts({ type: 'integer' }, 'x'.repeat(5000));
    expect(fault).toBe(`$: must be an integer, got "${'x'.repeat(59)}…" (5000 characters)`);
  });

  it.each<[Json, Json, boolean]>([
    [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, true],
    [{ enum: [1, 'a', null] }, null, true],
    [{ enum: [1, 'a', null] }, '1', false],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0, false],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5, true],
    [{ multipleOf: 0.1 }, 0.3, true],
    [{ multipleOf: 2 }, 3, false],
    [{ minLength: 2, maxLength: 2 }, '😀😀', true],
    [{ pattern: '^[a-z]+$' }, 'aB', false],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], false],
    [{ maxItems: 1 }, [1, 2], false],
    [{ minimum: 5 }, 'a string has no minimum', true],
    [{}, [1, { a: null }], true],
    [{ properties: { a: {} } }, { b: 1 }, true],
    [{ additionalProperties: false }, { b: 1 }, false],
    [{ items: { type: 'array', items: { type: 'null' } } }, [[null], [1]], false],
  ])('TO22: %j and %j', (given, input, expected) => {
    expect(validateInput(given, input).length === 0).toBe(expected);
  });

  it('TO22: a key like a method of objects is a key', () => {
    expect(texts({ required: ['toString'] }, {})).toEqual(['toString: is required']);
    expect(validateInput({ additionalProperties: false }, { constructor: 1 })).toHaveLength(1);
  });
});

describe('schemas', () => {
  it('TO18: what would not be checked is refused, wherever it stands', () => {
    expect(schemaFaults({ type: 'object', properties: { a: { items: { anyOf: [] } } } })).toEqual([
      '$.a[]: the keyword "anyOf" is not supported',
    ]);
    expect(schemaFaults({ additionalProperties: { type: 'string' } })).toEqual([
      '$: additionalProperties must be true or false',
    ]);
    expect(schemaFaults({ items: [{ type: 'string' }] })).toEqual(['$: items must be one schema']);
    expect(schemaFaults({ type: 'text', pattern: '(', minLength: -1, enum: [], multipleOf: 0 })).toHaveLength(5);
    expect(schemaFaults(true)).toEqual(['$: a schema must be an object']);
    expect(schemaFaults(schema)).toEqual([]);
  });
});
