/** Rows of SKILL.md that call a script of the skill: in blocks, in spans of a sentence, and in tables. */
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { SourceArgument, SourceCommands } from './source-arguments.ts';
import { readArguments, splitUsage, type LineArgument, type UsageWord } from './usage-line.ts';
import { cellOf, domainOf, readWords, verbAndNoun } from './vocabulary-map.ts';

export interface Line {
  readonly text: string;
  readonly line: number;
  readonly section: string;
  readonly isCode: boolean;
  /** Another page of the skill than SKILL.md. */
  readonly page?: string;
}

export interface UsageLine {
  readonly domain: string;
  readonly action: string;
  readonly command?: readonly string[];
  readonly script: string;
  readonly line: number;
  readonly page?: string;
  readonly text: string;
  readonly args: readonly LineArgument[];
}

interface Skill {
  readonly files: ReadonlySet<string>;
  readonly skill: string;
  readonly definedIn: (script: string) => SourceCommands;
  /** A script that does nothing when it is started. */
  readonly isPart: (script: string) => boolean;
}

interface Skipped {
  readonly line: number;
  readonly page?: string;
  readonly text: string;
  readonly reason: string;
}

/** In English and Italian. */
const isUsageSection = (title: string): boolean =>
  /\b(?:usage|commands?|sub-?commands?|invocations?|examples?|uso|utilizzo|comand[oi]|sotto-?comand[oi]|esemp[io]i?|invocazion[ei])\b/i.test(
    title,
  );
/** What is run once, or by anyone who works on the skill. */
const isSetupSection = (title: string): boolean =>
  /\b(?:set-?up|install\w*|prerequisites?|requirements?|configur\w*|troubleshoot\w*|develop\w*|tests?|testing|contribut\w*|publish\w*)\b/i.test(
    title,
  );
const RUNNER = /^(?:(?:\/[\w/.-]+\/)?python[\d.]*|uv|npx|node|bash|sh|bun|deno|tsx)$/;
const SCRIPT = /\.(?:py|sh|js|mjs|ts)$/;

