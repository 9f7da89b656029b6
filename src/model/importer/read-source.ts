/** Read: frontmatter, sections, sub-commands from fenced usage lines, their arguments, and what the skill says that it needs. */
import { parse, YAMLParseError } from 'yaml';
import { errorLine } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { pathFault } from '../files/write-rules.ts';
import { sha256 } from '../../base/hash.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints, toLineFeeds } from '../../base/text.ts';
import { argumentsOf, sourceCommands, type SourceArgument, type SourceCommands } from './source-arguments.ts';
import { isLimit, joinTypes, type LineArgument } from './usage-line.ts';
import { readUsage, type Line, type UsageLine } from './usage-rows.ts';
import type { CredentialField, CredentialNeed, ReadSource, SubCommand, UsageArgument } from './types.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

export interface SourceFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

type Field = Readonly<Record<string, unknown>>;

/** Pages about the skill and not for anyone who uses it. */
const OTHER_PAGE =
  /(?:^|\/)(?:readme|changelog|contributing|license|code_of_conduct|security|tests?|evals?|examples?|node_modules)(?:\.|\/)/i;
const MOST_PAGE = 262_144;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Fields of one line each, for frontmatter that is no YAML: many skills have a colon where YAML wants quotes. */
const plainFields = (text: string): Field =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Za-z][\w-]*):[ \t]+(\S.*)$/gm)].map(([, key = '', value = '']) => [
      key,
      value.replace(/^(["'])(.*)\1$/, '$2').trim(),
    ]),
  );

const readFrontmatter = (text: string): Result<Field, string> => {
  const match = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text);
  if (!match) return err('SKILL.md has no frontmatter. It must start and end with ---.');
  try {
    const fields: unknown = parse(match[1] ?? '', { schema: 'core', uniqueKeys: false });
    return isObject(fields) ? ok(fields) : err('The frontmatter of SKILL.md isn’t a list of fields.');
  } catch (thrown) {
    if (!(thrown instanceof YAMLParseError)) throw thrown;
    const fields = plainFields(match[1] ?? '');
    if (fields['name'] !== undefined) return ok(fields);
    return err(`Can’t read the frontmatter of SKILL.md: ${errorLine(thrown)}`);
  }
};

/** A line of code that ends with a backslash continues in the next one. */
const joinContinued = (lines: readonly Line[]): readonly Line[] => {
  const joined: Line[] = [];
  for (const row of lines) {
    const before = joined.at(-1);
    if (before?.isCode === true && row.isCode && /(?:^|[^\\])\\[ \t]*$/.test(before.text))
      joined[joined.length - 1] = { ...before, text: `${before.text.replace(/\\[ \t]*$/, '')} ${row.text.trim()}` };
    else joined.push(row);
  }
  return joined;
};

/** Lines with the section that they are in; headings inside fences are none. */
const readLines = (
  text: string,
): { readonly lines: readonly Line[]; readonly sections: readonly { title: string; line: number }[] } => {
  const lines: Line[] = [];
  const sections: { title: string; line: number }[] = [];
  let fence: string | undefined;
  let section = '';
  for (const [index, row] of text.split('\n').entries()) {
    const [, mark, info = ''] = /^[ \t]*(?:>[ \t]?)*(`{3,}|~{3,})(.*)$/.exec(row) ?? [];
    if (mark !== undefined && fence === undefined) {
      fence = mark;
      continue;
    }
    // What closes a block has no words after it.
    if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && info.trim() === '') {
      fence = undefined;
      continue;
    }
    const heading =
      fence === undefined ? /^##[ \t]+(.+)$/.exec(row)?.[1]?.replace(/(?<![ \t#])[ \t#]+$/, '') : undefined;
    if (heading !== undefined) {
      section = heading.trim();
      sections.push({ title: section, line: index + 1 });
      continue;
    }
    lines.push({ text: row, line: index + 1, section, isCode: fence !== undefined });
  }
  return { lines: joinContinued(lines), sections };
};

interface Merged {
  readonly count: number;
  readonly type: UsageArgument['type'] | undefined;
  readonly isWord: boolean;
  readonly arg: Omit<UsageArgument, 'type'>;
}

/** A list and a single word are both lists; prose never is. */
const joined = (before: Merged, arg: LineArgument): UsageArgument['type'] | undefined => {
  const kinds = new Set([before.type, arg.type]);
  if (kinds.size === 2 && kinds.has('array') && kinds.has('string') && before.isWord && arg.isWord) return 'array';
  return joinTypes(before.type, arg.type);
};

/** Names by what a value looks like: a placeholder of another example says more. */
const GENERIC = /^(?:path|text|url|address|date|range|query|number|id|value)(?:_\d+)?$/;

/** What the examples say: required is what every one of them has, unless it is a switch, a limit, or was in brackets. */
const fromExamples = (lines: readonly UsageLine[]): readonly UsageArgument[] => {
  const isNeeded = (arg: Omit<UsageArgument, 'type'>, count: number): boolean =>
    arg.required && count === lines.length && (arg.kind === 'positional' || lines.length > 1);
  const merged = new Map<string, Merged>();
  for (const { args } of lines) {
    const seen = new Set<string>();
    let position = 0;
    for (const arg of args) {
      // What is at a place is one argument, whatever each example calls it.
      const key = arg.kind === 'positional' ? `${arg.kind}:${position++}` : `${arg.kind}:${arg.name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const before = merged.get(key);
      const type = before ? joined(before, arg) : arg.type;
      const choices = before?.arg.choices ?? arg.choices;
      merged.set(key, {
        count: (before?.count ?? 0) + 1,
        type,
        isWord: (before?.isWord ?? true) && arg.isWord,
        arg: {
          name: before && !GENERIC.test(before.arg.name) ? before.arg.name : arg.name,
          kind: arg.kind,
          required: (before?.arg.required ?? true) && !arg.isOptional && type !== 'boolean' && !isLimit(arg.name),
          ...(arg.flag !== undefined && { flag: before?.arg.flag ?? arg.flag }),
          ...(arg.isId && { isId: true }),
          ...(choices && { choices }),
        },
      });
    }
  }
  const names = new Set<string>();
  const ownName = (name: string): string => {
    let free = name;
    for (let number = 2; names.has(free); number++) free = `${name}_${number}`;
    names.add(free);
    return free;
  };
  return Array.from(merged.values(), ({ count, type, arg }) => ({
    ...arg,
    name: ownName(arg.name),
    type: type ?? 'string',
    required: isNeeded(arg, count),
  }));
};

const isListed = (arg: UsageArgument, defined: readonly SourceArgument[]): boolean =>
  defined.some(({ flags }) => arg.flag !== undefined && flags.includes(arg.flag));

/** A definition in the source is the truth; the examples add a format that it does not tell: a date is a string to argparse. */
const mergeArguments = (
  lines: readonly UsageLine[],
  defined: readonly SourceArgument[] | undefined,
): readonly UsageArgument[] => {
  const shown = fromExamples(lines);
  if (!defined || defined.length === 0) return shown;
  const positionals = shown.filter(({ kind }) => kind === 'positional');
  let position = 0;
  const own = defined.map(({ flag, flags, type, ...arg }): UsageArgument => {
    const example =
      flag === undefined
        ? positionals[position++]
        : shown.find((item) => item.flag !== undefined && flags.includes(item.flag));
    const isFormat = type === 'string' && /^(?:date|datetime)$/.test(example?.type ?? '');
    return {
      ...arg,
      kind: flag === undefined ? 'positional' : 'flag',
      type: isFormat && example ? example.type : type,
      ...(flag !== undefined && { flag: example?.flag ?? flag }),
      ...(flag === undefined && /(?:^|_)id$/.test(arg.name) && arg.required && { isId: true }),
    };
  });
  // Positionals of which the source says nothing come from the examples.
  const more = positionals.slice(position).filter((arg) => !isListed(arg, defined));
  return [...own, ...(position === 0 ? more : [])];
};

const fieldOf = (given: unknown): CredentialField[] => {
  const name = isObject(given) ? textOf(given['name'] ?? given['path'] ?? given['env']) : textOf(given);
  if (name === '') return [];
  const prompt = isObject(given) ? textOf(given['description'] ?? given['prompt']) : '';
  const isFile = /[./]/.test(name);
  const kind = isFile
    ? 'file'
    : /KEY$/i.test(name)
      ? 'api_key'
      : /TOKEN|SECRET|PASSWORD/i.test(name)
        ? 'token'
        : 'text';
  return [{ name, kind, prompt: prompt === '' ? name : prompt }];
};

const readCredentials = (fields: Field, binding: string): readonly CredentialNeed[] => {
  const metadata = isObject(fields['metadata']) ? fields['metadata'] : {};
  const given = [
    fields['required_credential_files'],
    fields['required_credentials'],
    metadata['required_credentials'],
  ].flatMap((value) => {
    if (typeof value === 'string') return value.split(/[\s,]+/);
    return Array.isArray(value) ? (value as unknown[]) : [];
  });
  const all = given.flatMap(fieldOf);
  return all.length === 0 ? [] : [{ binding, fields: all }];
};

export const bindingOf = (name: string): string => name.toLowerCase().replace(/[-.\s]+/g, '_');

/** Nothing at its outer level does anything: only names are made there. */
const isPart = (text: string): boolean =>
  !/__name__\s*==|\bsys\.argv\b|^#!/m.test(text) &&
  !/^(?!(?:from|import|def|class|async|if|else|elif|try|except|finally|with|for|return|raise|@|#)\b)[a-z_]\w*(?:\.\w+)*\s*\(/im.test(
    text,
  );

export const readSource = ({ name: folder, files }: SourceFiles): Result<ReadSource, string> => {
  const bytes = files.get('SKILL.md');
  if (!bytes) return err('It has no SKILL.md.');
  let text: string;
  try {
    text = toLineFeeds(decoder.decode(bytes).replace(/^\uFEFF/, ''));
  } catch (thrown) {
    if (thrown instanceof TypeError) return err('SKILL.md isn’t UTF-8.');
    throw thrown;
  }
  const front = readFrontmatter(text);
  if (!front.ok) return front;
  const fields = front.value;
  const name = textOf(fields['name']) || folder;
  // Some disks drop signs at the end of a name, so that two skills would have one folder.
  if (!/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(name) || pathFault(name) !== undefined)
    return err(`“${name}” isn’t a valid skill name. Use letters, digits, and hyphens.`);
  const { lines, sections } = readLines(text);
  const scripts = new Map<string, SourceCommands>();
  const definedIn = (script: string): SourceCommands => {
    const known = scripts.get(script) ?? sourceCommands(script, new TextDecoder().decode(files.get(script)));
    scripts.set(script, known);
    return known;
  };
  const pages = [...files]
    .filter(([path]) => /\.(?:md|markdown)$/i.test(path) && path !== 'SKILL.md' && !OTHER_PAGE.test(path))
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .flatMap(([page, content]) =>
      content.length > MOST_PAGE
        ? []
        : readLines(toLineFeeds(new TextDecoder().decode(content))).lines.map((line) => Object.assign(line, { page })),
    );
  const { usage, skipped } = readUsage([...lines, ...pages], {
    files: new Set(files.keys()),
    skill: name,
    definedIn,
    isPart: (script) => isPart(new TextDecoder().decode(files.get(script))),
  });
  const groups = new Map<string, UsageLine[]>();
  for (const line of usage) {
    // What a command is about is read from its first row.
    const key = `${line.script} ${(line.command ?? [line.domain, line.action]).join(' ').toLowerCase()}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  const subCommands = [...groups.values()].flatMap((group): SubCommand[] => {
    const [first] = group;
    if (!first) return [];
    const { domain, action, command, script, line, page } = first;
    const defined = argumentsOf(definedIn(script), command ?? [domain, action]);
    return [
      {
        domain,
        action,
        script,
        line,
        ...(page !== undefined && { page }),
        args: mergeArguments(group, defined),
        ...(command && { command }),
        examples: group.filter((item) => item.line > 0).map((item) => item.text),
      },
    ];
  });
  const metadata = isObject(fields['metadata']) ? fields['metadata'] : {};
  const tools = fields['allowed-tools'];
  return ok({
    name,
    description: textOf(fields['description']).trim(),
    version: textOf(fields['version']) || textOf(metadata['version']) || '0.0.0',
    author: textOf(fields['author']) || textOf(metadata['author']),
    sections,
    subCommands,
    skippedLines: skipped,
    credentials: readCredentials(fields, bindingOf(name)),
    declared: {
      tools: (Array.isArray(tools) ? tools.map(textOf) : textOf(tools).split(/[\s,]+/)).filter((tool) => tool !== ''),
      text,
    },
    sourceSha256: sha256(bytes),
  });
};
