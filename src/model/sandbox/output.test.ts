import { describe, expect, it } from 'vitest';
import { createOutputBuffer } from './output.ts';
import { notAvailable, runnerOf } from './programs.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('output', () => {
  it('OU1: is kept up to the limit, and a cut is known', () => {
    const buffer = createOutputBuffer(5);
    buffer.add(bytes('abc'));
    expect([buffer.text(), buffer.isCut()]).toEqual(['abc', false]);
    buffer.add(bytes('def'));
    buffer.add(bytes('g'));
    expect([buffer.text(), buffer.isCut()]).toEqual(['abcde', true]);
  });

  it('OU1: no character is cut in two', () => {
    for (const [limit, text] of [
      [4, 'aé'],
      [3, 'aé'],
      [2, 'a'],
      [5, 'aé'],
      [6, 'aé'],
    ] as const) {
      const buffer = createOutputBuffer(limit);
      buffer.add(bytes('aé😀'));
      expect(buffer.text(), String(limit)).toBe(text);
    }
  });

  it('OU2: what is not text is shown as far as it goes', () => {
    const buffer = createOutputBuffer();
    buffer.add(new Uint8Array([65, 255, 66]));
    expect(buffer.text()).toBe('A\ufffdB');
  });
});

describe('programs', () => {
  it('PO1: each has its worker', () => {
    expect(['git', 'python3', 'python', 'pytest', 'ls', '__proto__', 'toString'].map(runnerOf)).toEqual([
      'git',
      'python',
      'python',
      'python',
      'shell',
      'shell',
      'shell',
    ]);
  });

  it('PO2: one that is not there is reported with what is', () => {
    expect(notAvailable('node', ['ls', 'git'])).toBe(
      'node is not available in the browser sandbox (JavaScript is not run here). Available: ls git',
    );
    expect(notAvailable('constructor', ['ls'])).toBe(
      'constructor is not available in the browser sandbox. Available: ls',
    );
  });
});
