import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { errorLine } from '../../base/errors.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type ClientChoice, readClientChoice } from '../../model/clients/client-choice.ts';
import { listingIn } from '../../model/clients/registry.ts';
import { planTrims } from '../../model/clients/trim.ts';
import { verdictOf } from '../../model/clients/verdict.ts';
import { readClientSettings, readUsage } from '../../model/clients/settings.ts';
import { CLIENT_IDS, type ClientTrees, type Listing, type Usage } from '../../model/clients/types.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { listOf, parseArguments, textOf, wrongUse, type Values } from '../arguments.ts';
import { isFolder } from '../folder-options.ts';
import { createPaint, wantsColour } from '../output/terminal-text.ts';
import { agentsReport } from '../output/agents-report.ts';
import { findConfig } from '../config-file.ts';
import { findProject, openedFolder } from '../project-folder.ts';
import { jsonDocument } from '../output/json-document.ts';

const OPTIONS = {
  client: { type: 'string', multiple: true },
  model: { type: 'string' },
  window: { type: 'string' },
  user: { type: 'string' },
  'no-user': { type: 'boolean' },
  cwd: { type: 'string' },
  plugin: { type: 'string', multiple: true },
  settings: { type: 'string' },
  env: { type: 'string', multiple: true },
  usage: { type: 'string' },
  trim: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;

const readClients = (given: readonly string[]): Result<readonly ClientChoice[], string> => {
  const asked: ClientChoice[] = [];
  for (const text of given.length === 0 ? CLIENT_IDS : given) {
    const choice = readClientChoice(text);
    if (!choice.ok) return err(`invalid --client '${text}'; expected ${CLIENT_IDS.join(', ')}`);
    asked.push(choice.value);
  }
  return ok(asked);
};

const readFileOption = (values: Values, name: string): Result<string | undefined, string> => {
  const file = textOf(values, name);
  if (file === undefined) return ok(undefined);
  try {
    return ok(readFileSync(file, 'utf8'));
  } catch (thrown) {
    return err(errorLine(thrown));
  }
};

const readSettings = (text: string | undefined): Result<Readonly<Record<string, unknown>> | undefined, string> => {
  if (text === undefined) return ok(undefined);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? ok(value as Readonly<Record<string, unknown>>)
      : err('invalid --settings; expected a JSON file with an object');
  } catch (thrown) {
    return err(`--settings isn't valid JSON: ${errorLine(thrown)}`);
  }
};

const readEnvironment = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
    }),
  );

/** `NAME=N`, or a folder in place of the name: what if the description of this skill had N characters less. */
const readTrims = (given: readonly string[]): Result<ReadonlyMap<string, number>, string> => {
  const trims = new Map<string, number>();
  for (const text of given) {
    const at = text.lastIndexOf('=');
    const by = Number(text.slice(at + 1));
    if (at < 1 || !Number.isSafeInteger(by) || by < 1) return err(`invalid --trim '${text}'; expected NAME=N`);
    trims.set(text.slice(0, at), by);
  }
  return ok(trims);
};

const openTrees = (folder: string, values: Values): Result<ClientTrees, string> => {
  if (!isFolder(folder)) return err(`folder not found: ${folder}`);
  const opened = openedFolder(folder, textOf(values, 'cwd'));
  if (typeof opened === 'string') return err(opened);
  const home = values['no-user'] === true ? undefined : (textOf(values, 'user') ?? homedir());
  if (home !== undefined && textOf(values, 'user') !== undefined && !isFolder(home))
    return err(`folder not found: ${home}`);
  const plugins = listOf(values, 'plugin').map((path) => resolve(path));
  const missing = plugins.find((path) => !isFolder(path));
  if (missing !== undefined) return err(`folder not found: ${missing}`);
  // A home folder that is the project itself would be found twice.
  const hasHome = home !== undefined && resolve(home) !== opened.top && isFolder(home);
  return ok({
    project: createNodeTree(opened.top),
    workingFolder: opened.workingFolder,
    projectPath: opened.top,
    ...(hasHome && { user: createNodeTree(home), userPath: resolve(home) }),
    plugins: plugins.map((path) => ({ name: pluginName(path), tree: createNodeTree(path) })),
  });
};

