/** Commands that really run, for `--sandbox`: the sandbox of the page, with threads instead of workers. */
import type { HostDeps } from '../model/metaskill/host-types.ts';
import { definitions } from '../model/tool/definitions.ts';
import { createPendingTree, type PendingTree } from '../model/tool/pending-tree.ts';
import { createPolicy, type PolicyOptions } from '../model/tool/policy.ts';
import { createNodeTree } from '../platform/fs/node-tree.ts';
import { createNodeSandbox } from '../platform/sandbox/node-sandbox.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import { findProject } from './project-folder.ts';
import { SHIPPED } from './shipped.ts';
import { folderAlone, type OpenFolder, type SessionChoice } from './session-runner.ts';

export interface FileChange {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted';
}

/** The folder that commands work on, and what becomes of their writes. */
export interface Workshop {
  readonly folder: OpenFolder;
  /** Over the files of a session. */
  readonly inSession: NonNullable<SessionChoice['sandbox']>;
  /** Without a session, with the same refusals. */
  readonly alone: () => HostDeps['command'];
  /** Ends the threads. What was written reaches the disk only if it is asked for. */
  readonly end: (
    apply: boolean,
  ) => Promise<{ readonly changes: readonly FileChange[]; readonly lines: readonly string[] }>;
}

/** What `--allow a,b` names; without it everything in the sandbox may run. */
const policyOf = (allow: string | undefined): PolicyOptions => {
  const names = allow?.split(',').map((name) => name.trim());
  return { headless: true, ...(names ? { allowOnly: names.filter((name) => name !== '') } : { allowAll: true }) };
};

const changesOf = (files: PendingTree | undefined): readonly FileChange[] =>
  (files?.pending() ?? []).map(({ path, before, after }) => ({
    path,
    status: after === null ? 'deleted' : before === undefined ? 'added' : 'modified',
  }));

/** Commands see the whole project that the folder belongs to, and start in the folder. */
export const createWorkshop = (folder: string, allow: string | undefined): Workshop => {
  const { top, workingFolder } = findProject(folder);
  const tree = createNodeTree(top);
  const policy = policyOf(allow);
  let files: PendingTree | undefined;
  let sandbox: Sandbox | undefined;
  const open = (pending: PendingTree): Sandbox => {
    files = pending;
    sandbox = createNodeSandbox({
      files: pending,
      workingFolder,
      threads: SHIPPED.threads,
      wheels: SHIPPED.wheels,
      pyodide: SHIPPED.pyodide,
    });
    return sandbox;
  };
  return {
    folder: folderAlone(tree, workingFolder),
    inSession: (pending) => ({ run: open(pending).run, policy }),
    alone: () => {
      const { run } = open(createPendingTree(tree, { remove: tree.remove }));
      const { decide } = createPolicy(policy);
      return async (request) => {
        const { decision, why } = decide(definitions.runCommand, { argv: [...request.argv] });
        if (decision === 'allow') return run(request);
        return { kind: 'failed', message: `command '${request.argv[0] ?? ''}' is not allowed: ${why}` };
      };
    },
    end: async (apply) => {
      sandbox?.[Symbol.dispose]();
      const changes = changesOf(files);
      const said = changes.map(({ path, status }) => `${status} ${path}`);
      if (changes.length === 0) return { changes, lines: [] };
      if (!apply)
        return { changes, lines: [...said, 'Nothing was written to disk. Add --apply to write the changes.'] };
      const applied = await files?.apply();
      const fault = applied && !applied.ok ? applied.error.message : undefined;
      return { changes, lines: [...said, fault ?? 'Written to disk.'] };
    },
  };
};
