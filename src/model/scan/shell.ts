/** Follows data through a shell script: pipes, variables, substitutions, redirections, functions. */
import { parse } from 'unbash';
import type {
  AndOr,
  ArrayValue,
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  DoubleQuotedChild,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirection,
  Statement,
  Word,
  WordPart,
} from 'unbash';
import type { Place } from './types.ts';
import { allMarks, concat, HOLE, joinMarks, NOTHING, textValue, withMarks, type Mark, type Value } from './value.ts';
import { isShellName, runArgv } from './shell-commands.ts';
import type { World } from './world.ts';

export interface ShellInput {
  readonly text: string;
  readonly placeOf: (offset: number) => Place;
  readonly world: World;
  readonly depth: number;
  readonly holes: readonly Mark[];
  /** What earlier pieces of the same document have set. */
  readonly memory?: ShellMemory;
}

export interface ShellMemory {
  readonly variables: Map<string, Value>;
}

const MAX_CALLS = 30;
const MAX_DEPTH = 60;

/** Braces in one word from which on the parser's search for their ends takes longer than the text is worth. */
const MAX_BRACES = 300;

/** A word of braces means nothing to a shell; as another sign it keeps every offset. */
const withoutBraceWalls = (text: string): string =>
  text.replace(/\S+/g, (word) =>
    word.length > MAX_BRACES && word.split('{').length > MAX_BRACES ? word.replaceAll('{', '_') : word,
  );

type Node = AndOr | PipelineNode | Statement | CompoundList | CommandNode;

