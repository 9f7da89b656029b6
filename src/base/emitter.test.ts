import { describe, expect, it } from 'vitest';
import { createEmitter } from './emitter.ts';

describe('an emitter', () => {
  it('tells every listener, in order, until it is disposed', () => {
    const emitter = createEmitter<number>();
    const heard: string[] = [];
    const first = emitter.subscribe((value) => heard.push(`a${value}`));
    emitter.subscribe((value) => heard.push(`b${value}`));
    emitter.emit(1);
    first[Symbol.dispose]();
    emitter.emit(2);
    expect(heard).toEqual(['a1', 'b1', 'b2']);
  });

  it('counts one function that listens twice as two', () => {
    const emitter = createEmitter<number>();
    let heard = 0;
    const listener = (): void => void heard++;
    const first = emitter.subscribe(listener);
    emitter.subscribe(listener);
    first[Symbol.dispose]();
    emitter.emit(1);
    expect(heard).toBe(1);
  });

  it('does not tell one that was disposed by another just now, nor one that came meanwhile', () => {
    const emitter = createEmitter<number>();
    const heard: string[] = [];
    emitter.subscribe(() => {
      second[Symbol.dispose]();
      emitter.subscribe(() => heard.push('late'));
    });
    const second = emitter.subscribe(() => heard.push('second'));
    emitter.emit(1);
    expect(heard).toEqual([]);
  });

  it('lets all hear before an error reaches the caller', () => {
    const emitter = createEmitter<number>();
    let heard = 0;
    emitter.subscribe(() => {
      throw new Error('broken');
    });
    emitter.subscribe(() => void heard++);
    expect(() => emitter.emit(1)).toThrow('broken');
    expect(heard).toBe(1);
  });

  it('gives errors to the one who wants them', () => {
    const errors: unknown[] = [];
    const emitter = createEmitter<number>((thrown) => errors.push(thrown));
    emitter.subscribe(() => {
      throw new Error('broken');
    });
    emitter.emit(1);
    expect(errors).toEqual([new Error('broken')]);
  });
});
