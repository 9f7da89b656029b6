import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { dirName, joinPath } from '../../base/paths.ts';
import { collectLog } from '../../base/log.ts';
import { plural } from '../../base/text.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import type { CheckedSkill } from '../../model/library/check-skills.ts';
import { CHECK_PROFILES, type Profile, type Severity } from '../../model/skill/types.ts';
import { checkFolder } from '../../model/workspace/check-folder.ts';
import { gitIgnored } from '../../model/workspace/git-ignored.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { oneOf, parseArguments, textOf, wrongUse } from '../arguments.ts';
import { readStdinOption, stdinSkill } from '../stdin-skill.ts';
import { watchFolders } from '../watch-folders.ts';
import { findProject } from '../project-folder.ts';
import { aroundOf, findConfig, type FoundConfig } from '../config-file.ts';
import { type Checked, humanText, jsonText, summarise } from '../output/check-report.ts';
import { writeFile } from '../output/write-file.ts';
import { githubProblem, sarifReport } from '../output/machine.ts';
import { problemsOf, SEVERITIES } from '../output/problem.ts';
import { shownPath } from '../shown-path.ts';
import { withEngine } from '../metaskill-runner.ts';
import { fixSkills, type FixedSkill, type LeftOut } from './fix-skills.ts';
import { jsonDocument } from '../output/json-document.ts';

const FORMATS = ['human', 'json', 'sarif', 'github'] as const;
type Format = (typeof FORMATS)[number];

/** A folder, or a file of a skill: then the skills around it are known, and its own is checked. */
interface Asked {
  readonly folder: string;
  readonly isFile: boolean;
}

interface CheckOptions {
  readonly asked: readonly Asked[];
  /** Absent: what `lathe.yaml` says, or standard. */
  readonly profile: Profile | undefined;
  readonly format: Format;
  readonly level: Severity;
  readonly fix: boolean;
  readonly unsafe: boolean;
  readonly maxWarnings: number | undefined;
  readonly outputFile: string | undefined;
  readonly watch: boolean;
  /** Whether what `.gitignore` names is left out. */
  readonly gitIgnore: boolean;
  /** A SKILL.md from standard input, as if it were this file. */
  readonly stdin: string | undefined;
}

/** A folder, a SKILL.md in any spelling, or another file beside one. */
const standsForSkill = (path: string): boolean =>
  statSync(path).isDirectory() ||
  basename(path).toLowerCase() === 'skill.md' ||
  existsSync(join(dirname(path), 'SKILL.md'));

const readOptions = (args: readonly string[]): CheckOptions | string => {
  const parsed = parseArguments(args, {
    profile: { type: 'string' },
    format: { type: 'string' },
    level: { type: 'string' },
    json: { type: 'boolean' },
    fix: { type: 'boolean' },
    unsafe: { type: 'boolean' },
    quiet: { type: 'boolean' },
    'max-warnings': { type: 'string' },
    'output-file': { type: 'string' },
    watch: { type: 'boolean' },
    'no-gitignore': { type: 'boolean' },
    stdin: { type: 'boolean' },
    'stdin-filename': { type: 'string' },
  });
  if (!parsed.ok) return parsed.error;
  const { values, positionals } = parsed.value;
  const profile = oneOf('profile', values['profile'], CHECK_PROFILES, 'standard');
  const format = oneOf('format', values['json'] === true ? 'json' : values['format'], FORMATS, 'human');
  const level = oneOf('level', values['level'], SEVERITIES, 'info');
  for (const result of [profile, format, level]) if (!result.ok) return result.error;
  if (values['json'] === true && values['format'] !== undefined && values['format'] !== 'json')
    return "--json and --format can't be used together";
  if (values['unsafe'] === true && values['fix'] !== true) return '--unsafe needs --fix';
  if (values['quiet'] === true && values['level'] !== undefined) return "--quiet and --level can't be used together";
  const most = textOf(values, 'max-warnings');
  if (most !== undefined && !/^\d{1,9}$/.test(most)) return `invalid --max-warnings '${most}'; expected a whole number`;
  const stdin = readStdinOption(values, positionals);
  if (!stdin.ok) return stdin.error;
  const isStdin = stdin.value !== undefined;
  if (positionals.length === 0 && !isStdin) return 'missing argument: DIR\nusage: lathe check DIR…';
  const missing = isStdin ? undefined : positionals.find((folder) => !existsSync(folder));
  if (missing !== undefined) return `folder not found: ${missing}`;
  const other = isStdin ? undefined : positionals.find((path) => !standsForSkill(path));
  if (other !== undefined) return `${other} isn't a folder or a file of a skill`;
  return {
    // The file of a skill stands for its folder.
    asked: (isStdin ? [] : positionals).map((path) => {
      const isFile = !statSync(path).isDirectory();
      return { folder: isFile ? dirname(path) : path, isFile };
    }),
    profile: values['profile'] === undefined || !profile.ok ? undefined : profile.value,
    format: format.ok ? format.value : 'human',
    level: values['quiet'] === true ? 'error' : level.ok ? level.value : 'info',
    fix: values['fix'] === true,
    unsafe: values['unsafe'] === true,
    maxWarnings: most === undefined ? undefined : Number(most),
    outputFile: textOf(values, 'output-file'),
    watch: values['watch'] === true,
    gitIgnore: values['no-gitignore'] !== true,
    stdin: stdin.value,
  };
};

