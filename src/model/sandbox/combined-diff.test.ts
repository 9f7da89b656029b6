import { describe, expect, it } from 'vitest';
import { combinedHunks } from './combined-diff.ts';

describe('CD: one string beside its parents', () => {
  it('CD1: a column for each parent; what both had is lost in both', () => {
    expect(combinedHunks(['a\nours\nc\n', 'a\ntheirs\nc\n'], 'a\nboth\nc\nend\n', true)).toBe(
      '@@@ -1,3 -1,3 +1,4 @@@\n  a\n- ours\n -theirs\n++both\n  c\n++end\n',
    );
    expect(combinedHunks(['x\n', 'x\n'], 'y\n', true)).toBe('@@@ -1,1 -1,1 +1,1 @@@\n--x\n++y\n');
  });

  it('CD2: a place that is that of one parent is not shown, unless all is asked for', () => {
    const [ours, theirs] = ['a\nb\nc\n', 'a\nB\nc\n'];
    expect(combinedHunks([ours, theirs], theirs, true)).toBe('');
    expect(combinedHunks([ours, theirs], theirs, false)).toBe('@@@ -1,3 -1,3 +1,3 @@@\n  a\n- b\n+ B\n  c\n');
  });
});
