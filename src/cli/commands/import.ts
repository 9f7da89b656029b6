import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { errorLine } from '../../base/errors.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { LeftOut } from '../../model/files/write-rules.ts';
import { createSmoke } from '../../model/executor/smoke.ts';
import { readInstalledSkills } from '../../model/executor/installed-skills.ts';
import { loadExecutors, type LoadDeps } from '../../model/executor/load-executors.ts';
import { alarmKey, type ImportReport } from '../../model/importer/import-report.ts';
import { importSkill, toCatalog } from '../../model/importer/import-skill.ts';
import type { Takeover } from '../../model/importer/identity.ts';
import { overridesSchema } from '../../model/importer/overrides.ts';
import type { Authorisation, CatalogEntry, Override } from '../../model/importer/types.ts';
import { scanSkill } from '../../model/scan/scan-skill.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { readSkillArchive } from '../../platform/fs/archive.ts';
import { fetchSource } from '../../platform/importer/fetch-source.ts';
import { keysFolder, nodeSigner, nodeTrusted, nodeVerify } from '../../platform/importer/node-keys.ts';
import { readSourceFolder } from '../../platform/importer/read-source-folder.ts';
import { createTreeCache } from '../../platform/importer/source-cache.ts';
import { parseArguments, wrongUse } from '../arguments.ts';
import { visible } from '../output/terminal-text.ts';
import { openPythonRunner } from '../python-runner.ts';
import { jsonDocument } from '../output/json-document.ts';

const MOST_DIFFERENCES = 20;

interface Source {
  readonly name: string;
  readonly from: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly leftOut?: readonly LeftOut[];
  readonly note?: string;
}

const cacheFolder = (): string => process.env['LATHE_CACHE'] ?? join(homedir(), '.cache', 'lathe', 'skills');

const readLocal = async (path: string): Promise<Result<Source, string>> => {
  if (!existsSync(path)) return err(`not found: ${path}`);
  if (statSync(path).isDirectory() || basename(path) === 'SKILL.md') {
    const folder = statSync(path).isDirectory() ? path : dirname(path);
    const name = basename(resolve(folder));
    const read = await readSourceFolder(createNodeTree(folder));
    return read.ok ? ok({ name, from: name, ...read.value }) : err(read.error);
  }
  const read = await readSkillArchive(new Uint8Array(readFileSync(path)), basename(path));
  return read.ok ? ok({ ...read.value, from: basename(path) }) : err(read.error.message);
};

const readAddress = async (
  address: string,
  path: string | undefined,
  refresh: boolean,
): Promise<Result<Source, string>> => {
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true });
  const cache = createTreeCache(createNodeTree(folder), () => Date.now());
  const fetched = await fetchSource({ get: fetch, cache, isTerminal: true }, address, {
    refresh,
    ...(path !== undefined && { path }),
  });
  if (!fetched.ok) {
    const choices = fetched.error.choices?.map((choice) => `\n  --path ${choice}`).join('') ?? '';
    return err(`${fetched.error.message}${choices}`);
  }
  const { name, from, files, leftOut, cachedAt, rateLimit } = fetched.value;
  const note =
    cachedAt === undefined
      ? rateLimit && `GitHub: ${rateLimit.remaining} of ${rateLimit.limit} requests left this hour`
      : `from the cache of ${new Date(cachedAt).toISOString().slice(0, 10)}; no request was made`;
  return ok({ name, from, files, leftOut, ...(note !== undefined && { note }) });
};

const readOverrides = (path: string | undefined): Result<readonly Override[], string> => {
  if (path === undefined) return ok([]);
  try {
    return ok(overridesSchema.parse(JSON.parse(readFileSync(path, 'utf8'))));
  } catch (thrown) {
    return err(`${path} can't be used: ${errorLine(thrown)}`);
  }
};

const loadDeps = (out: string, keys: string): LoadDeps => ({
  tree: createNodeTree(out),
  trusted: nodeTrusted(keys),
  verify: nodeVerify,
});

/** What is in DIR already, of other skills. */
const catalogOf = async (out: string, keys: string): Promise<readonly CatalogEntry[]> => {
  if (!existsSync(out)) return [];
  const loaded = await loadExecutors(loadDeps(out, keys), '');
  const ready = loaded.flatMap((item) => (item.state === 'ready' ? [item] : []));
  return [...new Set(ready.map(({ skill }) => skill))].flatMap((skill) =>
    toCatalog(
      ready.filter((item) => item.skill === skill),
      skill,
    ),
  );
};

