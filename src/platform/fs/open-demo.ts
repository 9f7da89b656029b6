import { codePointLength } from '../../base/text.ts';
import { checkSkills, type CheckedSkill } from '../../model/library/check-skills.ts';
import { findProgram } from '../../model/skill/metaskill-package.ts';
import { createHttpTree } from './http-tree.ts';

interface DemoSkill extends Pick<CheckedSkill, 'path' | 'valid' | 'diagnostics'> {
  readonly name: string;
  readonly isMetaskill: boolean;
  readonly tokens: number;
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The demo workspace that is served beside the page, checked with all rules. */
export const openDemo = async (
  base: URL,
  get: typeof fetch,
): Promise<{ readonly name: string; readonly skills: readonly DemoSkill[] }> => {
  const tree = await createHttpTree(base, 'demo', get);
  const { skills } = await checkSkills(tree, '', 'standard');
  return {
    name: tree.name,
    skills: skills.map(({ path, valid, diagnostics, document, input }) => ({
      path,
      valid,
      diagnostics,
      // What the folder is called is what people look for, also where the frontmatter is broken.
      name: path.slice(path.lastIndexOf('/') + 1),
      isMetaskill: findProgram(document).metaskill !== undefined,
      tokens: Math.max(1, Math.floor(codePointLength(document.body) / 4)),
      text: document.text,
      files: [...(input.files ?? [])].map(([file, { size }]) => ({ path: file, size })),
    })),
  };
};
