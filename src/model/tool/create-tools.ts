/** All tools of a session, in the order of the wire. */
import type { Log } from '../../base/log.ts';
import type { ActivationState } from '../activation/budget.ts';
import type { SkillStore } from '../library/store.ts';
import type { Dialect, MetaskillPolicy } from '../library/types.ts';
import { createCommandTool } from './command-tool.ts';
import type { CommandRunner } from './dispatcher.ts';
import { createFileTools } from './file-tools.ts';
import { createGrepTool } from './grep-tool.ts';
import { createMemoryTools } from './memory-tools.ts';
import type { PendingTree } from './pending-tree.ts';
import { createMetaskillTool, createSkillTools, type MetaskillToolDeps } from './skill-tools.ts';
import type { Tool, ToolContext } from './types.ts';

export interface ToolsDeps {
  readonly dialect: Dialect;
  readonly store: SkillStore;
  readonly policy: MetaskillPolicy;
  readonly files: PendingTree;
  readonly runCommand?: CommandRunner;
  /** The registry of the conversation that calls; it must know of a `skill.loaded` as soon as that was emitted. */
  readonly activation: (context: ToolContext) => ActivationState;
  readonly runMetaskill: MetaskillToolDeps['run'];
  readonly log: Log;
}

export const createTools = (deps: ToolsDeps): readonly Tool[] => {
  const { dialect, store, policy, files, runCommand, activation, log } = deps;
  const metaskill = createMetaskillTool({ store, policy, run: deps.runMetaskill });
  return [
    ...createFileTools(files),
    createGrepTool(files),
    createCommandTool(runCommand),
    ...createSkillTools({ dialect, store, policy, activation, log }),
    ...createMemoryTools(files),
    ...(metaskill ? [metaskill] : []),
  ];
};
