/** Read: frontmatter, sections, sub-commands from fenced usage lines, their arguments, and what the skill says that it needs. */
import { parse, YAMLParseError } from 'yaml';
import { errorLine } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { pathFault } from '../files/write-rules.ts';
import { sha256 } from '../../base/hash.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { toLineFeeds } from '../../base/text.ts';
import { sourceFlags, type SourceFlag } from './source-flags.ts';
import { isLimit, joinTypes, readArguments, splitUsage, type LineArgument, type UsageWord } from './usage-line.ts';
import { domainOf, verbAndNoun } from './vocabulary-map.ts';
import type { CredentialField, CredentialNeed, ReadSource, SubCommand, UsageArgument } from './types.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

export interface SourceFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

type Field = Readonly<Record<string, unknown>>;

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
  if (!match) return err('SKILL.md has no frontmatter: it starts with --- and ends with ---.');
  try {
    const fields: unknown = parse(match[1] ?? '', { schema: 'core', uniqueKeys: false });
    return isObject(fields) ? ok(fields) : err('The frontmatter of SKILL.md is no list of fields.');
  } catch (thrown) {
    if (!(thrown instanceof YAMLParseError)) throw thrown;
    const fields = plainFields(match[1] ?? '');
    if (fields['name'] !== undefined) return ok(fields);
    return err(`The frontmatter of SKILL.md cannot be read: ${errorLine(thrown)}`);
  }
};

interface Line {
  readonly text: string;
  readonly line: number;
  readonly section: string;
  readonly isCode: boolean;
}

/** A line of code that ends with a backslash goes on in the next one. */
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

/** Lines with the section that they stand in; headings inside fences are none. */
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
    // What closes a block has no words behind it.
    if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && info.trim() === '') {
      fence = undefined;
      continue;
    }
    const heading = fence === undefined ? /^##[ \t]+(.+?)[ \t#]*$/.exec(row)?.[1] : undefined;
    if (heading !== undefined) {
      section = heading.trim();
      sections.push({ title: section, line: index + 1 });
      continue;
    }
    lines.push({ text: row, line: index + 1, section, isCode: fence !== undefined });
  }
  return { lines: joinContinued(lines), sections };
};

/** In English and Italian. */
const isUsageSection = (title: string): boolean =>
  /\b(?:usage|commands?|sub-?commands?|invocations?|examples?|uso|utilizzo|comand[oi]|sotto-?comand[oi]|esemp[io]i?|invocazion[ei])\b/i.test(
    title,
  );
const RUNNER = /^(?:(?:\/[\w/.-]+\/)?python[\d.]*|uv|node|bash|sh|bun|deno|tsx)$/;

