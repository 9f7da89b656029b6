import { describe, expect, it } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { loadWorkspaceView } from '../../model/workspace/workspace-view.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { startTestEngine } from '../../platform/worker/testing/node-engine.ts';
import { createProgramChecks } from './program-checks.ts';

const skillText = `---
name: loop
description: "Runs a loop. Use when a loop has to be run."
---

Input keys: none
`;

const load = async (program: string) => {
  const tree = createMemoryTree({ 'skills/loop/SKILL.md': skillText, 'skills/loop/SKILL.star': program }, 'top');
  const options = { profile: 'standard', shownProfile: 'standard', dialect: 'metis', log: silentLog } as const;
  return (await loadWorkspaceView({ project: { tree } }, options)).skills;
};

describe('problems of programs', () => {
  it('WP1: are known before a program is opened, and looked at once', async () => {
    using started = startTestEngine();
    let calls = 0;
    const failures: unknown[] = [];
    const checks = createProgramChecks({
      engine: () => {
        calls++;
        return Promise.resolve(started.engine);
      },
      whenIdle: () => Promise.resolve(),
      onFailure: (thrown) => failures.push(thrown),
    });
    const broken = await load('def run(input):\n    return {\n');
    const [skill] = broken;
    expect(skill && checks.known(skill)).toBeUndefined();
    expect(await checks.check(broken, 'standard')).toBe(true);
    const known = skill && checks.known(skill);
    expect(known?.program.file).toBe('SKILL.star');
    expect(known?.diagnostics.map(({ file, severity }) => [file, severity])).toEqual([['SKILL.star', 'error']]);
    expect(await checks.check(await load('def run(input):\n    return {\n'), 'standard')).toBe(false);
    expect(calls).toBe(1);

    const good = await load('def run(input):\n    return {"status": "done"}\n');
    expect(await checks.check(good, 'standard')).toBe(true);
    expect(good[0] && checks.known(good[0])?.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('WP2: are none of the profiles that know no programs', async () => {
    const checks = createProgramChecks({
      engine: () => Promise.reject(new Error('not asked for')),
      whenIdle: () => Promise.resolve(),
      onFailure: (thrown) => {
        throw thrown;
      },
    });
    expect(await checks.check(await load('def run(input):\n    return {\n'), 'metis')).toBe(false);
  });

  it('WP3: are left out, and told, where the engine fails', async () => {
    const failures: unknown[] = [];
    const checks = createProgramChecks({
      engine: () => Promise.reject(new Error('no wasm')),
      whenIdle: () => Promise.resolve(),
      onFailure: (thrown) => failures.push(thrown),
    });
    expect(await checks.check(await load('def run(input):\n    return {}\n'), 'standard')).toBe(false);
    expect(failures).toEqual([new Error('no wasm')]);
  });
});
