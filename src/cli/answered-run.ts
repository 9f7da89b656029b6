/** Runs a metaskill whose asks a provider answers, the simulator or a real one: turns of a session over the skill's own folder. */
import type { Json } from '../base/json.ts';
import { silentLog } from '../base/log.ts';
import type { MetaskillPolicy } from '../model/library/types.ts';
import type { RunOutcome } from '../model/metaskill/host.ts';
import type { HostSkill } from '../model/metaskill/host-types.ts';
import type { ScriptedCommand } from '../model/metaskill/skill-tests.ts';
import { NEW_SESSION } from '../model/workspace/session-plan.ts';
import type { EngineHost } from '../platform/worker/engine-host.ts';
import type { ChosenConnection } from './connection-options.ts';
import { scriptedCommands, type RunArguments } from './metaskill-runner.ts';
import { openTerminal, startTerminalSession, type OpenFolder, type SessionChoice } from './session-runner.ts';

interface Surroundings {
  readonly folder: OpenFolder;
  readonly policy: MetaskillPolicy;
  readonly chosen: ChosenConnection;
}

export const runAnswered = async (
  engine: EngineHost,
  skill: HostSkill,
  { folder, policy, chosen: { provider, model, connection } }: Surroundings,
  args: RunArguments,
  commands: readonly ScriptedCommand[] | SessionChoice['sandbox'],
  options: { readonly timeoutSeconds?: number; readonly onPrint?: (text: string) => void },
): Promise<RunOutcome> => {
  const terminal = openTerminal({ engine, log: silentLog, clock: Date.now, connection });
  const { session } = await startTerminalSession(terminal, folder, {
    next: {
      ...NEW_SESSION,
      policy,
      settings: { ...NEW_SESSION.settings, provider, ...(model !== undefined && { model }) },
    },
    ...(typeof commands === 'function' ? { sandbox: commands } : { runCommand: scriptedCommands(commands) }),
    ...(options.timeoutSeconds !== undefined && { metaskillTimeoutSeconds: options.timeoutSeconds }),
    ...(options.onPrint && { onPrint: options.onPrint }),
  });
  return session.runMetaskill({ name: skill.name, ...args } as Json, (name) =>
    name === skill.name ? skill : undefined,
  );
};
