/** The texts that are being edited, with what the editor found in them. */
import { isSameJudgement, type JudgedText } from '../../model/workspace/unsaved-problems.ts';
import type { Diagnostic } from '../../model/skill/types.ts';
import { isDirty } from '../files-documents.ts';
import type { FilesStore } from '../files-types.ts';

export interface UnsavedProblems {
  /** The editor has judged the text of a file as it is now. */
  readonly heard: (path: string, diagnostics: readonly Diagnostic[]) => void;
  /** The folder was read again: what is saved counts as read. */
  readonly settle: () => void;
  /** By path inside the folder. */
  readonly judged: () => ReadonlyMap<string, JudgedText>;
}

export const createUnsavedProblems = (
  files: Pick<FilesStore, 'getState' | 'subscribe'>,
  onChange: () => void,
): UnsavedProblems => {
  const judged = new Map<string, JudgedText>();
  const documentAt = (path: string) => files.getState().documents.get(path);

  const forget = (path: string): void => {
    if (judged.delete(path)) onChange();
  };
  files.subscribe(({ documents }) => {
    for (const path of judged.keys()) if (!documents.has(path)) forget(path);
  });

  return {
    judged: () => judged,
    heard: (path, diagnostics) => {
      const document = documentAt(path);
      if (document?.kind !== 'text' || !isDirty(document)) return forget(path);
      const before = judged.get(path);
      judged.set(path, { text: document.text, diagnostics });
      if (!before || !isSameJudgement(before.diagnostics, diagnostics)) onChange();
      return undefined;
    },
    settle: () => {
      for (const path of judged.keys()) {
        const document = documentAt(path);
        if (!document || !isDirty(document)) judged.delete(path);
      }
    },
  };
};
