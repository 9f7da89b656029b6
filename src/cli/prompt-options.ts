/** Options for what the page asks about the prompt of a new session: whose listing it shows, and which tools it gets (D42). */
import { err, ok, type Result } from '../base/result.ts';
import { readClientChoice } from '../model/clients/client-choice.ts';
import { CLIENT_IDS } from '../model/clients/types.ts';
import { OPTIONAL_TOOLS } from '../model/tool/definitions.ts';
import type { NewSession } from '../model/workspace/session-plan.ts';
import { listOf, textOf, type Values } from './arguments.ts';

export const PROMPT_OPTIONS = {
  listing: { type: 'string' },
  'without-tool': { type: 'string', multiple: true },
} as const;

type PromptChoice = Pick<NewSession, 'listing' | 'listingVersion' | 'withoutTools'>;

export const readPromptOptions = (values: Values): Result<PromptChoice, string> => {
  const withoutTools = listOf(values, 'without-tool');
  const unknown = withoutTools.find((name) => !OPTIONAL_TOOLS.includes(name));
  if (unknown !== undefined) return err(`invalid --without-tool '${unknown}'; expected ${OPTIONAL_TOOLS.join(', ')}`);
  const listing = textOf(values, 'listing');
  if (listing === undefined) return ok({ withoutTools });
  const choice = readClientChoice(listing);
  if (!choice.ok) return err(`invalid --listing '${listing}'; expected ${CLIENT_IDS.join(', ')}`);
  const { id, version } = choice.value;
  return ok({ withoutTools, listing: id, ...(version !== undefined && { listingVersion: version }) });
};
