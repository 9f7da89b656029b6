import { describe, expect, it } from 'vitest';
import { awayText, isAtHome } from './home.ts';

const desk = { id: 'f1', name: 'desk' };

describe('a session and its folder', () => {
  it('HOME1: a session is at home in the folder with its id, whatever its name', () => {
    const session = { folder: desk, workspace: 'desk' };
    expect(isAtHome(session, desk, false)).toBe(true);
    expect(isAtHome(session, { id: 'f1', name: 'renamed' }, false)).toBe(true);
    expect(isAtHome(session, { id: 'f2', name: 'desk' }, false)).toBe(false);
    expect(isAtHome(session, undefined, false)).toBe(false);
  });

  it('HOME1: the name decides where the folder was forgotten or never recorded', () => {
    expect(isAtHome({ folder: desk, workspace: 'desk' }, { id: 'f2', name: 'desk' }, true)).toBe(true);
    expect(isAtHome({ folder: desk, workspace: 'desk' }, { id: 'f2', name: 'other' }, true)).toBe(false);
    expect(isAtHome({ workspace: 'desk' }, { id: 'f2', name: 'desk' }, false)).toBe(true);
    expect(isAtHome({ workspace: 'desk' }, { id: 'f2', name: 'other' }, false)).toBe(false);
  });

  it('HOME4: says where the session can continue', () => {
    expect(awayText({ reason: 'folder', name: 'desk', folder: desk })).toBe(
      'This session belongs to the folder desk. Open that folder to continue.',
    );
    expect(awayText({ reason: 'tab' })).toContain('open in another tab');
  });
});