const pluginName = (path: string): string => {
  try {
    const manifest: unknown = JSON.parse(readFileSync(`${path}/.claude-plugin/plugin.json`, 'utf8'));
    if (typeof manifest === 'object' && manifest !== null && 'name' in manifest && typeof manifest.name === 'string')
      return manifest.name;
  } catch {
    // Without a manifest the folder names the plugin.
  }
  return basename(path);
};

/** What a script reads: the wording of names stays. */
const forScripts = (listing: Listing) => ({
  client: listing.client,
  label: listing.label,
  version: listing.version ?? null,
  model: listing.model ?? null,
  text: listing.text,
  exact: listing.exact,
  entries: listing.entries,
  unread: listing.unread,
  // Without a budget its limit is null; where nobody knows whether there is one, all of it is.
  budget: listing.budget
    ? { ...listing.budget, limit: listing.budget.limit ?? null, perEntry: listing.budget.perEntry ?? null }
    : null,
  verdict: verdictOf(listing),
  trim: planTrims(listing),
  notes: listing.notes,
});

export const agents = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, OPTIONS);
  if (!parsed.ok) return wrongUse('agents', parsed.error);
  const { values, positionals } = parsed.value;
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return wrongUse('agents', 'expected one folder', 'agents DIR');
  const given = listOf(values, 'client').flatMap((text) => text.split(','));
  const config = given.length === 0 ? findConfig(folder, findProject(folder).top) : ok(undefined);
  if (!config.ok) return wrongUse('agents', config.error);
  const asked = config.value?.file.clients ? ok(config.value.file.clients) : readClients(given);
  if (!asked.ok) return wrongUse('agents', asked.error);
  const window = textOf(values, 'window');
  if (window !== undefined && !(Number.isSafeInteger(Number(window)) && Number(window) > 0))
    return wrongUse('agents', 'invalid --window; expected a number of tokens');
  const trees = openTrees(folder, values);
  if (!trees.ok) return wrongUse('agents', trees.error);
  const settingsText = readFileOption(values, 'settings');
  if (!settingsText.ok) return wrongUse('agents', settingsText.error);
  const extra = readSettings(settingsText.value);
  if (!extra.ok) return wrongUse('agents', extra.error);
  const usageText = readFileOption(values, 'usage');
  if (!usageText.ok) return wrongUse('agents', usageText.error);
  const usage: Usage | undefined = usageText.value === undefined ? undefined : readUsage(usageText.value);
  if (usageText.value !== undefined && !usage) return wrongUse('agents', '--usage has no `skillUsage`');

  const trims = readTrims(listOf(values, 'trim'));
  if (!trims.ok) return wrongUse('agents', trims.error);

  const model = textOf(values, 'model');
  const listings: Listing[] = [];
  for (const { id, version } of asked.value) {
    const settings = await readClientSettings(id, trees.value);
    const listing = await listingIn(id, trees.value, {
      ...(version !== undefined && { version }),
      ...(model !== undefined && { model }),
      ...(window !== undefined && { contextWindow: Number(window) }),
      settings: { ...settings.values, ...extra.value },
      environment: readEnvironment(listOf(values, 'env')),
      ...(usage && { usage, now: Date.now() }),
      ...(trims.value.size > 0 && { trims: trims.value }),
    });
    listings.push({ ...listing, notes: [...settings.notes, ...listing.notes] });
  }
  if (values['json'] === true) process.stdout.write(jsonDocument({ clients: listings.map(forScripts) }));
  else process.stdout.write(agentsReport(listings, createPaint(wantsColour(process.stdout))));
  return 0;
};
