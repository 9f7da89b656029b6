import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { collectLog } from '../../base/log.ts';
import { configOf } from '../../model/library/config.ts';
import { indexText, measureIndex } from '../../model/library/index-text.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { openWorkspace } from '../../model/workspace/open-workspace.ts';
import { DIALECTS, METASKILL_POLICIES, RUNTIME_PROFILES } from '../../model/library/types.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { createRemoteSkills } from '../../platform/importer/remote-skills.ts';
import { oneOf, parseArguments, wrongUse } from '../arguments.ts';
import { visible } from '../output/terminal-text.ts';
import { openedFolder } from '../project-folder.ts';

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

export const index = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    dialect: { type: 'string' },
    profile: { type: 'string' },
    policy: { type: 'string' },
    user: { type: 'string' },
    cwd: { type: 'string' },
    window: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('index', parsed.error);
  const { values, positionals } = parsed.value;
  const dialect = oneOf('dialect', values['dialect'], DIALECTS, 'metis');
  const profile = oneOf('profile', values['profile'], RUNTIME_PROFILES, 'standard');
  const policy = oneOf('policy', values['policy'], METASKILL_POLICIES, 'local');
  if (!dialect.ok) return wrongUse('index', dialect.error);
  if (!profile.ok) return wrongUse('index', profile.error);
  if (!policy.ok) return wrongUse('index', policy.error);
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    return wrongUse('index', 'exactly one folder, please: `lathe index DIR`');
  if (!isFolder(folder)) return wrongUse('index', `there is no folder ${folder}`);
  const user = typeof values['user'] === 'string' ? values['user'] : undefined;
  if (user !== undefined && !isFolder(user)) return wrongUse('index', `there is no folder ${user}`);
  const window = Number(values['window'] ?? 200_000);
  if (!Number.isSafeInteger(window) || window < 1) return wrongUse('index', '--window is a number of tokens');

  const opened = openedFolder(folder, typeof values['cwd'] === 'string' ? values['cwd'] : undefined);
  if (typeof opened === 'string') return wrongUse('index', opened);

  const { log, lines } = collectLog();
  const { top, workingFolder } = opened;
  const tree = createNodeTree(top);
  const { urls } = await configOf(tree);
  const cache = createNodeTree(process.env['LATHE_CACHE'] ?? join(homedir(), '.cache', 'lathe', 'remote'));
  const addresses = createRemoteSkills({ get: fetch, cache, log, isTerminal: true });
  const remote: FileTree[] = [];
  for (const url of urls) {
    const { tree: found } = await addresses.fetch(url);
    if (found) remote.push(found);
  }
  const { library, instructions } = await openWorkspace(
    {
      project: { tree, workingFolder },
      remote,
      ...(user !== undefined && { user: createNodeTree(user) }),
    },
    { profile: profile.value, dialect: dialect.value, log },
  );
  const options = { dialect: dialect.value, policy: policy.value };
  const text = indexText(library.store, options);
  if (values['json'] === true) {
    const meter = measureIndex(library.store, options, window);
    const report = library.report.map(({ path, layer, root, outcome, reason, name }) => ({
      path,
      layer,
      root,
      outcome,
      reason,
      name: name ?? null,
    }));
    const files = instructions.files.map(({ path, layer, outcome }) => ({ path, layer, outcome }));
    process.stdout.write(
      `${JSON.stringify({ text, ...meter, report, instructions: files, log: lines }, undefined, 2)}\n`,
    );
  } else {
    if (text !== '') process.stdout.write(`${text}\n`);
    else process.stderr.write(`lathe index: there are no skills in ${visible(folder)}\n`);
    for (const line of lines)
      if (line.level !== 'debug') process.stderr.write(`${line.level}: ${visible(line.text)}\n`);
  }
  return 0;
};
