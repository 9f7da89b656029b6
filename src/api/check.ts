import { existsSync } from 'node:fs';
import { problemsOf, publicProblem } from '../cli/output/problem.ts';
import { withEngine } from '../cli/metaskill-runner.ts';
import type { CheckedSkill } from '../model/library/check-skills.ts';
import { diagnose, isValid } from '../model/skill/diagnose.ts';
import { readDocument } from '../model/skill/document.ts';
import { fieldText, typingOf } from '../model/skill/fields.ts';
import { fixAll } from '../model/skill/fix.ts';
import { decodeText } from '../model/skill/source-text.ts';
import type { SkillInput } from '../model/skill/types.ts';
import { checkFolder } from '../model/workspace/check-folder.ts';
import { createNodeTree } from '../platform/fs/node-tree.ts';
import type { CheckOptions, CheckSkillOptions, FixedSkill, FixOptions, FolderReport, SkillReport } from './types.ts';

const reportOf = (skill: CheckedSkill): SkillReport => ({
  path: skill.path,
  name: skill.name,
  valid: skill.valid,
  problems: problemsOf(skill, '').map(publicProblem),
});

const checked = (input: SkillInput, { profile = 'standard' }: CheckOptions): CheckedSkill => {
  const document = readDocument(input);
  const diagnostics = diagnose(document, profile);
  const name = fieldText(document, 'name', typingOf(profile));
  return { path: '', real: '', name, input, document, diagnostics, valid: isValid(diagnostics), clients: [] };
};

const inputOf = (content: string, { folder }: CheckSkillOptions): SkillInput => ({
  content,
  fileName: 'SKILL.md',
  ...(folder !== undefined && { folder }),
});

export const skillReport = (text: string, options: CheckSkillOptions): SkillReport =>
  reportOf(checked(inputOf(text, options), options));

export const fixedText = (text: string, options: FixOptions): FixedSkill => {
  const { profile = 'standard', unsafe = false } = options;
  // A text has no folder that could be renamed.
  const result = fixAll(inputOf(text, options), profile, { unsafe, canRenameFolder: () => false });
  const { problems } = reportOf(checked(result.input, options));
  return { text: decodeText(result.input.content).text, applied: result.applied, problems };
};

export const folderReport = async (folder: string, { profile = 'standard' }: CheckOptions): Promise<FolderReport> => {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  const { skills, skipped } = await checkFolder(createNodeTree(folder), '', profile, { withEngine });
  return {
    valid: skills.length > 0 && skills.every(({ valid }) => valid),
    skills: skills.map(reportOf),
    skipped: skipped.map(({ path, reason }) => ({ path, reason })),
  };
};