/** The script of the skill that a row of words starts, and how many words that takes. */
const findScript = (
  words: readonly UsageWord[],
  files: ReadonlySet<string>,
): { readonly script: string; readonly used: number } | undefined => {
  for (const [index, { text }] of words.slice(0, 4).entries()) {
    const clean = text.replace(/^.*?(?=scripts\/)|^(?:\.\/)+|^(?:\$\{?\w+\}?|\{\w+\})\//, '');
    const own = files.has(clean)
      ? clean
      : [...files].find((file) => file.endsWith(`/${clean}`) && /\.(?:py|sh|js|mjs|ts)$/.test(clean));
    if (own !== undefined) return { script: own, used: index + 1 };
    if (!RUNNER.test(text) && !text.startsWith('-') && text !== 'run') return undefined;
  }
  return undefined;
};

/** `GAPI="python3 scripts/google_api.py"`: what a variable of the examples starts. */
const readLaunchers = (lines: readonly Line[], files: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const launchers = new Map<string, string>();
  for (const { text, isCode } of lines) {
    const match = isCode ? /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)=(.+)$/.exec(text) : undefined;
    if (!match) continue;
    const [, name = '', value = ''] = match;
    const found = findScript(splitUsage(value.trim().replace(/^(["'])([\s\S]*)\1$/, '$2')), files);
    if (found) launchers.set(name, found.script);
  }
  return launchers;
};

interface UsageLine {
  readonly domain: string;
  readonly action: string;
  readonly command?: readonly string[];
  readonly script: string;
  readonly line: number;
  readonly text: string;
  readonly args: readonly LineArgument[];
}

const WORD = /^[a-z][a-z0-9-]*$/i;

interface Command {
  readonly domain: string;
  readonly action: string;
  readonly words: readonly string[];
}

/** `issues list`, `list-issues`, `list issues`, or a script that is one command by its name. */
const readCommand = (rest: readonly UsageWord[], script: string): Command | undefined => {
  const [first, second] = rest.map(({ text, isQuoted }) => (isQuoted ? '' : text));
  const isPair = first !== undefined && second !== undefined && WORD.test(first) && WORD.test(second);
  if (isPair && domainOf(first.toLowerCase()))
    return { domain: first.toLowerCase(), action: second, words: [first, second] };
  const own = first === undefined ? undefined : verbAndNoun(first);
  if (own && first !== undefined) return { ...own, words: [first] };
  const turned = isPair ? verbAndNoun(`${first}-${second}`) : undefined;
  if (turned && isPair) return { ...turned, words: [first, second] };
  const named = verbAndNoun(/([^/]+)\.\w+$/.exec(script)?.[1] ?? '');
  if (named) return { ...named, words: [] };
  return isPair ? { domain: first.toLowerCase(), action: second, words: [first, second] } : undefined;
};

const readUsageLine = (
  row: Line,
  launchers: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
): Result<UsageLine, string> | undefined => {
  const text = row.text.trim().replace(/^[$>%] /, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const words = splitUsage(text);
  const variable = /^\$\{?([A-Z][A-Z0-9_]*)\}?$/.exec(words[0]?.text ?? '')?.[1];
  if (variable !== undefined && variable.endsWith('SETUP')) return undefined;
  const started = variable === undefined ? findScript(words, files) : undefined;
  if (variable === undefined && !started) return undefined;
  const only = [...files].filter((file) => /\.(?:py|sh|js|mjs)$/.test(file));
  const script = started?.script ?? launchers.get(variable ?? '') ?? (only.length === 1 ? only[0] : undefined);
  const rest = words.slice(started?.used ?? 1);
  const command = readCommand(rest, script ?? '');
  if (!command) return err('it does not name a domain and an action');
  if (script === undefined) return err(`it is not clear which script $${variable ?? ''} starts`);
  return ok({
    domain: command.domain,
    action: command.action,
    // The usual form needs no words of its own.
    ...((command.words[0]?.toLowerCase() !== command.domain || command.words[1] !== command.action) && {
      command: command.words,
    }),
    script,
    line: row.line,
    text: rest.map(({ text: word, isQuoted }) => (isQuoted ? JSON.stringify(word) : word)).join(' '),
    args: readArguments(rest.slice(command.words.length), command.action.toLowerCase()),
  });
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

/**
 * Required is what the source says. Where it says nothing: what every example has, unless it is a switch, a limit, or stood in brackets; one
 * example says nothing about its flags.
 */
const mergeArguments = (
  lines: readonly UsageLine[],
  flags: ReadonlyMap<string, SourceFlag>,
): readonly UsageArgument[] => {
  const isNeeded = (arg: Omit<UsageArgument, 'type'>, count: number): boolean => {
    const said = arg.flag === undefined ? undefined : flags.get(arg.flag);
    if (said) return said.required;
    return arg.required && count === lines.length && (arg.kind === 'positional' || lines.length > 1);
  };
  const merged = new Map<string, Merged>();
  for (const { args } of lines) {
    const seen = new Set<string>();
    for (const arg of args) {
      const key = `${arg.kind}:${arg.name}`;
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
          name: arg.name,
          kind: arg.kind,
          required: (before?.arg.required ?? true) && !arg.isOptional && type !== 'boolean' && !isLimit(arg.name),
          ...(arg.flag !== undefined && { flag: before?.arg.flag ?? arg.flag }),
          ...(arg.isId && { isId: true }),
          ...(choices && { choices }),
        },
      });
    }
  }
  return Array.from(merged.values(), ({ count, type, arg }) => ({
    ...arg,
    type: type ?? 'string',
    required: isNeeded(arg, count),
  }));
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

export const readSource = ({ name: folder, files }: SourceFiles): Result<ReadSource, string> => {
  const bytes = files.get('SKILL.md');
  if (!bytes) return err('There is no SKILL.md in it.');
  let text: string;
  try {
    text = toLineFeeds(decoder.decode(bytes).replace(/^\uFEFF/, ''));
  } catch (thrown) {
    if (thrown instanceof TypeError) return err('SKILL.md is not UTF-8.');
    throw thrown;
  }
  const front = readFrontmatter(text);
  if (!front.ok) return front;
  const fields = front.value;
  const name = textOf(fields['name']) || folder;
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name) || pathFault(name) !== undefined)
    return err(`“${name}” cannot be the name of a skill: letters, digits and hyphens.`);
  const paths = new Set(files.keys());
  const { lines, sections } = readLines(text);
  const launchers = readLaunchers(lines, paths);
  const usage: UsageLine[] = [];
  const skipped: { line: number; text: string; reason: string }[] = [];
  for (const row of lines) {
    if (!row.isCode || !isUsageSection(row.section)) continue;
    const read = readUsageLine(row, launchers, paths);
    if (!read) continue;
    if (read.ok) usage.push(read.value);
    else skipped.push({ line: row.line, text: row.text.trim(), reason: read.error });
  }
  const groups = new Map<string, UsageLine[]>();
  for (const line of usage) {
    const key = `${line.domain} ${line.action.toLowerCase()} ${line.command?.join(' ') ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  const subCommands = [...groups.values()].flatMap((group): SubCommand[] => {
    const [first] = group;
    if (!first) return [];
    const { domain, action, command, script, line } = first;
    const flags = sourceFlags(new TextDecoder().decode(files.get(script)));
    return [
      {
        domain,
        action,
        script,
        line,
        args: mergeArguments(group, flags),
        ...(command && { command }),
        examples: group.map((item) => item.text),
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