/** Gives what the script puts out. */
export const analyseShell = (input: ShellInput): Value => {
  const { world, placeOf, depth } = input;
  const variables = input.memory?.variables ?? new Map<string, Value>();
  const functions = new Map<string, Node>();
  const calls = new Map<string, number>();
  const sockets = new Map<string, Value>();
  let positional: readonly Value[] = [];
  let level = 0;

  const holed = (value: Value): Value =>
    value.texts.some((text) => text.includes(HOLE)) ? withMarks(value, input.holes) : value;

  const parameter = (name: string, at: number): Value => {
    const own = variables.get(name);
    if (own) return own;
    if (/^\d+$/.test(name)) return positional[Number(name) - 1] ?? NOTHING;
    if (name === '@' || name === '*')
      return { marks: joinMarks(positional.map(allMarks)), texts: [], items: positional };
    if (name === 'HOME') return { marks: [], texts: ['$HOME'] };
    if (name === 'IFS') return textValue(' ');
    if (
      /^[?#$!_-]$|^(?:PWD|OLDPWD|USER|SHELL|PATH|RANDOM|LINENO|SECONDS|BASH_SOURCE|TMPDIR|UID|EUID|HOSTNAME|LANG|TERM|IFS|PPID|OSTYPE|BASH_VERSION|0)$/.test(
        name,
      )
    )
      return NOTHING;
    return /^[A-Z][A-Z0-9_]*$/.test(name) ? world.variable(placeOf(at), [name]) : NOTHING;
  };

  const part = (item: WordPart | DoubleQuotedChild): Value => {
    switch (item.type) {
      case 'Literal':
      case 'SingleQuoted':
        return holed(textValue(item.value));
      case 'AnsiCQuoted':
        return /\\x[0-9a-f]{2}|\\[0-7]{3}/i.test(item.text) && item.value.length > 1
          ? world.decoded(placeOf(item.pos), "$'\\x…'", NOTHING, [item.value])
          : textValue(item.value);
      case 'DoubleQuoted':
      case 'LocaleString':
        return concat(item.parts.map(part));
      case 'SimpleExpansion':
        return parameter(item.text.slice(1), item.pos);
      case 'ParameterExpansion': {
        const base = parameter(item.parameter, item.pos);
        const { operation } = item;
        if (operation?.type === 'Default') {
          const other = word(operation.operand);
          return {
            marks: joinMarks([base.marks, other.marks]),
            texts: base.texts.length > 0 ? base.texts : other.texts,
          };
        }
        if (item.prefix === '!') return withMarks({ marks: [], texts: [] }, base.marks);
        if (operation?.type === 'Slice') {
          const from = Number(operation.offset.value);
          const length = operation.length === undefined ? undefined : Number(operation.length.value);
          if (Number.isNaN(from) || Number.isNaN(length)) return { marks: base.marks, texts: [] };
          return {
            marks: base.marks,
            texts: base.texts.map((text) => text.slice(from, length === undefined ? undefined : from + length)),
          };
        }
        if (operation?.type === 'Replace') {
          const pattern = operation.pattern.value;
          return {
            marks: base.marks,
            texts:
              pattern === ''
                ? base.texts
                : base.texts.map((text) => text.replaceAll(pattern, operation.replacement.value)),
          };
        }
        return operation ? { marks: base.marks, texts: [] } : base;
      }
      case 'CommandExpansion': {
        const out = script(item.script);
        return { ...out, texts: out.texts.map((text) => text.replace(/(?<!\n)\n+$/, '')) };
      }
      case 'ProcessSubstitution':
        return { ...script(item.script), ref: 'process-substitution' };
      case 'Glob':
      case 'BraceExpansion':
      case 'ExtendedGlob':
        return textValue(item.text);
      case 'ArithmeticExpansion':
        return NOTHING;
    }
  };

  const word = (item: Word): Value => {
    if (!item.parts || item.parts.length === 0) return holed(textValue(item.value.replace(/^~(?=\/|$)/, '~')));
    const parts = item.parts.map(part);
    const [only] = parts;
    if (parts.length === 1 && only) return only;
    return concat(parts);
  };

  const value = (item: Word | ArrayValue): Value =>
    item.type === 'ArrayValue' ? { marks: [], texts: [], items: item.elements.map(word) } : word(item);

  const assign = (item: Assignment): void => {
    const given = value(item.value);
    const before = variables.get(item.name);
    variables.set(item.name, item.append === true && before ? concat([before, given]) : given);
  };

  /** A word that stands for several: `"${parts[@]}"`, `$cmd` with blanks in it. */
  const expand = (given: Value, item: Word): Value[] => {
    if (given.items) return [...given.items];
    const [text] = given.texts;
    const isBare =
      item.parts?.length === 1 &&
      /^(?:SimpleExpansion|ParameterExpansion|CommandExpansion)$/.test(item.parts[0]?.type ?? '');
    const by = isBare ? variables.get('IFS')?.texts[0] : undefined;
    const blank = by !== undefined && /^[^\s\w/.-]|^_$/.test(by) ? text?.replaceAll(by, ' ') : text;
    const hasBlanks = item.parts?.some((piece) => /^\$\{?IFS\b/.test(piece.text)) === true;
    if ((isBare || hasBlanks) && blank !== undefined && given.texts.length === 1 && /\s/.test(blank.trim()))
      return blank
        .trim()
        .split(/\s+/)
        .map((piece) => ({ marks: given.marks, texts: [piece] }));
    return [given];
  };

  const socketOf = (target: Word | undefined): { readonly address: Value } | undefined => {
    if (!target) return undefined;
    const given = word(target);
    const text = given.texts[0] ?? '';
    const match = /^\/dev\/(?:tcp|udp)\/([^/]*)\//.exec(text);
    return match ? { address: { marks: given.marks, texts: [`tcp://${match[1] ?? ''}`] } } : undefined;
  };

  /** Input of a command from its redirections. */
  const inputOf = (redirects: readonly Redirection[], stdin: Value): Value => {
    let given = stdin;
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') {
        const { body } = redirect;
        given = body.parts ? concat(body.parts.map(part)) : holed(textValue(body.text));
      } else if (redirect.type === 'HereString') given = redirect.target ? word(redirect.target) : NOTHING;
      else if (redirect.operator === '<' && redirect.target) {
        const target = word(redirect.target);
        given = target.ref === 'process-substitution' ? target : world.readFile(placeOf(redirect.pos), target, 'reads');
      } else if (redirect.operator === '<&' && redirect.target) given = sockets.get(redirect.target.value) ?? given;
    }
    return given;
  };

  const outputTo = (redirects: readonly Redirection[], out: Value, name: Value | undefined): Value => {
    let rest = out;
    for (const redirect of redirects) {
      if (redirect.type !== 'Redirect' || !redirect.target) continue;
      const place = placeOf(redirect.pos);
      const socket = socketOf(redirect.target);
      if (socket) {
        if (name && isShellName(name)) world.alarm('reverse-shell', place, 'A shell is connected to the network.');
        world.sendNetwork(place, socket.address, [out], '/dev/tcp');
        const descriptor =
          redirect.descriptor?.type === 'FileDescriptor' ? String(redirect.descriptor.value) : undefined;
        if (descriptor !== undefined) sockets.set(descriptor, world.readNetwork(place, socket.address, '/dev/tcp'));
        continue;
      }
      if (redirect.operator === '>&' && sockets.has(redirect.target.value))
        world.sendNetwork(place, NOTHING, [out], '/dev/tcp');
      if (!/^(?:>|>>|>\||&>|&>>|<>)$/.test(redirect.operator)) continue;
      const target = word(redirect.target);
      const text = target.texts[0] ?? '';
      if (/^\/dev\/(?:null|stdout|stderr|tty|fd\/)/.test(text)) continue;
      world.writeFile(place, target, out, 'writes');
      if (
        redirect.descriptor === undefined ||
        (redirect.descriptor.type === 'FileDescriptor' && redirect.descriptor.value === 1)
      )
        rest = NOTHING;
    }
    return rest;
  };

  const call = (name: string, args: readonly Value[], stdin: Value): Value => {
    const count = calls.get(name) ?? 0;
    const body = functions.get(name);
    if (!body || count >= MAX_CALLS) return { marks: joinMarks(args.map(allMarks)), texts: [] };
    calls.set(name, count + 1);
    const before = positional;
    positional = args;
    const out = node(body, stdin);
    positional = before;
    return out;
  };

  const command = (item: Command, stdin: Value): Value => {
    for (const prefix of item.prefix) if (prefix.type === 'Assignment') assign(prefix);
    const given = inputOf(item.redirects, stdin);
    if (!item.name) return outputTo(item.redirects, given === stdin ? NOTHING : given, undefined);
    const name = word(item.name);
    const words: Value[] = [...expand(name, item.name)];
    for (const arg of item.args) {
      if (arg.type === 'Assignment' && item.name.value === 'alias')
        words.push(concat([textValue(`${arg.name}=`), value(arg.value)]));
      else if (arg.type === 'Assignment') {
        assign(arg);
        words.push(textValue(`${arg.name}=`));
      } else for (const expanded of expand(word(arg), arg)) words.push(expanded);
    }
    const place = placeOf(item.pos);
    const [first = NOTHING, ...args] = words;
    const text = first.texts[0] ?? '';
    if (text === 'read' || text === 'mapfile' || text === 'readarray') {
      for (const arg of args) {
        const variable = arg.texts[0] ?? '';
        if (/^[A-Za-z_]\w*$/.test(variable)) variables.set(variable, { marks: allMarks(given), texts: [] });
      }
      return NOTHING;
    }
    if (text === 'alias') {
      for (const arg of args) {
        const [, key = '', body = ''] = /^([\w-]+)=(.*)$/s.exec(arg.texts[0] ?? '') ?? [];
        if (key !== '')
          functions.set(key, { type: 'CompoundList', pos: 0, end: 0, commands: parse(`${body} "$@"`).commands });
      }
    }
    if (text === 'trap' && args.length > 1 && !/^-?$/.test(args[0]?.texts[0] ?? ''))
      world.runCode(place, args[0] ?? NOTHING, 'shell', 'trap', depth);
    if (functions.has(text)) return outputTo(item.redirects, call(text, args, given), first);
    const out = runArgv({ world, depth }, place, words, given, '');
    return outputTo(item.redirects, out, first);
  };

  const SENDERS = /^(?:nc|ncat|netcat|telnet|socat)$/;
  const pipeline = (item: Pipeline, stdin: Value): Value => {
    let flow = stdin;
    let shellAt: CommandNode | undefined;
    for (const stage of item.commands) {
      const isCommand = stage.type === 'Command';
      const name = isCommand && stage.name ? stage.name.value : '';
      if (shellAt && SENDERS.test(name))
        world.alarm('reverse-shell', placeOf(stage.pos), `A shell’s output goes to ${name}.`);
      if (
        isCommand &&
        stage.name &&
        isShellName(textValue(stage.name.value)) &&
        !stage.args.some((arg) => arg.type === 'Word' && arg.value === '-c')
      )
        shellAt = stage;
      flow = node(stage, flow);
    }
    return flow;
  };

  const list = (item: CompoundList, stdin: Value): Value => {
    let out: Value = NOTHING;
    for (const statement of item.commands) {
      const next = node(statement, stdin);
      out =
        out === NOTHING ? next : { marks: joinMarks([allMarks(out), allMarks(next)]), texts: concatTexts(out, next) };
    }
    return out;
  };

  const concatTexts = (a: Value, b: Value): readonly string[] =>
    a.texts.length + b.texts.length === 0 ? [] : [`${a.texts[0] ?? HOLE}\n${b.texts[0] ?? HOLE}`];

  const node = (item: Node, stdin: Value): Value => {
    if (!world.spend() || ++level > MAX_DEPTH) {
      level--;
      return NOTHING;
    }
    try {
      return nodeOf(item, stdin);
    } finally {
      level--;
    }
  };

  const nodeOf = (item: Node, stdin: Value): Value => {
    switch (item.type) {
      case 'Statement':
        return node(item.command, stdin);
      case 'Command':
        return command(item, stdin);
      case 'Pipeline':
        return pipeline(item, stdin);
      case 'AndOr':
        return item.commands
          .map((inner) => node(inner, stdin))
          .reduce((a, b) => ({ marks: joinMarks([allMarks(a), allMarks(b)]), texts: b.texts }), NOTHING);
      case 'CompoundList':
        return list(item, stdin);
      case 'Subshell':
      case 'BraceGroup':
        return list(item.body, stdin);
      case 'If': {
        node(item.clause, stdin);
        const bodies = [
          item.then,
          ...item.elif.flatMap(({ clause, then }) => [clause, then]),
          ...(item.else ? [item.else] : []),
        ];
        return { marks: joinMarks(bodies.map((body) => allMarks(list(body, stdin)))), texts: [] };
      }
      case 'For':
      case 'Select': {
        const items = (item.wordlist ?? []).flatMap((each) => expand(word(each), each));
        const given = items.length === 1 ? items[0] : undefined;
        variables.set(
          item.name.value,
          given ?? { marks: joinMarks(items.map(allMarks)), texts: items.flatMap(({ texts }) => texts).slice(0, 8) },
        );
        list(item.body, stdin);
        return list(item.body, stdin);
      }
      case 'ArithmeticFor':
        return list(item.body, stdin);
      case 'While':
        node(item.clause, stdin);
        list(item.body, stdin);
        return list(item.body, stdin);
      case 'Case':
        return { marks: joinMarks(item.items.map(({ body }) => allMarks(list(body, stdin)))), texts: [] };
      case 'Redirected':
        return outputTo(item.redirects, node(item.command, inputOf(item.redirects, stdin)), undefined);
      case 'Function':
        functions.set(item.name.value, item.body);
        return NOTHING;
      case 'Coproc':
        return node(item.body, stdin);
      case 'TestCommand':
      case 'ArithmeticCommand':
        return NOTHING;
    }
  };

  const script = (parsed: ParsedScript | undefined): Value => {
    let out: Value = NOTHING;
    for (const statement of parsed?.commands ?? []) {
      const next = node(statement, NOTHING);
      out =
        out === NOTHING ? next : { marks: joinMarks([allMarks(out), allMarks(next)]), texts: concatTexts(out, next) };
    }
    return out;
  };

  const out = script(parse(withoutBraceWalls(input.text)));
  // Functions that nobody calls are read all the same.
  for (const [name, body] of functions) if (!calls.has(name)) node(body, NOTHING);
  return out;
};
