/**
 * The arguments that a script defines itself, with argparse, click or typer in Python and commander in JavaScript: the truth about names,
 * types, defaults and what is required, before any example.
 */
import type { ArgumentType } from './types.ts';

export interface SourceArgument {
  /** Of a flag, as it is given: the long one of several. */
  readonly flag?: string;
  /** All spellings. */
  readonly flags: readonly string[];
  readonly name: string;
  readonly type: ArgumentType;
  readonly required: boolean;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** How several values are given: one word after the other, or the flag again for each. */
  readonly list?: 'words' | 'repeat';
  /** Of the program and not of its command: it is in front of the words of the command. */
  readonly isFirst?: boolean;
}

/** By the words of the command; the empty one holds what every command has. */
export type SourceCommands = ReadonlyMap<string, readonly SourceArgument[]>;

const MOST_CHARACTERS = 4000;
const MOST_TEXT = 400_000;

/** What stands between the bracket at `start` and the one that closes it. */
const insideBrackets = (text: string, start: number): string => {
  let depth = 0;
  let quote = '';
  for (let at = start; at < Math.min(text.length, start + MOST_CHARACTERS); at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '(' || char === '[' || char === '{') depth++;
    else if ((char === ')' || char === ']' || char === '}') && --depth === 0) return text.slice(start + 1, at);
  }
  return '';
};