/** The project that a folder is a part of: the one with `.git`, else what holds the outermost dot-folder on the way. */
const ownerOf = (path: string): string => {
  const { top } = findProject(path);
  if (top !== path || existsSync(join(path, '.git'))) return top;
  const at = path.split(sep).findIndex((name) => name.startsWith('.') && name.length > 1);
  return at > 0 ? path.split(sep).slice(0, at).join(sep) : path;
};

const insideOf = (folder: string): string =>
  relative(ownerOf(resolve(folder)), resolve(folder))
    .split(sep)
    .join('/');

/** What is checked together, and which of its skills were asked for. Files of one project are checked in one pass. */
const placesOf = (
  asked: readonly Asked[],
): readonly { readonly folder: string; readonly only?: ReadonlySet<string> }[] => {
  const projects = new Map<string, Set<string>>();
  const places: { folder: string; only?: ReadonlySet<string> }[] = [];
  for (const { folder, isFile } of asked) {
    if (!isFile) {
      places.push({ folder });
      continue;
    }
    const path = resolve(folder);
    const owner = ownerOf(path);
    // A skill that is no part of anything has its neighbours beside it.
    const around = owner === path ? (existsSync(join(path, '.git')) ? path : dirname(path)) : owner;
    const only = projects.get(around);
    const inside = relative(around, path).split(sep).join('/');
    if (only) only.add(inside);
    else {
      const first = new Set([inside]);
      projects.set(around, first);
      places.push({ folder: around, only: first });
    }
  }
  return places;
};

/** More lines than these say nothing more. */
const MOST_LOST = 20;
/** From this many on, skills in one folder share a line. */
const SEVERAL = 3;

/**
 * It lies where no agent looks. `path` begins at the project's top. Where a folder that is no project will lie, nobody knows: there
 * only what is below `skills` or a dot-folder counts.
 */
const isLost = ({ clients }: CheckedSkill, path: string, isProject: boolean): boolean =>
  clients.length === 0 && path !== '' && (isProject || /(?:^|\/)(?:\.[^/]+|skills)\//.test(path));

/** One line for each folder, or for all skills of a folder with several. */
const lostLines = (paths: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirName(path), (counts.get(dirName(path)) ?? 0) + 1);
  const lines = paths.map((path) => {
    const count = counts.get(dirName(path)) ?? 0;
    return count < SEVERAL
      ? `${path}: no known agent loads this folder`
      : `${dirName(path)}: no known agent loads the ${count} skills in this folder`;
  });
  const told = [...new Set(lines)];
  const rest = told.length - MOST_LOST;
  return rest > 1
    ? [...told.slice(0, MOST_LOST), `${plural(rest, 'more folder')}: no known agent loads them; --json names them all`]
    : told;
};

const ignoredBelow: LeftOut = (folder, paths) => {
  const around = aroundOf(folder, ownerOf(resolve(folder)));
  return gitIgnored(createNodeTree(around), relative(around, resolve(folder)).split(sep).join('/'), paths);
};

interface Place {
  readonly folder: string;
  readonly only?: ReadonlySet<string>;
  readonly tree?: FileTree;
}

