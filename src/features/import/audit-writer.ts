/**
 * Appends to the audit in the opened folder, one line after the other. A line that could not be written is reported, kept, and written with the
 * next one: an executor has run by then, and its trace must not get lost because a folder was locked for a moment.
 */
import { errorMessage } from '../../base/errors.ts';
import { auditFile, auditLine, type AuditEntry } from '../../model/executor/audit.ts';
import type { FileTree } from '../../model/files/file-tree.ts';

export interface AuditWriterDeps {
  readonly tree: FileTree;
  readonly onWritten: () => void;
  readonly onProblem: (message: string) => void;
}

const encoder = new TextEncoder();

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
};

export const createAuditWriter = ({
  tree,
  onWritten,
  onProblem,
}: AuditWriterDeps): ((entry: AuditEntry) => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  let waiting: readonly AuditEntry[] = [];

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const [entry] = waiting;
      if (!entry) return;
      const path = auditFile(entry.ts);
      const before = (await tree.read(path)) ?? new Uint8Array();
      await tree.write(path, joined(before, encoder.encode(auditLine(entry))));
      waiting = waiting.slice(1);
    }
    onWritten();
  };

  return (entry) => {
    waiting = [...waiting, entry];
    last = last.then(flush).catch((thrown: unknown) => {
      const why = errorMessage(thrown);
      onProblem(
        `Can’t write the audit: ${why} ${waiting.length === 1 ? 'Lathe will retry one line' : `Lathe will retry ${waiting.length} lines`} with the next call.`,
      );
    });
    return last;
  };
};
