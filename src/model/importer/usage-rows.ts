/** Rows of SKILL.md that call a script of the skill: in blocks, in spans of a sentence, and in tables. */
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { SourceCommands } from './source-arguments.ts';
import { readArguments, splitUsage, type LineArgument, type UsageWord } from './usage-line.ts';
import { cellOf, domainOf, verbAndNoun } from './vocabulary-map.ts';

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
/** What is run once, or by whoever works on the skill. */
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

/** What an action alone is about: the noun in the name of its script, or of its skill. */
const nounOf = (action: string, script: string, skill: string): string | undefined =>
  [...baseOf(script).split(/[-_]/), ...skill.split(/[-_]/)]
    .map((word) => word.toLowerCase())
    .find((word) => domainOf(word) !== undefined && cellOf(word, action) !== undefined);

/** `issues list`, `list-issues`, `list issues`, `issues.py list`, or a script that is one command by its name. */
const readCommand = (rest: readonly UsageWord[], script: string, { skill, definedIn }: Skill): Command | undefined => {
  const [first, second] = rest.map(({ text, isQuoted }) => (isQuoted ? '' : text));
  const commands = definedIn(script);
  // A command of one word by its source: what stands behind it is a value.
  const isOne = first !== undefined && first !== '' && commands.has(first) && !commands.has(`${first} ${second ?? ''}`);
  const isPair = !isOne && first !== undefined && second !== undefined && WORD.test(first) && WORD.test(second);
  if (isPair && domainOf(first.toLowerCase()))
    return { domain: first.toLowerCase(), action: second, words: [first, second] };
  const own = first === undefined ? undefined : verbAndNoun(first);
  if (own && first !== undefined) return { ...own, words: [first] };
  const turned = isPair ? verbAndNoun(`${first}-${second}`) : undefined;
  if (turned && isPair) return { ...turned, words: [first, second] };
  const noun = first !== undefined && WORD.test(first) ? nounOf(first, script, skill) : undefined;
  if (noun !== undefined && first !== undefined) return { domain: noun, action: first, words: [first] };
  if (isOne) return { domain: baseOf(script), action: first, words: [first] };
  const named = verbAndNoun(baseOf(script));
  if (named) return { ...named, words: [] };
  // `unpack.py` of the skill docx.
  const ofSkill = nounOf(baseOf(script).toLowerCase(), '', skill);
  if (ofSkill !== undefined) return { domain: ofSkill, action: baseOf(script).toLowerCase(), words: [] };
  return isPair ? { domain: first.toLowerCase(), action: second, words: [first, second] } : undefined;
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
  // A path in a sentence names a file; with words before or behind it, it is a call.
  if (!isUsage && (!started || words.length < 2)) return undefined;
  const only = [...files].filter((file) => /\.(?:py|sh|js|mjs)$/.test(file));
  const script = started?.script ?? launchers.get(variable ?? '') ?? (only.length === 1 ? only[0] : undefined);
  const rest = words.slice(started?.used ?? 1);
  const command = readCommand(rest, script ?? '', source);
  if (!command)
    return err(
      started && !isUsage
        ? `neither ${baseOf(started.script)} nor its first word names a verb and an object`
        : 'it does not name a domain and an action',
    );
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
    ...(row.page !== undefined && { page: row.page }),
    text: rest.map(({ text: word, isQuoted }) => (isQuoted ? JSON.stringify(word) : word)).join(' '),
    args: readArguments(rest.slice(command.words.length), command.action.toLowerCase()),
  });
};

/** A row of code is itself; of a sentence or a table its spans. */
const candidates = (row: Line): readonly Line[] => {
  if (row.isCode) return [row];
  const spans = Array.from(row.text.matchAll(/`([^`]+)`/g), ([, span = '']) => span.replaceAll('\\|', '|'));
  return spans.map((text): Line => Object.assign({}, row, { text }));
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
  const isNamed = (file: string): boolean =>
    named.has(file) ||
    skipped.some(({ text }) => text.includes(file.replace(/^.*\//, '')) || text.includes(baseOf(file)));
  const silent = [...source.files]
    .filter(
      (file) =>
        /(?:^|\/)scripts\//.test(file) &&
        SCRIPT.test(file) &&
        !/(?:^|\/)(?:tests?|_[^/]*|__init__\.py|test_[^/]*|[^/]*[._]test\.\w+)(?:\/|$)/.test(file),
    )
    .filter((file) => !isNamed(file))
    .toSorted(compareCodePoints);
  return {
    usage,
    skipped: [
      ...skipped,
      ...silent.map((file) => ({
        line: 0,
        text: file,
        reason: 'no row of the skill calls it in a way that can be read',
      })),
    ],
  };
};
