/** Creating, renaming, copying and deleting, with what is open following along, and taking it back. */
import { baseName, joinPath } from '../base/paths.ts';
import { err, ok } from '../base/result.ts';
import { decodeText, encodeText } from '../model/files/text-file.ts';
import { isBelow } from '../model/files/file-tree.ts';
import { notWritable, type FilesCore, type Opened } from './files-core.ts';
import { withDisk, type TextDocument } from './files-documents.ts';
import type { Answer, FilesDeps, FilesStore } from './files-types.ts';
import { applyOperation, collectFiles, describeOperation, reverseOf, type FileOperation } from './files-undo.ts';

export interface Operations extends Pick<
  FilesStore,
  'create' | 'rename' | 'duplicate' | 'remove' | 'change' | 'undo' | 'redo'
> {
  readonly forgetAll: () => void;
}

const MOST_UNDO = 50;
const pathsOf = (operation: FileOperation): readonly string[] => {
  if (operation.kind === 'rename') return [operation.from, operation.to];
  return operation.kind === 'change' ? [...operation.files.keys()] : [operation.path];
};
const isAt = (path: string, other: string): boolean => other === path || isBelow(path, other);

export const createOperations = (core: FilesCore, { origins }: FilesDeps): Operations => {
  const { store, enqueue, put, keepDraft } = core;
  let undoStack: readonly FileOperation[] = [];
  let redoStack: readonly FileOperation[] = [];
  const setStacks = (undo: readonly FileOperation[], redo: readonly FileOperation[]): void => {
    [undoStack, redoStack] = [undo, redo];
    const [nextUndo, nextRedo] = [undo.at(-1), redo.at(-1)];
    store.setState({
      undoLabel: nextUndo && describeOperation(nextUndo),
      redoLabel: nextRedo && describeOperation(nextRedo),
    });
  };

  const openAt = (path: string): TextDocument[] =>
    [...store.getState().documents.values()].filter(
      (document): document is TextDocument => document.kind === 'text' && isAt(path, document.path),
    );

  /** What is not saved stays unsaved, and says the new name too. */
  const renameInText = ({ from, to, follow }: Extract<FileOperation, { kind: 'rename' }>): void => {
    const document = follow && core.textAt(joinPath(to, follow.file));
    if (!document) return;
    const rewrite = (text: string): string => follow.rewrite(text, baseName(from), baseName(to));
    const { text, saved, conflict } = document;
    put({
      ...document,
      text: rewrite(text),
      saved: saved === undefined ? undefined : rewrite(saved),
      conflict: conflict && { disk: rewrite(conflict.disk), base: rewrite(conflict.base) },
      revision: document.revision + 1,
    });
    keepDraft(document.path);
  };

  /** What is open follows what was written; what was typed into it meanwhile is in conflict with it. */
  const showChanged = async (
    folder: Opened,
    files: Extract<FileOperation, { kind: 'change' }>['files'],
  ): Promise<void> => {
    for (const [path, { after }] of files) {
      const document = core.textAt(path);
      if (!document) continue;
      await folder.changes.remember(path);
      put(withDisk(document, decodeText(after)));
      keepDraft(path);
    }
  };

  const moveDocuments = async (folder: Opened, from: string, to: string): Promise<void> => {
    const newPath = (path: string): string => (isAt(from, path) ? to + path.slice(from.length) : path);
    const moved = [...store.getState().documents.keys()].filter((path) => isAt(from, path));
    for (const path of moved) {
      folder.changes.forget(path);
      core.dropDraft(path);
    }
    core.setDocuments((documents) => {
      const all = [...documents.values()];
      documents.clear();
      for (const document of all) documents.set(newPath(document.path), { ...document, path: newPath(document.path) });
    });
    for (const path of moved) core.moves.emit({ kind: 'moved', from: path, to: newPath(path) });
    for (const path of moved) {
      await folder.changes.remember(newPath(path));
      keepDraft(newPath(path));
    }
  };

  const closeDocuments = (folder: Opened, path: string): void => {
    const closed = [...store.getState().documents.keys()].filter((other) => isAt(path, other));
    for (const each of closed) {
      folder.changes.forget(each);
      core.dropDraft(each);
    }
    core.setDocuments((documents) => closed.forEach((each) => documents.delete(each)));
    for (const each of closed) core.moves.emit({ kind: 'closed', path: each });
  };

  const reopen = async (folder: Opened, documents: readonly TextDocument[]): Promise<void> => {
    for (const document of documents) {
      put({ ...document, isSaving: false, revision: document.revision + 1 });
      core.moves.emit({ kind: 'reopened', path: document.path });
      await folder.changes.remember(document.path);
      keepDraft(document.path);
    }
  };

  /** Does it, and gives what has to be remembered to take it back. */
  const perform = async (folder: Opened, operation: FileOperation): Answer<FileOperation> => {
    const readOnly = notWritable(folder);
    if (readOnly) return readOnly;
    let done = operation;
    if (operation.kind === 'remove') {
      const files = await collectFiles(folder.tree, operation.path);
      if (!files.ok) return files;
      done = { ...operation, files: files.value, documents: openAt(operation.path) };
    }
    await applyOperation(folder.tree, done);
    if (done.kind === 'rename') {
      await moveDocuments(folder, done.from, done.to);
      renameInText(done);
      await origins?.move(folder.id, done.from, done.to);
    } else if (done.kind === 'remove') closeDocuments(folder, done.path);
    else if (done.kind === 'change') await showChanged(folder, done.files);
    else await reopen(folder, done.documents);
    for (const path of pathsOf(done)) {
      core.refreshAbove(path);
      core.changed.emit(path);
    }
    return ok(done);
  };

  const run = (operation: FileOperation, afterwards?: (folder: Opened) => Promise<void>): Answer =>
    enqueue(async (folder) => {
      const done = await perform(folder, operation);
      if (!done.ok) return done;
      await afterwards?.(folder);
      setStacks([...undoStack, done.value].slice(-MOST_UNDO), []);
      return ok(undefined);
    });

  return {
    create: (path, files) => {
      const contents = [...files].map(
        ([inside, content]) => [inside, typeof content === 'string' ? encodeText(content) : content] as const,
      );
      return run(
        { kind: 'create', path, files: new Map(contents), documents: [] },
        // What is new here has nothing to do with what was here once.
        async ({ id }) => origins?.forget(id, path),
      );
    },
    rename: (from, to, follow) => run({ kind: 'rename', from, to, ...(follow && { follow }) }),
    duplicate: async (from, to, follow) => {
      const files = await enqueue((folder) => collectFiles(folder.tree, from));
      if (!files.ok) return files;
      if (files.value.size === 0) return err({ code: 'missing', message: `there is no ${from}` });
      const content = new Map(files.value);
      const named = follow && content.get(follow.file);
      const text = named && decodeText(named);
      if (follow && text !== undefined)
        content.set(follow.file, encodeText(follow.rewrite(text, baseName(from), baseName(to))));
      return run({ kind: 'create', path: to, files: content, documents: [] }, async ({ id }) => {
        await origins?.forget(id, to);
        await origins?.copy(id, from, to);
      });
    },
    change: (title, texts) => {
      const changed = new Map<string, { readonly before: Uint8Array; readonly after: Uint8Array }>();
      for (const [path, { before, after }] of texts)
        changed.set(path, { before: encodeText(before), after: encodeText(after) });
      return run({ kind: 'change', title, files: changed });
    },
    remove: (path) => run({ kind: 'remove', path, files: new Map(), documents: [] }),
    undo: () =>
      enqueue(async (folder) => {
        const operation = undoStack.at(-1);
        if (!operation) return err({ code: 'missing', message: 'Nothing to undo.' });
        const done = await perform(folder, reverseOf(operation));
        if (!done.ok) return done;
        // With the bytes as they were just now, so that nothing is lost by doing it again.
        setStacks(undoStack.slice(0, -1), [...redoStack, reverseOf(done.value)]);
        return ok(undefined);
      }),
    redo: () =>
      enqueue(async (folder) => {
        const operation = redoStack.at(-1);
        if (!operation) return err({ code: 'missing', message: 'Nothing to redo.' });
        const done = await perform(folder, operation);
        if (!done.ok) return done;
        setStacks([...undoStack, done.value], redoStack.slice(0, -1));
        return ok(undefined);
      }),
    forgetAll: () => setStacks([], []),
  };
};
