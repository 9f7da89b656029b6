import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { TEMPLATE_KINDS, templateFiles, type TemplateKind } from '../../model/library/templates.ts';
import { isValidName, slugify } from '../../model/skill/names.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { parseArguments, textOf, wrongUse } from '../arguments.ts';
import { jsonDocument } from '../output/json-document.ts';

const defaultFolder = (): string => ['.agents/skills', 'skills'].find((folder) => existsSync(folder)) ?? '.';

const folderOf = (given: string | undefined, kind: TemplateKind): string => {
  if (given !== undefined) return given;
  return kind === 'instructions' ? '.' : defaultFolder();
};

export const create = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, { dir: { type: 'string' }, json: { type: 'boolean' } });
  if (!parsed.ok) return wrongUse('new', parsed.error);
  const { values, positionals } = parsed.value;
  const [word, given, ...more] = positionals;
  const kind = TEMPLATE_KINDS.find((candidate) => candidate === word);
  // Instructions are called like the project, unless they are reported another name.
  const name =
    given ?? (kind === 'instructions' ? basename(resolve(folderOf(textOf(values, 'dir'), kind))) : undefined);
  if (!kind || name === undefined || more.length > 0)
    return wrongUse('new', 'expected a template and a name', `new ${TEMPLATE_KINDS.join('|')} NAME`);
  if (kind !== 'instructions' && !isValidName(name, 'standard')) {
    const better = slugify(name);
    return wrongUse(
      'new',
      `invalid skill name '${name}'; expected lowercase letters, digits, and single hyphens, 64 at most.${better === '' ? '' : ` Try ${better}.`}`,
    );
  }
  const folder = folderOf(textOf(values, 'dir'), kind);
  if (kind === 'test' && !existsSync(join(folder, name, 'SKILL.md')))
    return wrongUse('new', `skill not found: ${join(folder, name)}. A test file goes beside its SKILL.md`);
  const files = templateFiles(kind, name);
  const taken = [...files.keys()].map((path) => join(folder, path)).find((path) => existsSync(path));
  if (taken !== undefined) return wrongUse('new', `${taken} already exists; nothing was written`);
  const tree = createNodeTree(folder);
  for (const [path, text] of files) await tree.write(path, new TextEncoder().encode(text));
  const written = [...files.keys()].map((path) => join(folder, path));
  process.stdout.write(
    values['json'] === true ? jsonDocument({ written, log: [] }) : written.map((path) => `${path}\n`).join(''),
  );
  return 0;
};
