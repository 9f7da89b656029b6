/** What the editor finds in texts that are not saved takes the place of what was found on disk, wherever problems are shown. */
import { joinPath } from '../base/paths.ts';
import type { Diagnostic } from '../model/skill/types.ts';
import { isDirty } from '../stores/files-documents.ts';
import type { FilesStore } from '../stores/files-types.ts';
import { isInFolder, type WorkspaceSkill } from '../stores/workspace-store.ts';

export interface LiveProblems {
  /** The editor has judged the text of a file as it is now. */
  readonly heard: (path: string, diagnostics: readonly Diagnostic[]) => void;
  /** The folder was read anew: what is saved counts as read. */
  readonly settle: () => void;
  readonly amend: (skill: WorkspaceSkill) => WorkspaceSkill;
}

/** Found by looking at several skills: the editor, which sees one file, knows nothing of these. */
const ACROSS: ReadonlySet<string> = new Set(['duplicate-name', 'duplicate-description']);

const isSame = (a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean =>
  a.length === b.length &&
  a.every(({ rule, message, range }, at) => {
    const other = b[at];
    return other?.rule === rule && other.message === message && other.range.start === range.start;
  });

const once = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(
    diagnostics.map((one) => [[one.file, one.rule, one.range.start, one.message].join('\n'), one] as const),
  ).values(),
];

export const createLiveProblems = (
  files: Pick<FilesStore, 'getState' | 'subscribe'>,
  onChange: () => void,
): LiveProblems => {
  const live = new Map<string, { readonly text: string; readonly diagnostics: readonly Diagnostic[] }>();
  const documentAt = (path: string) => files.getState().documents.get(path);

  const forget = (path: string): void => {
    if (live.delete(path)) onChange();
  };
  files.subscribe(({ documents }) => {
    for (const path of live.keys()) if (!documents.has(path)) forget(path);
  });

  return {
    heard: (path, diagnostics) => {
      const document = documentAt(path);
      if (document?.kind !== 'text' || !isDirty(document)) return forget(path);
      const before = live.get(path);
      live.set(path, { text: document.text, diagnostics });
      if (!before || !isSame(before.diagnostics, diagnostics)) onChange();
      return undefined;
    },
    settle: () => {
      for (const path of live.keys()) {
        const document = documentAt(path);
        if (!document || !isDirty(document)) live.delete(path);
      }
    },
    amend: (skill) => {
      if (!isInFolder(skill)) return skill;
      const main = live.get(joinPath(skill.path, 'SKILL.md'));
      const file = skill.program?.file ?? 'SKILL.star';
      const program = live.get(joinPath(skill.path, file));
      if (!main && !program) return skill;
      const isKept = (diagnostic: Diagnostic): boolean =>
        diagnostic.file === file ? !program : !main || ACROSS.has(diagnostic.rule);
      return {
        ...skill,
        ...(main && { text: main.text }),
        ...(program && { program: { file, text: program.text } }),
        diagnostics: once([
          ...(main?.diagnostics ?? []),
          ...skill.diagnostics.filter(isKept),
          ...(program?.diagnostics ?? []),
        ]),
      };
    },
  };
};
