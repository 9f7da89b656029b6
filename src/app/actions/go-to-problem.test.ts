import { expect, it } from 'vitest';
import { workspaceSkill } from '../../model/workspace/testing/skills.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import { createGoToProblem } from './go-to-problem.ts';
import type { UrlPatch } from '../address/url-state.ts';

const skill = (path: string, ...starts: number[]): WorkspaceSkill =>
  workspaceSkill(path, {
    text: 'one\ntwo\nthree\nfour',
    diagnostics: starts.map((start) => ({
      rule: 'r',
      severity: 'warning',
      message: '',
      file: 'SKILL.md',
      range: { start, end: start },
      fixes: [],
    })),
  });

it('LP3: starts in the file in front, behind its place, and continues through the folder', () => {
  const skills = [skill('a', 0), skill('b', 4, 8), skill('c', 0), skill('d')];
  let place: UrlPatch = {};
  const go = createGoToProblem({
    workspace: {
      getState: () => ({ status: 'ready', workspace: { name: 'w', workingFolder: '', skills, context: [] } }),
    },
    navigation: {
      get: () => place as never,
      go: (patch) => {
        place = { ...place, ...patch };
      },
    },
  });
  const from = (patch: UrlPatch, direction: 1 | -1): string => {
    place = patch;
    go(direction);
    return `${place.skill} ${place.at}`;
  };
  expect(from({ skill: 'b' }, 1)).toBe('b 2:1');
  expect(from(place, 1)).toBe('b 3:1');
  expect(from(place, 1)).toBe('c 1:1');
  expect(from(place, 1)).toBe('a 1:1');
  expect(from(place, -1)).toBe('c 1:1');
  expect(from({ skill: 'b', at: '2:3' }, 1)).toBe('b 3:1');
  expect(from({ skill: 'a', at: '4:1' }, 1)).toBe('b 2:1');
  expect(from({ skill: 'c', at: '4:1' }, -1)).toBe('c 1:1');
  expect(from({ skill: 'b', at: '4:1' }, -1)).toBe('b 3:1');
  expect(from({ skill: 'd' }, 1)).toBe('c 1:1');
});
