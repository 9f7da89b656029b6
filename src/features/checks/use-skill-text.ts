import { useDeferredValue, useMemo, useSyncExternalStore } from 'react';
import { type EditedLibrary, editLibrary } from '../../model/preview/edited.ts';
import type { Editor } from '../editor/editor.ts';
import { isSkillFile } from '../editor/needs.ts';

export interface SkillText {
  readonly edited: EditedLibrary | undefined;
  /** As it is saved; nothing where there is no file yet. */
  readonly before: EditedLibrary | undefined;
  /** The text is as it is on disk. */
  readonly isSame: boolean;
}

/** The SKILL.md in front as it is typed, in the library around it. Nothing where another file is in front, or until both are read. */
export const useSkillText = (editor: Editor): SkillText | undefined => {
  const { needs } = editor;
  const active = useSyncExternalStore(needs.subscribe, () => needs.getState().active);
  const documents = useSyncExternalStore(needs.subscribe, () => needs.getState().documents);
  const view = useSyncExternalStore(editor.subscribe, editor.getView);
  const document = documents.find(({ path }) => path === active);
  const open = document?.kind === 'text' && isSkillFile(document.path) ? document : undefined;
  // What was typed last is weighed once the hands rest.
  const text = useDeferredValue(open && (view.checked.get(open.path)?.text ?? open.text));
  const context = open && needs.previewContext(open.path);
  const edited = useMemo(
    () => (context && text !== undefined ? editLibrary(context, text) : undefined),
    [context, text],
  );
  const saved = open?.saved;
  const before = useMemo(
    () => (context && saved !== undefined ? editLibrary(context, saved) : undefined),
    [context, saved],
  );
  const isRead = text !== undefined && (context !== undefined || needs.isReading?.() !== true);
  return open && isRead ? { edited, before, isSame: text === saved } : undefined;
};

/** No file has been in front yet, or the SKILL.md in front and its folder are still being read. */
export const useIsOpening = ({ needs }: Editor, text: SkillText | undefined): boolean => {
  const isFirst = useSyncExternalStore(needs.subscribe, () => needs.getState().documents.length === 0);
  const isComing = useSyncExternalStore(needs.subscribe, () => {
    const { documents, active } = needs.getState();
    const front = documents.find(({ path }) => path === active);
    return front !== undefined && isSkillFile(front.path) && (front.kind === 'text' || front.kind === 'loading');
  });
  return text === undefined && (isFirst || isComing);
};