const baseOf = (file: string): string => file.replace(/^.*\//, '').replace(/\.\w+$/, '');

/** The script of the skill that a row of words starts, and how many words that takes. */
const findScript = (
  words: readonly UsageWord[],
  files: ReadonlySet<string>,
): { readonly script: string; readonly used: number } | undefined => {
  for (const [index, { text }] of words.slice(0, 6).entries()) {
    const before = words[index - 1]?.text ?? '';
    // `python -m scripts.desk`, as the file that it is.
    const path = before === '-m' && /^\w+(?:\.\w+)+$/.test(text) ? `${text.replaceAll('.', '/')}.py` : text;
    const clean = path.replace(/^.*?(?=scripts\/)|^(?:\.\/)+|^(?:\$\{?\w+\}?|\{\w+\})\//, '');
    const own = files.has(clean) ? clean : [...files].find((file) => file.endsWith(`/${clean}`) && SCRIPT.test(clean));
    if (own !== undefined) return { script: own, used: index + 1 };
    const isOfRunner = /^--?(?:with|python|p|package)$/.test(before);
    if (!RUNNER.test(text) && !text.startsWith('-') && text !== 'run' && text !== 'tsx' && !isOfRunner)
      return undefined;
  }
  return undefined;
};

/** `desk list`: the name of a script without its ending, as somebody has it who has linked it. */
const findNamed = (
  words: readonly UsageWord[],
  files: ReadonlySet<string>,
): { readonly script: string; readonly used: number } | undefined => {
  const [first] = words;
  if (!first || words.length < 2 || !/^[a-z][\w-]{2,}$/i.test(first.text) || RUNNER.test(first.text)) return undefined;
  const own = [...files].filter((file) => SCRIPT.test(file) && baseOf(file) === first.text);
  const [script] = own;
  return own.length === 1 && script !== undefined ? { script, used: 1 } : undefined;
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

const WORD = /^[a-z][a-z0-9-]*$/i;

interface Command {
  readonly domain: string;
  readonly action: string;
  readonly words: readonly string[];
}

/** Words that the skill and its script are named by. */
const wordsOfNames = (script: string, skill: string): readonly string[] =>
  [...baseOf(script).split(/[-_]/), ...skill.split(/[-_]/)].map((word) => word.toLowerCase());

/** What an action alone is about: the noun in the name of its script, or of its skill. */
const nounOf = (action: string, script: string, skill: string): string | undefined =>
  wordsOfNames(script, skill).find((word) => domainOf(word) !== undefined && cellOf(word, action) !== undefined);

/** Of a verb that says what is done to something: what it takes is what it is about. */
const TAKES: ReadonlySet<string> = new Set(['own', 'fetch_metadata', 'shape']);
const isTaken = (action: string): boolean => TAKES.has(cellOf('', action)?.effect ?? '');

const ENDINGS: Readonly<Record<string, string>> = {
  htm: 'html',
  yml: 'files',
  yaml: 'files',
  txt: 'texts',
  docx: 'docs',
};

/** What can be handed over; `<number-or-url>` says nothing of what a command is about. */
const HANDED: ReadonlySet<string> = new Set(['files', 'dirs', 'urls', 'texts', 'images']);
const isHanded = (noun: string): boolean => HANDED.has(domainOf(noun)?.object ?? '');

/** `<excel_file>`, `--input data.csv`, `report.pdf`, `path/to/folder`: what an argument is, by its name or its example. */
const takenNoun = (name: string, example = ''): string | undefined => {
  const ending = /\.([a-z0-9]{2,5})$/i.exec(example)?.[1]?.toLowerCase();
  const byEnding = ending === undefined ? undefined : (ENDINGS[ending] ?? ending);
  if (byEnding !== undefined && isHanded(byEnding)) return byEnding;
  if (/^https?:/.test(example)) return 'urls';
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  if (words.some((word) => /^(?:dir|dirs|folder|directory)$/.test(word))) return 'dirs';
  const noun = words.find((word) => !/^(?:input|output|out|path|file|filename|text)$/.test(word) && isHanded(word));
  if (noun !== undefined) return noun === 'url' ? 'urls' : noun;
  if (words.includes('text')) return 'texts';
  if (words.some((word) => /^(?:file|files|path|filename|filepath)$/.test(word))) return 'files';
  return words.length === 1 && words[0] === 'input' ? 'files' : undefined;
};

const OUTPUT = /^(?:o$|out|config|format|api|key|model|lang|template|style|report)/;

/** The first argument that says what it is; outputs and settings do not. */
const nounOfLine = (
  rest: readonly UsageWord[],
  action: string,
  args: readonly SourceArgument[],
): string | undefined => {
  for (const [index, { text }] of rest.entries()) {
    const before = rest[index - 1]?.text ?? '';
    if (text.startsWith('-')) continue;
    // A flag that may be left out is a setting, unless it says by its name that it is what the command takes.
    const isNeeded = args.some(({ flags, required }) => required && flags.includes(before));
    if (before.startsWith('-') && !isNeeded && !/^--?(?:i|f|input|file|path|dir|folder|url|source|src)$/.test(before))
      continue;
    if (OUTPUT.test(before.replace(/^-+/, ''))) continue;
    const name = before.startsWith('-') ? before.replace(/^-+/, '') : '';
    const bare = /^<([^<>]+)>$|^\{([^{}]+)\}$/.exec(text);
    const placeholder = bare?.[1] ?? bare?.[2] ?? (/^[A-Z][A-Z0-9_]+$/.test(text) ? text : undefined);
    const found =
      (name === '' ? undefined : takenNoun(name)) ??
      takenNoun(placeholder ?? name, placeholder === undefined ? text : '') ??
      (/\/$|(?:^|\/)(?:folder|dir|directory)\b/.test(text) ? 'dirs' : undefined);
    if (found !== undefined && cellOf(found, action)) return found;
  }
  return undefined;
};

/** The same by the definitions of the source: a positional, or a flag that is needed. */
const nounOfSource = (args: readonly SourceArgument[], action: string): string | undefined =>
  args
    .filter(({ flag, required, type }) => type !== 'boolean' && (flag === undefined || required))
    .filter(({ name }) => !OUTPUT.test(name))
    .map(({ name }) => takenNoun(name))
    .find((noun) => noun !== undefined && cellOf(noun, action) !== undefined);

/** What an action alone is about, by all that is known of it. */
const aboutOf = (
  action: string,
  script: string,
  skill: string,
  rest: readonly UsageWord[],
  args: readonly SourceArgument[],
): string | undefined => {
  const ofSkill = readWords(skill);
  if (ofSkill.action === action && ofSkill.domain !== undefined) return ofSkill.domain;
  const named =
    baseOf(script).split(/[-_]/).length > 1 || !/[-_]/.test(skill) ? nounOf(action, script, skill) : undefined;
  const taken = isTaken(action) ? (nounOfLine(rest, action, args) ?? nounOfSource(args, action)) : undefined;
  return named ?? taken ?? nounOf(action, script, skill);
};

const OUTPUT_FILE = /^--?(?:o|out|output|out-?file|output[-_]?(?:file|path))$/;

/** Whether what is made goes into a file that is named. */
const writesFile = (rest: readonly UsageWord[], args: readonly SourceArgument[]): boolean =>
  rest.some(({ text }) => OUTPUT_FILE.test(text)) ||
  args.some(({ flags, type }) => type !== 'boolean' && flags.some((flag) => OUTPUT_FILE.test(flag)));

export const NO_PYTHON = (script: string): string => `${script} isn’t Python, and executors run in the Python sandbox`;

const NO_VERB = (word: string): string => `no word of “${word}” is a verb that Lathe’s vocabulary has`;
const NO_OBJECT = (word: string): string => `what “${word}” refers to isn’t in the vocabulary`;

/** `issues list`, `list-issues`, `list issues`, `issues.py list`, or a script that is one command by its name. */
const readCommand = (
  rest: readonly UsageWord[],
  script: string,
  { skill, definedIn }: Pick<Skill, 'skill' | 'definedIn'>,
): Result<Command, string> => {
  const [first, second] = rest.map(({ text, isQuoted }) => (isQuoted ? '' : text));
  const commands = definedIn(script);
  const hasOwn = [...commands.keys()].some((words) => words !== '');
  // A command of one word by its source: what comes after it is a value.
  const isOne = first !== undefined && first !== '' && commands.has(first) && !commands.has(`${first} ${second ?? ''}`);
  const isPair = !isOne && first !== undefined && second !== undefined && WORD.test(first) && WORD.test(second);
  const pair = isPair ? { domain: first.toLowerCase(), action: second, words: [first, second] } : undefined;
  if (pair && domainOf(pair.domain) && (cellOf(pair.domain, pair.action) || !hasOwn)) return ok(pair);
  // A word in front, where the source does not say that it is a value.
  const word =
    first !== undefined && /^[a-z][\w-]*$/i.test(first) && (isOne || !hasOwn || commands.has(first))
      ? first
      : undefined;
  const own = word === undefined ? undefined : readWords(word);
  if (word !== undefined && own?.action !== undefined && own.domain !== undefined)
    return ok({ action: own.action, domain: own.domain, words: [word] });
  const turned = pair ? verbAndNoun(`${pair.words[0] ?? ''}-${pair.words[1] ?? ''}`) : undefined;
  if (turned && pair) return ok({ ...turned, words: pair.words });
  if (word !== undefined && own?.action !== undefined && own.isWhole) {
    const about = aboutOf(own.action, script, skill, rest.slice(1), commands.get(word) ?? []);
    if (about !== undefined) return ok({ domain: about, action: own.action, words: [word] });
    if (isOne) return err(NO_OBJECT(word));
  }
  // `people`: the plural alone lists them.
  if (word !== undefined && isOne && own?.domain !== undefined && /s$|^people$/.test(word))
    return ok({ domain: own.domain, action: 'list', words: [word] });
  const base = baseOf(script);
  const named = readWords(base);
  const isCommand = !hasOwn && !(commands.size === 0 && pair !== undefined);
  if (named.action !== undefined && named.domain !== undefined && !hasOwn)
    return ok({ action: named.action, domain: named.domain, words: [] });
  // `unpack.py` of the skill docx.
  const root = commands.get('') ?? [];
  if (named.action !== undefined && named.isWhole && isCommand) {
    const about = aboutOf(named.action, script, skill, rest, root);
    if (about !== undefined) return ok({ domain: about, action: named.action, words: [] });
  }
  // `validate_project.py DIR` tells of a folder; `filter_molecules.py input.csv` is about a table, whatever it holds.
  if (
    named.action !== undefined &&
    isCommand &&
    /^(?:own|fetch_metadata|shape|search)$/.test(cellOf('', named.action)?.effect ?? '')
  ) {
    const taken = nounOfLine(rest, named.action, root) ?? nounOfSource(root, named.action);
    if (taken !== undefined) return ok({ domain: taken, action: named.action, words: [] });
  }
  // `timeline_generator.py --output FILE` creates a file, whatever it holds.
  if (
    named.action !== undefined &&
    isCommand &&
    cellOf('', named.action)?.effect === 'create' &&
    writesFile(rest, root)
  )
    return ok({ domain: 'files', action: named.action, words: [] });
  if (pair && !hasOwn && own?.action === undefined && own?.domain === undefined) return ok(pair);
  if (script !== '' && !script.endsWith('.py')) return err(NO_PYTHON(script));
  if (isOne) return err(own?.action === undefined ? NO_VERB(first) : NO_OBJECT(first));
  if (word !== undefined && own?.action !== undefined) return err(NO_OBJECT(word));
  return err(named.action === undefined ? NO_VERB(base) : NO_OBJECT(base));
};

const readUsageLine = (
  row: Line,
  launchers: ReadonlyMap<string, string>,
  source: Skill,
): Result<UsageLine, string> | undefined => {
  const { files } = source;
  const text = row.text
    .trim()
    .replace(/^[$>%] /, '')
    .replace(/^cd\s+\S+\s*(?:&&|;)\s*/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const words = splitUsage(text);
  const variable = /^\$\{?([A-Z][A-Z0-9_]*)\}?$/.exec(words[0]?.text ?? '')?.[1];
  if (variable !== undefined && variable.endsWith('SETUP')) return undefined;
  const isUsage = isUsageSection(row.section) && row.isCode;
  const started =
    variable === undefined ? (findScript(words, files) ?? (isUsage ? findNamed(words, files) : undefined)) : undefined;
  if (variable === undefined && !started) return undefined;
  // A path in a sentence names a file; with words before or after it, it is a call.
  if (!isUsage && (!started || words.length < 2)) return undefined;
  const only = [...files].filter((file) => /\.(?:py|sh|js|mjs)$/.test(file));
  const script = started?.script ?? launchers.get(variable ?? '') ?? (only.length === 1 ? only[0] : undefined);
  const rest = words.slice(started?.used ?? 1);
  const command = readCommand(rest, script ?? '', source);
  if (!command.ok) return command;
  const { domain, action, words: own } = command.value;
  if (script === undefined) return err(`it’s unclear which script $${variable ?? ''} starts`);
  return ok({
    domain,
    action,
    // The usual form needs no words of its own.
    ...((own[0]?.toLowerCase() !== domain || own[1] !== action) && { command: own }),
    script,
    line: row.line,
    ...(row.page !== undefined && { page: row.page }),
    text: rest.map(({ text: word, isQuoted }) => (isQuoted ? JSON.stringify(word) : word)).join(' '),
    args: readArguments(rest.slice(own.length), action.toLowerCase()),
  });
};

/** A row of code is itself; of a sentence or a table its spans. */
const candidates = (row: Line): readonly Line[] => {
  if (row.isCode) return [row];
  const spans = Array.from(row.text.matchAll(/`([^`]+)`/g), ([, span = '']) => span.replaceAll('\\|', '|'));
  return spans.map((text): Line => Object.assign({}, row, { text }));
};

const isScript = (file: string): boolean =>
  SCRIPT.test(file) &&
  !/(?:^|\/)(?:tests?|_[^/]*|__init__\.py|test_[^/]*|[^/]*[._]test\.\w+)(?:\/|$)/.test(file) &&
  !/(?:^|\/)(?:setup|conftest)\.py$/.test(file);

/** The commands that a script defines itself, for one that no row calls. */
const definedCommands = (
  script: string,
  source: Skill,
): { readonly usage: readonly UsageLine[]; readonly refused: readonly string[] } => {
  const commands = [...source.definedIn(script).keys()];
  const leaves = commands.filter(
    (words) => !commands.some((other) => other.startsWith(words === '' ? '' : `${words} `) && other !== words),
  );
  const usage: UsageLine[] = [];
  const refused: string[] = [];
  for (const leaf of leaves) {
    const words = leaf.split(' ').filter((word) => word !== '');
    const rest = words.map((text) => ({ text, isQuoted: false, isLiteral: false, isOptional: false }));
    const command = readCommand(rest, script, source);
    if (!command.ok) refused.push(command.error);
    else if (command.value.words.length === words.length)
      usage.push({
        domain: command.value.domain,
        action: command.value.action,
        command: words,
        script,
        line: 0,
        text: leaf,
        args: [],
      });
  }
  return { usage, refused };
};

export const readUsage = (
  lines: readonly Line[],
  source: Skill,
): { readonly usage: readonly UsageLine[]; readonly skipped: readonly Skipped[] } => {
  const launchers = readLaunchers(lines, source.files);
  const usage: UsageLine[] = [];
  const skipped: Skipped[] = [];
  for (const row of lines) {
    const isUsage = isUsageSection(row.section);
    if (!isUsage && isSetupSection(row.section)) continue;
    for (const candidate of candidates(row)) {
      const read = readUsageLine(candidate, launchers, source);
      if (!read) continue;
      if (read.ok) usage.push(read.value);
      else
        skipped.push({
          line: row.line,
          ...(row.page !== undefined && { page: row.page }),
          text: candidate.text.trim(),
          reason: read.error,
        });
    }
  }
  const named = new Set(usage.map(({ script }) => script));
  const isSkipped = (file: string): boolean =>
    skipped.some(({ text }) => text.includes(file.replace(/^.*\//, '')) || text.includes(baseOf(file)));
  const silent = [...source.files]
    .filter(
      (file) => (/(?:^|\/)scripts\//.test(file) || (!file.includes('/') && file.endsWith('.py'))) && isScript(file),
    )
    .filter((file) => !named.has(file))
    .toSorted(compareCodePoints);
  for (const file of silent) {
    const own = definedCommands(file, source);
    usage.push(...own.usage);
    if (own.usage.length > 0 || isSkipped(file)) continue;
    const [why] = file.endsWith('.py') ? own.refused : [NO_PYTHON(file)];
    if (why === undefined && source.isPart(file)) {
      skipped.push({ line: 0, text: file, reason: 'other scripts import it, and it has no command' });
      continue;
    }
    skipped.push({
      line: 0,
      text: file,
      reason: `no line of the skill calls it in a form that Lathe can read${why === undefined ? '' : `, and ${why}`}`,
    });
  }
  return { usage, skipped };
};
