import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { plural } from '../../base/text.ts';
import { scanTree, type ScannedSkill } from '../../model/scan/scan-tree.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { oneOf, parseArguments, wrongUse } from '../arguments.ts';
import { scanSarif, scanText } from '../output/scan-report.ts';
import { createPaint, wantsColour } from '../output/terminal-text.ts';
import { shownPath } from '../shown-path.ts';
import { jsonDocument } from '../output/json-document.ts';

const FORMATS = ['human', 'json', 'sarif'] as const;

interface Scanned {
  readonly skill: ScannedSkill;
  readonly path: string;
}

const scanFolder = async (folder: string): Promise<readonly Scanned[]> => {
  const prefix = shownPath(folder);
  const skills = await scanTree(createNodeTree(folder));
  return skills.map((skill) => ({ skill, path: [prefix, skill.path].filter((part) => part !== '').join('/') || '.' }));
};

const summaryLine = (scanned: readonly Scanned[]): string => {
  const alarmed = scanned.filter(({ skill }) => skill.alarms.length > 0).length;
  const skills = plural(scanned.length, 'skill');
  // No alarm is not a promise.
  return alarmed === 0
    ? `${skills} scanned, no alarms. That doesn't mean no risk. Review the capabilities first.`
    : `${skills} scanned, ${alarmed} with alarms. Review the lines above before you import.`;
};

export const scan = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, { json: { type: 'boolean' }, format: { type: 'string' } });
  if (!parsed.ok) return wrongUse('scan', parsed.error);
  const { values, positionals } = parsed.value;
  const format = oneOf('format', values['json'] === true ? 'json' : values['format'], FORMATS, 'human');
  if (!format.ok) return wrongUse('scan', format.error);
  if (positionals.length === 0) return wrongUse('scan', 'missing argument: DIR', 'scan DIR…');
  const missing = positionals.find((folder) => !existsSync(folder));
  if (missing !== undefined) return wrongUse('scan', `folder not found: ${missing}`);
  const folders = positionals.map((path) => (statSync(path).isDirectory() ? path : dirname(path)));
  const scanned = (await Promise.all(folders.map(scanFolder))).flat();
  switch (format.value) {
    case 'json':
      process.stdout.write(jsonDocument({ skills: scanned.map(({ skill, path }) => ({ ...skill, path })) }));
      break;
    case 'sarif':
      process.stdout.write(jsonDocument(scanSarif(scanned)));
      break;
    case 'human': {
      const paint = createPaint(wantsColour(process.stdout));
      const blocks = scanned.map(({ skill, path }) => scanText(skill, path, paint));
      process.stdout.write(`${[...blocks, summaryLine(scanned)].join('\n\n')}\n`);
    }
  }
  return scanned.length > 0 && scanned.every(({ skill }) => skill.alarms.length === 0) ? 0 : 1;
};
