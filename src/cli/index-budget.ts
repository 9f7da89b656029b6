/** What agents list of a project, against the budget in its `lathe.yaml`. */
import { plural } from '../base/text.ts';
import type { ClientChoice } from '../model/clients/client-choice.ts';
import { listingIn } from '../model/clients/registry.ts';
import { readClientSettings } from '../model/clients/settings.ts';
import { createNodeTree } from '../platform/fs/node-tree.ts';
import { createNodeTokenizer } from '../platform/tokenizer/node-tokenizer.ts';
import type { FoundConfig } from './config-file.ts';
import { findProject } from './project-folder.ts';

/** Where `lathe.yaml` names none. */
const USUAL_CLIENTS: readonly ClientChoice[] = [{ id: 'claude-code' }];

/** A line for each listing that is too long. The home folder of anyone who runs this has no part in it. */
export const indexesOverBudget = async (
  configs: readonly (readonly [folder: string, config: FoundConfig])[],
): Promise<readonly string[]> => {
  const lines = new Set<string>();
  const tokenizer = createNodeTokenizer();
  for (const [folder, { file }] of configs) {
    const { indexBudget, clients = USUAL_CLIENTS } = file;
    if (indexBudget === undefined) continue;
    const { top, workingFolder } = findProject(folder);
    const trees = { project: createNodeTree(top), workingFolder, projectPath: top };
    for (const { id, version } of clients) {
      const settings = await readClientSettings(id, trees);
      const listing = await listingIn(id, trees, {
        ...(version !== undefined && { version }),
        settings: settings.values,
        environment: {},
      });
      const [tokens = 0] = await tokenizer.count([listing.text]);
      if (tokens > indexBudget)
        lines.add(`${listing.label} lists skills in ${plural(tokens, 'token')}; at most ${indexBudget} are allowed`);
    }
  }
  return [...lines];
};
