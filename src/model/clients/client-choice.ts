import { err, ok, type Result } from '../../base/result.ts';
import { CLIENT_IDS, type ClientId } from './types.ts';

/** A client, and the version whose rules are asked for; absent: the newest that was measured. */
export interface ClientChoice {
  readonly id: ClientId;
  readonly version?: string;
}

/** Names of the programs, where they differ from the id. */
const OTHER_NAMES: ReadonlyMap<string, ClientId> = new Map([
  ['claude', 'claude-code'],
  ['gemini-cli', 'gemini'],
  ['copilot-cli', 'copilot'],
  ['github-copilot', 'copilot'],
]);

/** `claude-code`, or `claude-code@2.1.197`. */
export const readClientChoice = (text: string): Result<ClientChoice, string> => {
  const at = text.indexOf('@');
  const name = at === -1 ? text : text.slice(0, at);
  const id = CLIENT_IDS.find((one) => one === name) ?? OTHER_NAMES.get(name);
  if (!id) return err(`is one of ${CLIENT_IDS.join(', ')}; “${name}” is not`);
  if (at === -1) return ok({ id });
  const version = text.slice(at + 1);
  return /^\d+(?:\.\d+)*$/.test(version) ? ok({ id, version }) : err(`“${version}” isn’t a version, such as 2.1.197`);
};