/** Parts between commas that are in no bracket and no quotes. */
const splitArguments = (text: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '(' || char === '[' || char === '{') depth++;
    else if (char === ')' || char === ']' || char === '}') depth--;
    else if (char === '#') {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.replace(/^(?:\s|#[^\n]*\n)+/, '').trim()).filter((part) => part !== '');
};

const literal = (text: string | undefined): string | undefined =>
  /^[rRuU]?(["'`])((?:\\.|(?!\1)[^\\])*)\1$/s.exec(text ?? '')?.[2]?.replace(/\\(["'\\])/g, '$1');

interface Given {
  readonly positional: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

const readGiven = (inside: string): Given => {
  const positional: string[] = [];
  const named = new Map<string, string>();
  for (const part of splitArguments(inside)) {
    const [, key, value] = /^([A-Za-z_]\w*)\s*=(?!=)\s*([\s\S]*)$/.exec(part) ?? [];
    if (key === undefined || value === undefined) positional.push(part);
    else named.set(key, value.trim());
  }
  return { positional, named };
};

const TYPES: Readonly<Record<string, ArgumentType>> = {
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  'click.INT': 'integer',
  'click.FLOAT': 'number',
  'click.BOOL': 'boolean',
};

const typeOf = (text: string | undefined): ArgumentType =>
  text === undefined
    ? 'string'
    : (TYPES[text] ??
      (/^click\.IntRange\b/.test(text) ? 'integer' : /^click\.FloatRange\b/.test(text) ? 'number' : 'string'));

const valueOf = (text: string | undefined, type: ArgumentType): string | number | boolean | undefined => {
  if (text === undefined || text === 'None' || text === '...' || type === 'array') return undefined;
  const written = literal(text);
  if (written !== undefined) return type === 'string' ? written : undefined;
  if (/^-?\d+$/.test(text)) return type === 'integer' || type === 'number' ? Number(text) : undefined;
  if (/^-?\d+\.\d+$/.test(text)) return type === 'number' ? Number(text) : undefined;
  return undefined;
};

const listOf = (text: string | undefined): readonly string[] | undefined => {
  const inside = /^(?:click\.Choice\(\s*)?[[({]([\s\S]*?)[\])}]/.exec(text ?? '')?.[1];
  const items = inside === undefined ? [] : splitArguments(inside).map(literal);
  return items.length > 0 && items.every((item) => item !== undefined) ? items : undefined;
};

const snake = (text: string): string =>
  text
    .replace(/^-+/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '') || 'value';

/** One definition of argparse or click. */
const defined = ({ positional, named }: Given, isArgument: boolean): SourceArgument | undefined => {
  const names = positional.map(literal).filter((name) => name !== undefined);
  const flags = names.flatMap((name) => name.split('/').filter((item) => item.startsWith('-')));
  const flag = flags.find((item) => item.startsWith('--')) ?? flags[0];
  const plain = names.find((name) => !name.startsWith('-'));
  if (flag === undefined && plain === undefined) return undefined;
  const action = literal(named.get('action')) ?? '';
  if (action === 'version' || action === 'help') return undefined;
  const nargs = named.get('nargs');
  const isSwitch =
    /^store_(?:true|false|const)$|^count$/.test(action) ||
    named.get('is_flag') === 'True' ||
    /BooleanOptionalAction/.test(named.get('action') ?? '');
  const isRepeat = action === 'append' || named.get('multiple') === 'True';
  const isWords = nargs !== undefined && /^(?:["'][+*]["']|-1|[2-9])$/.test(nargs);
  const kind = isSwitch ? 'boolean' : typeOf(named.get('type'));
  const type: ArgumentType = isRepeat || isWords ? 'array' : kind;
  const choices =
    listOf(named.get('choices')) ??
    listOf(named.get('type')?.startsWith('click.Choice') === true ? named.get('type') : undefined);
  const fallback = isSwitch ? undefined : valueOf(named.get('default'), type);
  const isLoose = /^["'][?*]["']$/.test(nargs ?? '') || named.has('default') || named.get('required') === 'False';
  return {
    ...(flag !== undefined && { flag }),
    flags,
    name: snake(flag ?? plain ?? ''),
    type,
    required:
      flag === undefined || isArgument ? !isLoose && nargs !== '-1' : named.get('required') === 'True' && !isSwitch,
    ...(choices && type !== 'array' && { choices }),
    ...(fallback !== undefined && { default: fallback }),
    ...(isRepeat ? { list: 'repeat' as const } : isWords ? { list: 'words' as const } : {}),
  };
};

/** `name: Annotation = default` of a function that typer makes a command of. */
const typerParameter = (text: string): SourceArgument | undefined => {
  const [, name, annotation = '', fallback] =
    /^([A-Za-z_]\w*)\s*(?::\s*([\s\S]*?))?(?:\s=\s*([\s\S]*)|=([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined || name === 'self' || /\bContext\b/.test(annotation)) return undefined;
  const annotated = /\btyper\.(?:Option|Argument)\s*\(/.exec(annotation);
  const inDefault = /^typer\.(Option|Argument)\s*\(/.exec(fallback ?? '');
  const source = inDefault ? (fallback ?? '') : annotation;
  const call = inDefault ?? annotated;
  const given = call ? readGiven(insideBrackets(source, (call.index ?? 0) + call[0].length - 1)) : readGiven('');
  const isOption = call ? call[0].includes('Option') : fallback !== undefined;
  const [first] = given.positional;
  const written = inDefault
    ? (given.named.get('default') ?? (literal(first)?.startsWith('-') === true ? undefined : first))
    : fallback;
  const bare = annotation.replace(/^Annotated\[\s*/, '').replace(/^(?:Optional|typing\.Optional)\[/, '');
  const isList = /^(?:List|list|typing\.List)\[/.test(bare);
  const type: ArgumentType = isList ? 'array' : typeOf(/^\w+/.exec(bare)?.[0]);
  const flags = given.positional.map(literal).filter((item) => item?.startsWith('-') === true) as string[];
  const flag = isOption
    ? (flags.find((item) => item.startsWith('--')) ?? flags[0] ?? `--${name.replaceAll('_', '-')}`).split('/')[0]
    : undefined;
  const value = valueOf(written, type);
  return {
    ...(flag !== undefined && { flag }),
    flags: flag === undefined ? [] : [flag, ...flags],
    name: snake(name),
    type,
    required: written === undefined ? !/^(?:Optional\[|.*\|\s*None)/.test(annotation) : written === '...',
    ...(value !== undefined && { default: value }),
    ...(isList && { list: isOption ? ('repeat' as const) : ('words' as const) }),
  };
};

/** `-t, --title <text>`, `<path>`, `[path...]` of commander. */
const commander = (written: string, fallback: string | undefined, isRequired: boolean): SourceArgument | undefined => {
  const flags = written.match(/--?[\w-]+/g) ?? [];
  const isFlag = written.startsWith('-');
  const [, open, inner = ''] = /([<[])([^>\]]{1,500})[>\]]/.exec(written) ?? [];
  const flag = isFlag ? (flags.find((item) => item.startsWith('--')) ?? flags[0]) : undefined;
  if (isFlag && flag === undefined) return undefined;
  const isList = inner.endsWith('...');
  const type: ArgumentType =
    isFlag && open === undefined ? 'boolean' : isList ? 'array' : /^-?\d+$/.test(fallback ?? '') ? 'integer' : 'string';
  const value = valueOf(fallback, type);
  return {
    ...(flag !== undefined && { flag }),
    flags: isFlag ? flags : [],
    name: snake(flag ?? (inner.replace(/(?<!\.)\.+$/, '') || written)),
    type,
    required: isFlag ? isRequired : open !== '[',
    ...(value !== undefined && { default: value }),
    ...(isList && { list: 'words' as const }),
  };
};

const MARK =
  /(?:\b([A-Za-z_]\w*)\s*=\s*)?\b([A-Za-z_]\w*)\.(add_subparsers|add_parser|add_argument_group|add_mutually_exclusive_group|add_argument|add_typer)\s*\(|(?:^|\n)[ \t]*@([A-Za-z_]\w*)\.(command|group|option|argument|callback)\b\s*(\()?|(?:^|\n)[ \t]*(?:async\s+)?def\s+([A-Za-z_]\w*)\s*\(/g;

const readPython = (text: string): Map<string, SourceArgument[]> => {
  const commands = new Map<string, SourceArgument[]>();
  /** The words of the command that a variable stands for. */
  const words = new Map<string, string>();
  const put = (command: string, arg: SourceArgument | undefined): void => {
    if (!arg) return;
    const before = commands.get(command) ?? [];
    if (!before.some((other) => other.flag === arg.flag && (arg.flag !== undefined || other.name === arg.name)))
      commands.set(command, [...before, arg]);
  };
  const under = (variable: string, name: string): string => `${words.get(variable) ?? ''} ${name}`.trim();
  let pending: { command?: string; isGroup: boolean; owner: string; args: SourceArgument[] } | undefined;
  const isTyper = /\btyper\b/.test(text);
  for (const match of text.matchAll(MARK)) {
    const [whole, target, owner = '', method, decorator, kind, hasArguments, fn] = match;
    const inside = whole.endsWith('(') ? insideBrackets(text, match.index + whole.length - 1) : '';
    if (method !== undefined) {
      const given = readGiven(inside);
      const name = literal(given.positional[0]);
      if (method === 'add_argument') put(words.get(owner) ?? '', defined(given, false));
      else if (method === 'add_parser' && name !== undefined) {
        const command = under(owner, name);
        if (!commands.has(command)) commands.set(command, []);
        if (target !== undefined) words.set(target, command);
      } else if (method === 'add_typer') {
        const [sub = ''] = given.positional;
        words.set(sub, under(owner, literal(given.named.get('name')) ?? sub));
      } else if (target !== undefined) words.set(target, words.get(owner) ?? '');
      continue;
    }
    if (decorator !== undefined && kind !== undefined) {
      const given = readGiven(hasArguments === undefined ? '' : inside);
      pending ??= { isGroup: false, owner: decorator, args: [] };
      if (kind === 'command' || kind === 'group' || kind === 'callback') {
        const name = literal(given.positional[0]) ?? literal(given.named.get('name'));
        pending = {
          ...pending,
          owner: decorator,
          isGroup: kind !== 'command',
          ...(name !== undefined && { command: name }),
        };
      } else {
        const arg = defined(given, kind === 'argument');
        if (arg) pending.args.push(kind === 'argument' ? { ...arg, flags: [] } : arg);
      }
      continue;
    }
    if (fn === undefined || !pending) continue;
    const { owner: group, isGroup, args, command: said } = pending;
    pending = undefined;
    const isRoot = group === 'click' || (isGroup && !words.has(group));
    const own = said ?? fn.replaceAll('_', '-');
    const isOnly = isTyper && (text.match(/@\w+\.command\b/g)?.length ?? 0) === 1;
    const command = isRoot || isOnly ? '' : under(group, own);
    if (isGroup) {
      words.set(fn, isRoot ? '' : command);
      for (const arg of args) put(isRoot ? '' : command, arg);
      continue;
    }
    if (!commands.has(command)) commands.set(command, []);
    for (const arg of args) put(command, arg);
    if (isTyper && args.length === 0) for (const part of splitArguments(inside)) put(command, typerParameter(part));
  }
  return commands;
};

const JS_MARK = /\.(command|requiredOption|option|argument)\s*\(/g;

const readJavascript = (text: string): Map<string, SourceArgument[]> => {
  const commands = new Map<string, SourceArgument[]>();
  if (!/\bcommander\b/.test(text)) return commands;
  let current = '';
  for (const match of text.matchAll(JS_MARK)) {
    const parts = splitArguments(insideBrackets(text, match.index + match[0].length - 1));
    const written = literal(parts[0]);
    if (written === undefined) continue;
    if (match[1] === 'command') {
      const [name = '', ...rest] = written.split(/\s+/);
      current = name;
      commands.set(
        current,
        rest.flatMap((item) => commander(item, undefined, true) ?? []),
      );
      continue;
    }
    const arg = commander(written, parts[2], match[1] === 'requiredOption');
    if (arg) commands.set(current, [...(commands.get(current) ?? []), arg]);
  }
  return commands;
};

/** Nothing where the script defines none in a way that is known here. */
export const sourceCommands = (path: string, text: string): SourceCommands => {
  if (text.length > MOST_TEXT) return new Map();
  if (path.endsWith('.py')) return readPython(text);
  return /\.[mc]?[jt]s$/.test(path) ? readJavascript(text) : new Map();
};

/** Of one command: its own and what every command has; nothing where the script says nothing about it. */
export const argumentsOf = (
  commands: SourceCommands,
  words: readonly string[],
): readonly SourceArgument[] | undefined => {
  const own = commands.get(words.join(' '));
  const shared = words.length === 0 ? [] : (commands.get('') ?? []);
  if (own) {
    const first = shared.filter(({ flag }) => flag !== undefined && !own.some((arg) => arg.flag === flag));
    return [...own, ...first.map((arg): SourceArgument => Object.assign({}, arg, { isFirst: true }))];
  }
  if (commands.size !== 1) return undefined;
  // The words of the command are its first positionals: `parser.add_argument("action", choices=…)`.
  const root = commands.get('') ?? [];
  const taken = new Set(root.filter(({ flag }) => flag === undefined).slice(0, words.length));
  return root.filter((arg) => !taken.has(arg));
};
