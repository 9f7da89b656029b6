/** The executors of a folder as they are at this moment: verified, with their age by the dates in the audit. */
import { parseJson } from '../../base/json.ts';
import { joinPath } from '../../base/paths.ts';
import { valueOr } from '../../base/result.ts';
import { ageOf, type AgeFacts } from '../../model/executor/ageing.ts';
import { readAudit, type AuditEntry } from '../../model/executor/audit.ts';
import { AUDIT_FOLDER } from '../../model/executor/folders.ts';
import { loadExecutors, type LoadDeps, type LoadedExecutor } from '../../model/executor/load-executors.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { z } from '../../model/zod.ts';

export interface InstalledExecutor {
  readonly executor: LoadedExecutor;
  /** Nothing for one that is disabled. */
  readonly age: AgeFacts | undefined;
}

export interface Installed {
  readonly installed: readonly InstalledExecutor[];
  /** Newest first. */
  readonly audit: readonly AuditEntry[];
  /** Lines of the audit that are not entries. */
  readonly unreadable: number;
}

const REVIVED = '.lathe/executors/revived.json';
const revivedSchema = z.record(z.string(), z.number());
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const readText = async (tree: FileTree, path: string): Promise<string> => {
  const bytes = await tree.read(path);
  return bytes ? decoder.decode(bytes) : '';
};

/** When a person brought an executor back, in seconds since 1970. A file that somebody broke restores nothing. */
const readRevived = async (tree: FileTree): Promise<Readonly<Record<string, number>>> => {
  const text = await readText(tree, REVIVED);
  if (text === '') return {};
  const parsed = revivedSchema.safeParse(valueOr(parseJson(text), undefined));
  return parsed.success ? parsed.data : {};
};

export const revive = async (tree: FileTree, name: string, now: number): Promise<void> => {
  const revived = { ...(await readRevived(tree)), [name]: Math.floor(now / 1000) };
  await tree.write(REVIVED, encoder.encode(`${JSON.stringify(revived, undefined, 2)}\n`));
};

const readAllAudit = async (tree: FileTree): Promise<Pick<Installed, 'audit' | 'unreadable'>> => {
  const files = ((await tree.list(AUDIT_FOLDER)) ?? []).filter(
    ({ kind, name }) => kind === 'file' && name.endsWith('.jsonl'),
  );
  const read = await Promise.all(
    files.map(async ({ name }) => readAudit(await readText(tree, joinPath(AUDIT_FOLDER, name)))),
  );
  return {
    audit: read.flatMap(({ entries }) => entries).toSorted((a, b) => b.ts - a.ts),
    unreadable: read.reduce((sum, { unreadable }) => sum + unreadable, 0),
  };
};

/** `now` in milliseconds since 1970. */
export const readInstalled = async (deps: LoadDeps, now: number): Promise<Installed> => {
  const executors = await loadExecutors(deps);
  const [{ audit, unreadable }, revived] = [await readAllAudit(deps.tree), await readRevived(deps.tree)];
  const installed = executors.map((executor): InstalledExecutor => {
    if (executor.state === 'disabled') return { executor, age: undefined };
    const importedAt = Date.parse(executor.manifest.provenance.imported_at) / 1000;
    const revivedAt = revived[executor.name];
    const age = ageOf({
      name: executor.name,
      importedAt,
      entries: audit,
      now: now / 1000,
      ...(revivedAt !== undefined && { revivedAt }),
    });
    return { executor, age };
  });
  return { installed, audit, unreadable };
};
