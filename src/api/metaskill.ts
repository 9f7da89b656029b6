import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSkill, runScripted, withEngine } from '../cli/metaskill-runner.ts';
import { createNodeTree } from '../platform/fs/node-tree.ts';
import type { MetaskillOptions, MetaskillResult } from './types.ts';

export const metaskillResult = async (
  folder: string,
  input: unknown,
  { answers = [], commands = [], timeoutSeconds }: MetaskillOptions,
): Promise<MetaskillResult> => {
  if (!existsSync(join(folder, 'SKILL.md'))) throw new Error(`There is no SKILL.md in ${folder}.`);
  const skill = await openSkill(createNodeTree(folder), 'local');
  const { ok, result, steps, trace, printed } = await withEngine((engine) =>
    runScripted(
      engine,
      skill,
      { input },
      { answers, commands },
      timeoutSeconds === undefined ? {} : { timeoutSeconds },
    ),
  );
  return { ok, result, steps, trace: trace.map((entry): unknown => JSON.parse(entry)), printed };
};