/** Beside its place first: an import that is cut off leaves what was there. */
const writeReport = (report: ImportReport, out: string): string => {
  const folder = join(out, report.skill);
  mkdirSync(out, { recursive: true });
  const draft = mkdtempSync(join(out, '.lathe-import-'));
  try {
    for (const [path, content] of report.files) {
      const target = join(draft, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
};

/** What differs, and how to agree. */
const takeoverLines = ({ differences }: Takeover): string =>
  [
    ...differences.slice(0, MOST_DIFFERENCES).map((difference) => `  ${visible(difference)}`),
    ...(differences.length > MOST_DIFFERENCES ? [`  and ${differences.length - MOST_DIFFERENCES} more`] : []),
    'To replace it, run the same command with --replace.',
  ].join('\n');

const human = (report: ImportReport, folder: string | undefined, note: string | undefined): string => {
  const lines = report.stages.map(({ id, status, input, output, refused }) =>
    [
      `${id.padEnd(10)} ${input} → ${output}${status === 'done' ? '' : ` (${status})`}`,
      ...refused.map(({ name, reasons }) => `           refused ${visible(name)}: ${visible(reasons.join('; '))}`),
    ].join('\n'),
  );
  const notHere = report.accepted.flatMap(({ name, notHere: reasons }) =>
    reasons.map((reason) => `           ${name} does not run here: ${visible(reason)}`),
  );
  const layers = report.layers
    .filter(({ state }) => state === 'not run' && report.kind === 'executors')
    .map(({ id, detail }) => `${id} did not run: ${detail}`);
  return [
    ...(note === undefined ? [] : [note]),
    ...lines,
    ...notHere,
    ...layers,
    ...(report.problem === undefined ? [] : [visible(report.problem)]),
    ...(report.kind === 'failed' && report.source
      ? ['To install it as a plain skill, run the same command with --plain.']
      : []),
    ...(report.takeover ? [takeoverLines(report.takeover)] : []),
    ...(folder === undefined ? [] : [`written to ${folder}`]),
  ].join('\n');
};

export const importCommand = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    out: { type: 'string' },
    path: { type: 'string' },
    keys: { type: 'string' },
    overrides: { type: 'string' },
    'allow-alarms': { type: 'boolean' },
    replace: { type: 'boolean' },
    plain: { type: 'boolean' },
    'no-smoke': { type: 'boolean' },
    refresh: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('import', parsed.error);
  const { values, positionals } = parsed.value;
  const [given, ...more] = positionals;
  const out = values['out'];
  if (given === undefined || more.length > 0)
    return wrongUse(
      'import',
      'expected one source: a folder, a zip, a tar, a .skill file, or a URL',
      'import SRC --out DIR',
    );
  if (typeof out !== 'string') return wrongUse('import', 'missing option: --out DIR');
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  const overrides = readOverrides(text('overrides'));
  if (!overrides.ok) return wrongUse('import', overrides.error);
  const isAddress =
    /^https?:\/\//.test(given) || (/^(?:github\.com|agentskills\.io)\//.test(given) && !existsSync(given));
  const source = isAddress
    ? await readAddress(
        given.startsWith('github.com/') ? `https://${given}` : given,
        text('path'),
        values['refresh'] === true,
      )
    : await readLocal(given);
  if (!source.ok) {
    process.stderr.write(`lathe import: ${visible(source.error)}\n`);
    return 2;
  }
  const keys = keysFolder(text('keys'));
  const now = (): string => new Date().toISOString().replace(/\.\d{3}Z$/, 'Z');
  const alarms = values['allow-alarms'] === true ? scanSkill(source.value).alarms.map(alarmKey) : [];
  const authorisation: Authorisation | undefined =
    alarms.length > 0 ? { by: userInfo().username, at: now(), alarms } : undefined;
  using python = values['no-smoke'] === true ? undefined : await openPythonRunner();
  const report = await importSkill(
    {
      now,
      signer: nodeSigner(keys),
      installed: async (skill) => (existsSync(out) ? readInstalledSkills(loadDeps(out, keys), '', skill) : []),
      ...(python && { smoke: createSmoke(python.run, new AbortController().signal) }),
    },
    {
      ...source.value,
      catalog: await catalogOf(out, keys),
      overrides: overrides.value,
      ...(authorisation && { authorisation }),
      ...(values['plain'] === true && { asPlain: true }),
      ...(values['replace'] === true && { replacement: { by: userInfo().username, at: now() } }),
    },
  );
  const isWritten = report.files.size > 0;
  const folder = isWritten ? writeReport(report, out) : undefined;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'imports.jsonl'), `${JSON.stringify(report.audit)}\n`, { flag: 'a' });
  if (values['json'] === true) {
    const document = {
      skill: report.skill,
      kind: report.kind,
      accepted: report.accepted.map(({ name }) => name),
      rejected: report.rejected,
      not_here: Object.fromEntries(
        report.accepted.filter(({ notHere }) => notHere.length > 0).map(({ name, notHere }) => [name, notHere]),
      ),
      stages: report.stages,
      alarms: report.scan.alarms,
      left_out: report.leftOut,
      layers: report.layers,
      ...(folder !== undefined && { folder }),
      ...(report.takeover && { question: report.takeover }),
      ...(report.problem !== undefined && { problem: report.problem }),
    };
    process.stdout.write(jsonDocument(document));
  } else process.stdout.write(`${human(report, folder, source.value.note)}\n`);
  return isWritten ? 0 : 1;
};