const checkOnce = async (options: CheckOptions): Promise<number> => {
  const { log, lines } = collectLog();
  const checked: Checked[] = [];
  const fixed: FixedSkill[] = [];
  let unread = 0;
  let maxWarnings = options.maxWarnings;
  const stdin = options.stdin === undefined ? undefined : stdinSkill(options.stdin);
  const configs = new Map<string, FoundConfig>();
  for (const { folder } of stdin ? [stdin] : options.asked) {
    const config = findConfig(folder, ownerOf(resolve(folder)));
    if (!config.ok) return wrongUse('check', config.error);
    if (config.value) configs.set(resolve(folder), config.value);
    maxWarnings ??= config.value?.file.maxWarnings;
  }
  const profileOf = (config: FoundConfig | undefined): Profile => options.profile ?? config?.file.profile ?? 'standard';
  const folders: Asked[] = [];
  for (const { folder, isFile } of options.asked) {
    if (!options.fix) folders.push({ folder, isFile });
    else {
      const config = configs.get(resolve(folder));
      const result = await fixSkills(
        folder,
        shownPath(folder),
        profileOf(config),
        options.unsafe,
        config,
        isFile || !options.gitIgnore ? undefined : ignoredBelow,
      );
      fixed.push(...result.fixed);
      folders.push({ folder: result.folder, isFile });
    }
  }
  const places: readonly Place[] = stdin ? [stdin] : placesOf(folders);
  for (const { folder, only, tree = createNodeTree(folder) } of places) {
    const prefix = shownPath(folder);
    const inside = insideOf(folder);
    const found = findConfig(folder, ownerOf(resolve(folder)));
    const config = found.ok ? found.value : undefined;
    const result = await checkFolder(tree, '', profileOf(config), {
      withEngine,
      ...(config && { config }),
      inside,
    });
    const isNamed = (path: string): boolean => (stdin ? path === '' : only === undefined || only.has(path));
    // A skill that was named itself is checked in any case.
    const isWhole = options.gitIgnore && only === undefined && !stdin;
    const foundPaths = result.skills.map(({ path }) => path);
    const ignored = isWhole ? await ignoredBelow(folder, foundPaths) : new Set<string>();
    const isAsked = (path: string): boolean => isNamed(path) && !ignored.has(path);
    const skills = result.skills.filter(({ path }) => isAsked(path));
    for (const skill of skills) {
      const path = [prefix, skill.path].filter((part) => part !== '').join('/') || '.';
      checked.push({ skill, path, problems: problemsOf(skill, prefix) });
    }
    for (const { path, reason, isUnread } of result.skipped) {
      if (!isAsked(path)) continue;
      if (isUnread) unread++;
      log({
        level: 'warning',
        code: isUnread ? 'check.unread' : 'check.skipped',
        text: `${[prefix, path].filter(Boolean).join('/') || basename(resolve(folder))}: ${reason}`,
      });
    }
    const isProject =
      existsSync(join(ownerOf(resolve(folder)), '.git')) || result.skills.some(({ clients }) => clients.length > 0);
    const lost = skills.filter((one) => isLost(one, joinPath(inside, one.path), isProject)).map(({ path }) => path);
    for (const text of lostLines(lost.map((path) => joinPath(prefix, path))))
      log({ level: 'info', code: 'check.unloaded', text });
    if (ignored.size > 0)
      log({
        level: 'info',
        code: 'check.ignored',
        text: `${plural(ignored.size, 'skill')} left out by .gitignore; use --no-gitignore to check ${ignored.size === 1 ? 'it' : 'them'}`,
      });
    if (skills.length === 0)
      log({
        level: 'error',
        code: 'check.empty',
        text: `no skills in ${folder}: no folder has a SKILL.md`,
      });
  }
  const summary = { ...summarise(checked), unread };
  const problems = checked.flatMap((item) => item.problems);
  let text: string;
  switch (options.format) {
    case 'json':
      text = jsonText(checked, summary, { ...(options.fix && { fixed }), log: lines });
      break;
    case 'sarif':
      text = jsonDocument(sarifReport(problems));
      break;
    case 'github':
      text = problems
        .filter(({ diagnostic }) => diagnostic.severity !== 'hint')
        .map((problem) => `${githubProblem(problem)}\n`)
        .join('');
      break;
    case 'human':
      text = humanText(
        checked,
        summary,
        options.level,
        lines.map((line) => line.text),
        fixed,
        options.outputFile !== undefined,
      );
      break;
  }
  if (options.outputFile === undefined) process.stdout.write(text);
  else writeFile(options.outputFile, text);
  const isTooMuch = maxWarnings !== undefined && summary.bySeverity.warning > maxWarnings;
  if (isTooMuch)
    process.stderr.write(`lathe check: ${summary.bySeverity.warning} warnings; at most ${maxWarnings} are allowed\n`);
  // Listings need every agent's rules, so they are loaded only for a project that has a budget.
  const hasBudget = [...configs.values()].some(({ file }) => file.indexBudget !== undefined);
  const overBudget = hasBudget ? await (await import('../index-budget.ts')).indexesOverBudget([...configs]) : [];
  for (const line of overBudget) process.stderr.write(`lathe check: ${line}\n`);
  const failed = fixed.some(({ failures }) => failures.length > 0);
  return summary.valid === summary.skills &&
    summary.skills > 0 &&
    unread === 0 &&
    !failed &&
    !isTooMuch &&
    overBudget.length === 0
    ? 0
    : 1;
};

export const check = async (args: readonly string[]): Promise<number> => {
  const options = readOptions(args);
  if (typeof options === 'string') return wrongUse('check', options);
  if (!options.watch) return checkOnce(options);
  let code = 0;
  await watchFolders(
    options.asked.map(({ folder }) => folder),
    async () => {
      code = await checkOnce(options);
      process.stderr.write(`\nWatching for changes. Press Ctrl+C to stop.\n`);
    },
    { except: options.outputFile },
  );
  return code;
};
