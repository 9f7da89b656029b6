/** Commands in files of settings: hooks, servers, scripts of a package, steps of workflows, cells of notebooks. */
import { parse as parseYaml } from 'yaml';
import { isObject, type Json, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { parseYaml as readYaml } from '../skill/yaml-tree.ts';
import { runArgv } from './shell-commands.ts';
import { analyseProse } from './prose-patterns.ts';
import type { Place } from './types.ts';
import { NOTHING, textValue, type Value } from './value.ts';
import type { InnerCode, World } from './world.ts';

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly placeOf: (offset: number) => Place;
}

const isCommandRow = (value: unknown): value is { readonly command: string; readonly args?: readonly unknown[] } =>
  isObject(value) && typeof value['command'] === 'string';

/** Commands in settings: hooks, servers, scripts of a package. */
export const analyseJson = (
  world: World,
  analyse: (code: InnerCode) => Value,
  { path, text, placeOf }: SourceFile,
): void => {
  const parsed = valueOr(parseJson(text), undefined);
  if (parsed === undefined) return;
  const find = (needle: string): Place => placeOf(Math.max(0, text.indexOf(JSON.stringify(needle).slice(1, -1))));
  const run = (command: string): void => {
    const place = find(command);
    world.capability('processes', place, command.slice(0, 80));
    analyse({ language: 'shell', text: command, placeOf: () => place, holes: [], depth: 0 });
  };
  const visit = (value: unknown, depth: number, isHook = false): void => {
    if (depth > 12 || typeof value !== 'object' || value === null) return;
    if (isHook && isCommandRow(value) && /\b(?:curl|wget|ncat?)\b/.test(value.command))
      world.alarm(
        'runs-by-itself',
        find(value.command),
        'A hook of an agent talks to the network, whenever the agent works.',
      );
    if (isCommandRow(value)) {
      const args = Array.isArray(value.args) ? value.args.filter((item) => typeof item === 'string') : [];
      if (args.length > 0)
        runArgv(
          { world, depth: 0 },
          find(value.command),
          [textValue(value.command), ...args.map(textValue)],
          NOTHING,
          'starts',
        );
      else run(value.command);
    }
    for (const [key, inner] of Object.entries(value)) visit(inner, depth + 1, isHook || key === 'hooks');
  };
  if (/(?:^|\/)package\.json$/.test(path) && isObject(parsed)) {
    const { scripts } = parsed;
    if (isObject(scripts)) for (const script of Object.values(scripts)) if (typeof script === 'string') run(script);
  }
  visit(parsed, 0);
};

/** Commands in YAML: steps of workflows, tasks, hooks. */
export const analyseYaml = (world: World, analyse: (code: InnerCode) => Value, source: SourceFile): void => {
  const { text, placeOf } = source;
  analyseProse({ text, placeOf, world });
  // Nesting without end would not throw but end the process, and the time of the parser grows faster than the text.
  if (readYaml(text, 0, text.length).problems.some(({ kind }) => kind === 'too-deep' || kind === 'too-large')) {
    world.note('cut', placeOf(0), 'The YAML is too large or nested too deeply. Lathe read it as plain text.');
    return;
  }
  let parsed: unknown;
  try {
    parsed = parseYaml(text, { schema: 'core', uniqueKeys: false, maxAliasCount: 100, logLevel: 'silent' });
  } catch {
    // Not YAML: it was read as text.
    return;
  }
  const visit = (value: unknown, depth: number): void => {
    if (depth > 12 || typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (
        typeof inner === 'string' &&
        /^(?:run|script|before_script|after_script|command|cmd|shell|entrypoint)$/.test(key)
      ) {
        const [line = ''] = inner.trim().split('\n');
        const place = placeOf(Math.max(0, text.indexOf(line.trim())));
        analyse({ language: 'shell', text: inner, placeOf: () => place, holes: [], depth: 0 });
      } else visit(inner, depth + 1);
      if (
        key === 'volumes' &&
        Array.isArray(inner) &&
        inner.some((item) => typeof item === 'string' && /^\/:\/[^:]*(?::(?!ro)|$)/.test(item))
      )
        world.alarm(
          'opens-machine',
          placeOf(Math.max(0, text.indexOf('/:/'))),
          'A container gets the whole disk of the machine to write to.',
        );
    }
  };
  visit(parsed, 0);
};

export const notebookCells = (text: string): string => {
  const parsed = valueOr(parseJson(text), undefined);
  const cells = isObject(parsed) ? parsed['cells'] : undefined;
  if (!Array.isArray(cells)) return '';
  return (
    (cells as readonly Json[])
      .filter((cell) => isObject(cell))
      .filter((cell) => cell['cell_type'] === 'code')
      .map(({ source }) => (Array.isArray(source) ? source.join('') : typeof source === 'string' ? source : ''))
      .join('\n')
      // Lines with a mark in front go to a shell.
      .replace(/^[ \t]*!(.+)$/gm, (_, code: string) => `os.system(${JSON.stringify(code)})`)
      .replace(/^%.*$/gm, '')
  );
};
