import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { joinPath } from '../../base/paths.ts';
import { loadExecutors, loadSkillExecutors, type LoadedExecutor } from '../../model/executor/load-executors.ts';
import { PLAIN_MANIFEST } from '../../model/importer/plain-skill.ts';
import { readFolder } from '../../model/files/read-folder.ts';
import { verifyPlainSkill } from '../../model/signing/verify.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { keysFolder, nodeTrusted, nodeVerify } from '../../platform/importer/node-keys.ts';
import { parseArguments, wrongUse } from '../arguments.ts';
import { createPaint, visible, wantsColour } from '../output/terminal-text.ts';
import { jsonDocument } from '../output/json-document.ts';

interface Row {
  readonly name: string;
  readonly skill: string;
  readonly ok: boolean;
  readonly reason: string;
}

const toRow = (executor: LoadedExecutor): Row => ({
  name: executor.name,
  skill: executor.skill,
  ok: executor.state === 'ready',
  reason: executor.state === 'ready' ? `signed by ${executor.signedBy}` : executor.reason,
});

/** DIR holds skills with their executors, or is one of them. */
const verifyFolder = async (folder: string, keys: string): Promise<readonly Row[]> => {
  const tree = createNodeTree(folder);
  const deps = { tree, trusted: nodeTrusted(keys), verify: nodeVerify };
  const name = basename(resolve(folder));
  const plain = async (path: string, skill: string): Promise<Row> => {
    const verified = await verifyPlainSkill(
      { files: await readFolder(tree, path), trusted: deps.trusted, verify: nodeVerify },
      PLAIN_MANIFEST,
    );
    // The folder that was asked for may be called anything; those in it are called by their skills.
    const isRenamed = verified.ok && path !== '' && verified.value.manifest.name !== skill;
    return {
      name: skill,
      skill,
      ok: verified.ok && !isRenamed,
      reason: !verified.ok
        ? verified.error
        : isRenamed
          ? `the folder is called ${skill}, but the signed skill is called ${verified.value.manifest.name}`
          : `signed by ${verified.value.signedBy}`,
    };
  };
  const isPlain = async (path: string): Promise<boolean> =>
    (await tree.size(joinPath(path, PLAIN_MANIFEST))) !== undefined;
  if (await isPlain('')) return [await plain('', name)];
  const entries = (await tree.list('')) ?? [];
  if (entries.some((entry) => entry.name === 'source')) return (await loadSkillExecutors(deps, '', name)).map(toRow);
  const rows: Row[] = [];
  const skip = new Set<string>();
  for (const entry of entries)
    if (entry.kind === 'folder' && (await isPlain(entry.name))) {
      rows.push(await plain(entry.name, entry.name));
      skip.add(entry.name);
    }
  const loaded = await loadExecutors(deps, '');
  return [...rows, ...loaded.filter(({ skill }) => !skip.has(skill)).map(toRow)];
};

export const verify = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, { json: { type: 'boolean' }, keys: { type: 'string' } });
  if (!parsed.ok) return wrongUse('verify', parsed.error);
  const { values, positionals } = parsed.value;
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return wrongUse('verify', 'missing argument: DIR', 'verify DIR');
  if (!existsSync(folder)) return wrongUse('verify', `folder not found: ${folder}`);
  const rows = await verifyFolder(folder, keysFolder(typeof values['keys'] === 'string' ? values['keys'] : undefined));
  if (values['json'] === true) process.stdout.write(jsonDocument({ executors: rows }));
  else {
    const paint = createPaint(wantsColour(process.stdout));
    const lines = rows.map(
      ({ name, skill, ok: isFine, reason }) =>
        `${isFine ? paint.green('ok      ') : paint.red('disabled')} ${visible(name)}  ${paint.dim(`${visible(skill)}: ${visible(reason)}`)}`,
    );
    process.stdout.write(
      `${[...lines, rows.length === 0 ? 'no executors found' : `${rows.filter(({ ok: isFine }) => isFine).length} of ${rows.length} verified`].join('\n')}\n`,
    );
  }
  return rows.length > 0 && rows.every(({ ok: isFine }) => isFine) ? 0 : 1;
};
