/** Between the disk and what is open: loading, saving, noticing what changed outside, settling conflicts. */
import { err, ok, type Result } from '../base/result.ts';
import { decodeText, encodeText, readContent, readLimit, tooLarge } from '../model/files/text-file.ts';
import {
  isDirty,
  offerMerge,
  textDocument,
  withDisk,
  withDraft,
  type FileDocument,
  type FileProblem,
} from './files-documents.ts';
import { notWritable, problemOf, type FilesCore, type Opened } from './files-core.ts';
import type { Answer, FilesDeps, FilesStore } from './files-types.ts';

export interface Saving {
  readonly load: (folder: Opened, path: string) => Answer<FileDocument>;
  readonly save: (folder: Opened, path: string) => Answer;
  readonly reload: (folder: Opened, path: string) => Answer;
  /** The open files that were found changed. */
  readonly check: (folder: Opened) => Answer<readonly string[]>;
  readonly resolve: (
    folder: Opened,
    path: string,
    choice: Parameters<FilesStore['resolve']>[1],
  ) => Answer<{ readonly conflicts: number }>;
}

const conflictOf = (path: string): FileProblem => ({
  code: 'conflict',
  message: `${path} changed on disk. Merge, keep your version, or use the disk version.`,
});
const goneOf = (path: string): FileProblem => ({
  code: 'gone',
  message: `${path} was deleted or moved by another program. Save to recreate it, or close it.`,
});

export const createSaving = (core: FilesCore, { drafts }: FilesDeps): Saving => {
  const { textAt, put, patch, keepDraft } = core;

  /** The text on disk; nothing if there is no file. */
  const readDisk = async ({ tree, changes }: Opened, path: string): Answer<string | undefined> => {
    await changes.remember(path);
    const bytes = await tree.read(path);
    const text = bytes && decodeText(bytes);
    if (bytes && text === undefined) {
      return err({
        code: 'failed',
        message: `${path} on disk is no longer text. Copy your text, then close it.`,
      });
    }
    return ok(text);
  };

  /** The document follows the text that is on disk now, or is in conflict with it. */
  const follow = async (folder: Opened, path: string): Promise<void> => {
    const disk = await readDisk(folder, path);
    const document = textAt(path);
    if (!document) return;
    // What could not be read before can be now.
    if (disk.ok && document.problem?.code === 'failed') patch(path, { problem: undefined });
    if (!disk.ok) patch(path, { problem: disk.error });
    else if (!document.conflict || document.conflict.disk !== disk.value)
      put(withDisk(textAt(path) ?? document, disk.value));
    keepDraft(path);
  };

  const save: Saving['save'] = async (folder, path) => {
    const document = textAt(path);
    if (!document || !isDirty(document)) return ok(undefined);
    const refuse = (problem: FileProblem): Result<never, FileProblem> => {
      patch(path, { problem });
      return err(problem);
    };
    if (document.conflict) return refuse(conflictOf(path));
    const readOnly = notWritable(folder);
    if (readOnly && !readOnly.ok) return refuse(readOnly.error);
    patch(path, { isSaving: true, problem: undefined });
    try {
      const disk = await readDisk(folder, path);
      if (!disk.ok) return refuse(disk.error);
      if (disk.value !== document.saved && disk.value !== document.text) {
        put(withDisk(textAt(path) ?? document, disk.value));
        keepDraft(path);
        return refuse(disk.value === undefined ? goneOf(path) : conflictOf(path));
      }
      if (disk.value !== document.text) {
        await core.secureDraft(path);
        await folder.tree.write(path, encodeText(document.text));
      }
      // The person may have gone on typing.
      patch(path, { saved: document.text, isGone: false, recoveredFrom: undefined, problem: undefined });
      // Another program may have written since: what counts as known is what is read back, never only that something was written.
      await follow(folder, path);
      core.refreshAbove(path);
      core.changed.emit(path);
      return ok(undefined);
    } catch (thrown) {
      return refuse(problemOf(thrown));
    } finally {
      patch(path, { isSaving: false });
    }
  };

  return {
    save,
    load: async (folder, path) => {
      const { tree, changes, id } = folder;
      await changes.remember(path);
      const size = await tree.size(path);
      if (size !== undefined && size > readLimit(path)) return ok(tooLarge(path, size));
      const bytes = size === undefined ? undefined : await tree.read(path);
      const draft = await drafts.get(id, path);
      if (!bytes) {
        if (draft) return ok(withDraft(path, undefined, draft));
        changes.forget(path);
        return err({
          code: 'missing',
          message: `${path} no longer exists. Another program may have moved or deleted it.`,
        });
      }
      const content = readContent(path, bytes);
      if (content.kind !== 'text') return ok(content);
      return ok(draft ? withDraft(path, content.text, draft) : textDocument(path, content.text));
    },
    reload: async (folder, path) => {
      const document = textAt(path);
      if (!document) return ok(undefined);
      const disk = await readDisk(folder, path);
      if (!disk.ok) return disk;
      if (disk.value === undefined) {
        put(withDisk(document, undefined));
        return err(goneOf(path));
      }
      put({ ...textDocument(path, disk.value), revision: document.revision + 1 });
      keepDraft(path);
      return ok(undefined);
    },
    check: async (folder) => {
      const found = await folder.changes.check();
      for (const path of found) {
        if (!textAt(path)) continue;
        try {
          await follow(folder, path);
        } catch (thrown) {
          // It may be in the middle of being written: the next look sees it again.
          folder.changes.doubt(path);
          patch(path, { problem: problemOf(thrown) });
        }
      }
      return ok(found);
    },
    resolve: async (folder, path, choice) => {
      const document = textAt(path);
      if (!document?.conflict) return ok({ conflicts: 0 });
      const { disk } = document.conflict;
      const merged = offerMerge(document);
      const text = { mine: document.text, disk, merge: merged?.text ?? document.text }[choice];
      const conflicts = choice === 'merge' ? (merged?.conflicts ?? 0) : 0;
      put({ ...textDocument(path, text), saved: disk, revision: document.revision + 1 });
      keepDraft(path);
      // Markers are for the person to settle first.
      if (conflicts > 0) return ok({ conflicts });
      const saved = await save(folder, path);
      return saved.ok ? ok({ conflicts }) : saved;
    },
  };
};
