import { describe, expect, it } from 'vitest';
import { errorLine, errorMessage, errorName, isAbort } from './errors.ts';

describe('what was thrown', () => {
  it.each([
    [new Error('The disk is full.'), 'The disk is full.'],
    [new DOMException('Stopped.', 'AbortError'), 'Stopped.'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [404, '404'],
  ])('%s reads %s', (thrown, message) => {
    expect(errorMessage(thrown)).toBe(message);
  });

  it('has its first line alone', () => {
    expect(errorLine(new Error('Bad indent at line 3\n\n  a: b\n  ^'))).toBe('Bad indent at line 3');
    expect(errorLine(new Error(''))).toBe('');
    expect(errorLine('one line')).toBe('one line');
  });

  it('has a name where it is an error', () => {
    expect(errorName(new DOMException('', 'NotFoundError'))).toBe('NotFoundError');
    expect(errorName(new TypeError('x'))).toBe('TypeError');
    expect(errorName({ name: 'AbortError' })).toBe('');
  });

  it('is an abort by that name alone', () => {
    expect(isAbort(AbortSignal.abort().reason)).toBe(true);
    expect(isAbort(AbortSignal.timeout(0).reason)).toBe(false);
    expect(isAbort(new Error('AbortError'))).toBe(false);
  });
});
