import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createBodyWriter } from './written-body.ts';

it('writes what JSON.stringify writes, whatever list was written before', () => {
  const items = fc.array(fc.oneof(fc.jsonValue() as fc.Arbitrary<Json>, fc.constantFrom('', 0, '"', null)), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.array(fc.record({ keep: fc.nat(8), more: items }), { maxLength: 6 }), (steps) => {
      const write = createBodyWriter();
      let messages: readonly Json[] = [];
      for (const { keep, more } of steps) {
        messages = [...messages.slice(0, keep), ...more];
        const body = { model: 'm', 'a"b': true, messages, tools: more, 7: messages };
        expect(write(body)).toBe(JSON.stringify(body));
      }
    }),
    { numRuns: 100 },
  );
});
