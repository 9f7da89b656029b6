import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { PROJECT, runLathe } from './testing/run-lathe.ts';

// The script is for bash, which Windows need not have.
it.runIf(process.platform !== 'win32')('bash completes commands, and the options of each', () => {
  const { stdout } = runLathe(['completions', 'bash'], PROJECT);
  const complete = (...words: string[]): string[] => {
    const script = `${stdout}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _lathe; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split(' ');
  };
  expect(complete('lathe', 'ch')).toEqual(['check']);
  expect(complete('lathe', 'exp')).toEqual(expect.arrayContaining(['explain', 'explain-rule']));
  expect(complete('lathe', 'check', '--max')).toEqual(['--max-warnings']);
});

it.each([[[]], [['tcsh']], [['bash', 'x']]])('a usage error %j exits 2', (args) => {
  expect(runLathe(['completions', ...args], PROJECT)).toMatchObject({ code: 2, stdout: '' });
});
