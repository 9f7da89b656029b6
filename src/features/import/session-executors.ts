/** The executors that a session starts with: verified now, without those that stepped back, and the tools for their credentials. */
import type { Log } from '../../base/log.ts';
import { identityWords } from '../../model/importer/identity.ts';
import { credentialOwner } from '../../model/executor/credential-owner.ts';
import { executorIdentity } from '../../model/executor/installed-skills.ts';
import { credentialTools, type CredentialToolsDeps } from '../../model/executor/credential-tools.ts';
import { executorTools, type ExecutorToolsDeps } from '../../model/executor/executor-tools.ts';
import type { ReadyExecutor } from '../../model/executor/load-executors.ts';
import type { InputField } from '../../model/executor/types.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import type { TrustedKey, VerifySignature } from '../../model/signing/types.ts';
import type { Tool } from '../../model/tool/types.ts';
import { createAuditWriter } from './audit-writer.ts';
import { readInstalled } from './installed.ts';

export interface SessionExecutorsDeps extends Omit<ExecutorToolsDeps, 'audit' | 'folder'> {
  readonly trusted: () => Promise<readonly TrustedKey[]>;
  readonly verify: VerifySignature;
  readonly log: Log;
  readonly onAudit: () => void;
  readonly onProblem: (message: string) => void;
}

const KINDS: ReadonlySet<string> = new Set(['api_key', 'token', 'file', 'text']);
const kindOf = (kind: string | undefined): InputField['kind'] =>
  kind !== undefined && KINDS.has(kind) ? (kind as InputField['kind']) : 'text';

/** Several executors of a skill need the same binding; it is listed once. */
const neededBy = (executors: readonly ReadyExecutor[]): CredentialToolsDeps['needed'] => {
  const needed = new Map<string, CredentialToolsDeps['needed'][number]>();
  for (const executor of executors)
    for (const { binding, fields, kinds, prompts } of executor.manifest.required_credentials ?? [])
      if (!needed.has(binding))
        needed.set(binding, {
          binding,
          skill: identityWords(executorIdentity(executor)),
          owner: credentialOwner(executor),
          fields: fields.map((name, index) => ({ name, prompt: prompts[index] ?? name, kind: kindOf(kinds[index]) })),
        });
  return [...needed.values()];
};

/** Nothing without executors: a folder that has none has no tools for credentials either. */
export const sessionExecutors = async (tree: FileTree, deps: SessionExecutorsDeps): Promise<readonly Tool[]> => {
  const { installed } = await readInstalled({ tree, trusted: await deps.trusted(), verify: deps.verify }, deps.now());
  const ready: ReadyExecutor[] = [];
  for (const { executor, age } of installed) {
    if (executor.state === 'disabled')
      deps.log({
        level: 'warning',
        code: 'executor.disabled',
        text: `${executor.name} of ${executor.skill} is disabled: ${executor.reason}`,
      });
    else if (age && age.state !== 'active')
      deps.log({
        level: 'info',
        code: 'executor.aged',
        text: `${executor.name} of ${executor.skill} is ${age.state}: ${age.reason}. You can restore it in Import.`,
      });
    else ready.push(executor);
  }
  if (ready.length === 0) return [];
  const audit = createAuditWriter({ tree, onWritten: deps.onAudit, onProblem: deps.onProblem });
  const { credentials, askInputs, now } = deps;
  return [
    ...executorTools(ready, { ...deps, audit, folder: tree }),
    ...credentialTools({ credentials, now, needed: neededBy(ready), ...(askInputs && { askInputs }) }),
  ];
};
