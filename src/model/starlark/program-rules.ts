/** Facts about a program become diagnostics. `SPEC.md` numbers the rules; `rule-catalog.ts` says why each exists. */
import { plural } from '../../base/text.ts';
import type { Diagnostic, Fix, TextRange } from '../skill/types.ts';
import type { Program } from './engine.ts';
import type { DocumentedKeys } from './input-keys.ts';
import type { Analysis, HostCallFact, ProgramFacts, ProgramProblem, SourceRange } from './messages.ts';
import { PROGRAM_RULES, type ProgramRuleId } from './rule-catalog.ts';
import { SourceLines } from './source-lines.ts';

export interface ProgramRulesInput {
  readonly program: Program;
  readonly analysis: Analysis;
  /** What SKILL.md says about the input; absent when it has not been read. */
  readonly documented?: { readonly keys: DocumentedKeys; readonly file: string; readonly text: string };
  /** What a run may spend; the recommended defaults if absent. */
  readonly budget?: { readonly ask: number; readonly command: number };
}

/** The defaults that the metaskill specification recommends (D29). */
const DEFAULT_BUDGET = { ask: 5, command: 10 } as const;
/** 100, less the host's own first and last. */
const TRACE_ENTRIES = 98;

/** Codes of the engine that have a rule of their own; all others are MS-syntax or MS-resolve. */
const RULE_OF_CODE: Readonly<Record<string, ProgramRuleId>> = {
  'f-string': 'MS-fstring',
  while: 'MS-while',
  set: 'MS-set',
  'top-level-control': 'MS-top-level-control',
  load: 'MS-load-used',
  'input-global': 'MS-input-global',
  'agent-object': 'MS-agent-object',
};

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'cmd', 'cmd.exe', 'powershell', 'pwsh']);
const SHELL_FLAG = /^-\w*c$|^\/c$|^-(?:Command|EncodedCommand)$/i;

class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly lines: SourceLines;
  readonly #file: string;

  constructor(program: Program) {
    this.lines = new SourceLines(program.text);
    this.#file = program.file;
  }

  add(rule: ProgramRuleId, range: SourceRange, message: string, fixes: readonly (Fix | undefined)[] = []): void {
    this.addAt(rule, this.#file, this.lines.range(range), message, fixes);
  }

  addAt(
    rule: ProgramRuleId,
    file: string,
    range: TextRange,
    message: string,
    fixes: readonly (Fix | undefined)[] = [],
  ): void {
    const severity = PROGRAM_RULES.get(rule)?.severity ?? 'error';
    this.diagnostics.push({ rule, severity, message, file, range, fixes: fixes.filter((fix) => fix !== undefined) });
  }

  replace(title: string, safety: Fix['safety'], range: SourceRange | TextRange, text: string, file = this.#file): Fix {
    const at = 'line' in range ? this.lines.range(range) : range;
    return { title, safety, action: { kind: 'edit', file, edits: [{ range: at, text }] } };
  }
}

const problemRule = (problem: ProgramProblem): ProgramRuleId =>
  RULE_OF_CODE[problem.code] ?? (problem.kind === 'syntax' ? 'MS-syntax' : 'MS-resolve');

const problems = (report: Report, list: readonly ProgramProblem[]): void => {
  for (const problem of list) {
    const { range, replacement } = problem;
    const fixes: Fix[] = [];
    if (replacement !== undefined) {
      // A guess at a name is not the same as a spelling that can only mean one thing.
      const safety = problem.kind === 'resolve' && problem.code === 'undefined' ? 'unsafe' : 'safe';
      const title = replacement === '' ? 'Remove it' : `Write \`${replacement.trim()}\``;
      fixes.push(report.replace(title, safety, range, replacement));
    }
    if (problem.code === 'agent-object') {
      const { end } = report.lines.range(range);
      if (/^\.(?:ask|command|trace)\b/.test(report.lines.text.slice(end))) {
        const { start } = report.lines.range(range);
        fixes.push(report.replace('Call the function directly', 'safe', { start, end: end + 1 }, ''));
      }
    }
    report.add(problemRule(problem), range, problem.message, fixes);
  }
};

const runRules = (report: Report, facts: ProgramFacts): void => {
  const { run } = facts;
  if (!run) {
    const { text } = report.lines;
    const glue = text === '' || text.endsWith('\n') ? '\n' : '\n\n';
    const body = `${text === '' ? '' : glue}def run(input):\n    return {"status": "ok", "answer": ""}\n`;
    const fix = report.replace('Add `run(input)`', 'manual', { start: text.length, end: text.length }, body);
    report.add(
      'MS-no-run',
      { line: 1, column: 1, endLine: 1, endColumn: 1 },
      'The program does not define `run(input)`.',
      [fix],
    );
    return;
  }
  if (run.callable === 'no') {
    report.add('MS-run-not-callable', run.range, `\`run\` is a ${run.type}, not a function.`);
    return;
  }
  const { params } = run;
  if (!params) return;
  const takesOne = params.required <= 1 && (params.most === null || params.most >= 1) && params.keywordOnly === 0;
  if (takesOne) return;
  const fix = params.range ? report.replace('Take `input`', 'unsafe', params.range, '(input)') : undefined;
  report.add('MS-run-arity', params.range ?? run.range, `\`run(${params.text})\` cannot be called with one argument.`, [
    fix,
  ]);
};

const returnRules = (report: Report, facts: ProgramFacts): void => {
  for (const { range, type, keys } of facts.returns) {
    if (type !== 'unknown' && type !== 'NoneType' && type !== 'string' && type !== 'dict') {
      const wrapped = `{"status": "ok", "answer": str(${report.lines.textAt(range)})}`;
      report.add('MS-return-type', range, `\`run\` returns a ${type}; only None, a string or a dict can be a result.`, [
        report.replace('Wrap it in a dict', 'unsafe', range, wrapped),
      ]);
    }
    if (keys && !keys.includes('answer')) {
      const { start } = report.lines.range(range);
      const text = keys.length > 0 ? '"answer": "", ' : '"answer": ""';
      const fix =
        report.lines.text[start] === '{'
          ? report.replace('Add `answer`', 'manual', { start: start + 1, end: start + 1 }, text)
          : undefined;
      report.add('MS-return-missing-answer', range, 'This result has no `answer`; the caller gets an empty one.', [
        fix,
      ]);
    }
  }
};

const optionRules = (report: Report, call: HostCallFact): void => {
  const { opts, fn } = call;
  if (opts && opts.type !== 'unknown' && opts.type !== 'dict' && opts.type !== 'NoneType') {
    const what = fn === 'trace' ? 'data' : 'options';
    report.add('MS-option-type', opts.range, `The ${what} of \`${fn}\` must be a dict, not a ${opts.type}.`);
  }
  if (fn === 'trace') return;
  const wanted: Readonly<Record<string, string>> =
    fn === 'ask' ? { max_turns: 'int', purpose: 'string' } : { timeout: 'int' };
  for (const { key, range, type, int } of opts?.entries ?? []) {
    const want = wanted[key];
    if (want !== undefined && type !== 'unknown' && type !== want) {
      report.add(
        'MS-option-type',
        range,
        `\`${key}\` must be ${want === 'int' ? 'an int' : 'a string'}, not a ${type}.`,
      );
    } else if (int !== undefined && (key === 'max_turns' || key === 'timeout') && want === 'int') {
      const limit = key === 'max_turns' ? 30 : 120;
      if (int >= 1 && int <= limit) continue;
      const nearest = int < 1 ? 1 : limit;
      const fix = report.replace(`Write ${nearest}`, 'safe', range, String(nearest));
      report.add(
        key === 'timeout' ? 'MS-timeout' : 'MS-max-turns',
        range,
        `\`${key}\` is ${int}; hosts use ${nearest}.`,
        [fix],
      );
    }
  }
};

/** A string without quotes, variables or operators can be split at its spaces. */
const splitWords = (text: string): string[] | undefined =>
  /^[\w./:=@%+, -]+$/.test(text) && text.trim() !== '' ? text.trim().split(/\s+/) : undefined;

const commandRules = (report: Report, call: HostCallFact): void => {
  const { first } = call;
  if (!first) return;
  if (first.type !== 'unknown' && first.type !== 'list') {
    const words = first.text === undefined ? undefined : splitWords(first.text);
    const list = words && `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
    const isLiteral = /^["']/.test(report.lines.textAt(first.range));
    const fix =
      list !== undefined && isLiteral ? report.replace('Make it a list', 'unsafe', first.range, list) : undefined;
    report.add('MS-command-string-not-list', first.range, `A command is a list of strings, not a ${first.type}.`, [
      fix,
    ]);
  }
  const items = first.items ?? [];
  const name = items[0]?.text?.replace(/^.*[\\/]/, '');
  if (name !== undefined && SHELLS.has(name.toLowerCase()) && items.some((item) => SHELL_FLAG.test(item.text ?? ''))) {
    report.add('MS-shell-wrapper', first.range, `This command starts a shell (\`${name}\`). Call the program itself.`);
  }
  for (const item of items) {
    if (item.glued) {
      report.add(
        'MS-untrusted-concat',
        item.range,
        'Text from the input, an answer or an output is glued into this argument. Pass it as an argument of its own, and check it.',
      );
    }
  }
};

const resultRules = (report: Report, call: HostCallFact): void => {
  if (call.escapes || call.fn === 'trace') return;
  const reads = new Set(call.reads);
  if (call.fn === 'command' && !reads.has('ok') && !reads.has('exit_code')) {
    report.add('MS-ignored-ok', call.range, 'Nobody looks at `ok` or `exit_code` of this command.');
  }
  if (call.fn === 'ask' && reads.has('answer') && !reads.has('exhausted')) {
    report.add('MS-ignored-exhausted', call.range, 'Nobody looks at `exhausted` of this answer.');
  }
  if ((reads.has('answer') || reads.has('result')) && !reads.has('truncated')) {
    report.add(
      'MS-ignored-truncated',
      call.range,
      `Nobody looks at \`truncated\` of this ${call.fn === 'ask' ? 'answer' : 'output'}.`,
    );
  }
};

const callRules = (report: Report, facts: ProgramFacts): void => {
  for (const call of facts.calls) {
    if (call.topLevel) {
      report.add(
        'MS-host-call-at-top-level',
        call.range,
        `\`${call.fn}\` is called while the program loads. Call it in \`run\`.`,
      );
    }
    optionRules(report, call);
    if (call.fn === 'command') commandRules(report, call);
    resultRules(report, call);
  }
};

const budgetRules = (
  report: Report,
  facts: ProgramFacts,
  budget: { readonly ask: number; readonly command: number },
): void => {
  const { worst } = facts;
  if (!worst) return;
  for (const [fn, limit] of [
    ['ask', budget.ask],
    ['command', budget.command],
  ] as const) {
    const most = worst[fn];
    if (most !== null && most <= limit) continue;
    const verb = fn === 'ask' ? 'ask' : 'run a command';
    const times = most === null ? 'any number of times' : plural(most, 'time');
    const message = `The program can ${verb} ${times}; the budget is ${limit}.`;
    const loops = facts.loops.filter((loop) => loop.depth === 0 && (loop.total[fn] ?? Infinity) > limit);
    for (const loop of loops) {
      const rounds = loop.bound === null ? 'A loop without a known end' : `A loop of ${plural(loop.bound, 'round')}`;
      report.add('MS-ask-in-unbounded-range', loop.range, `${rounds} calls \`${fn}\`. ${message}`);
    }
    const at = facts.calls.find((call) => call.fn === fn)?.range ?? facts.run?.range;
    if (loops.length === 0 && at) report.add('MS-ask-in-unbounded-range', at, message);
  }
  if (worst.trace === null || worst.trace > TRACE_ENTRIES) {
    const loop = facts.loops.find(({ depth, total }) => depth === 0 && (total.trace ?? Infinity) > TRACE_ENTRIES);
    const at = loop?.range ?? facts.calls.find((call) => call.fn === 'trace')?.range ?? facts.run?.range;
    const times = worst.trace === null ? 'any number of' : String(worst.trace);
    if (at)
      report.add(
        'MS-trace-in-big-loop',
        at,
        `The program can write ${times} trace entries; a host keeps ${TRACE_ENTRIES} of them.`,
      );
  }
};

const valueRules = (report: Report, facts: ProgramFacts): void => {
  for (const { range } of facts.stringLoops) {
    const { end } = report.lines.range(range);
    report.add(
      'MS-string-iteration',
      range,
      'A string cannot be iterated. Use `.elems()` for bytes or `.codepoints()` for characters.',
      [report.replace('Iterate over its characters', 'safe', { start: end, end }, '.codepoints()')],
    );
  }
  for (const { range, argument } of facts.textLengths) {
    report.add('MS-len-of-text-as-chars', range, '`len` counts the bytes of this text, not its characters.', [
      report.replace('Count characters', 'manual', range, `len(list(${argument}.codepoints()))`),
    ]);
  }
  for (const { range, what, name } of facts.mutations) {
    const thing =
      what === 'input'
        ? 'The input is frozen. Copy it first: `dict(input)`.'
        : `The global \`${name}\` is frozen once the program is loaded.`;
    report.add('MS-frozen-value', range, thing);
  }
};

const otherRules = (report: Report, facts: ProgramFacts): void => {
  for (const { range, name } of facts.recursion)
    report.add('MS-recursion', range, `\`${name}\` can call itself. Starlark stops that.`);
  for (const { range, module } of facts.loads) {
    report.add('MS-load-used', range, `\`load("${module}", …)\` fails: a program is one file.`, [
      report.replace('Remove it', 'manual', range, ''),
    ]);
  }
  for (const { range, name, host } of facts.shadows) {
    if (host) report.add('MS-shadowed-host-function', range, `\`${name}\` hides the host’s function of that name.`);
  }
  for (const { range } of facts.prints)
    report.add('MS-print-used', range, '`print` only reaches the run’s console. `trace` is kept with the result.');
  for (const { range, name } of facts.unused) report.add('MS-unused-variable', range, `\`${name}\` is never read.`);
  for (const { range } of facts.unreachable) report.add('MS-unreachable', range, 'This statement is never reached.');
};

const keyRules = (
  report: Report,
  facts: ProgramFacts,
  documented: NonNullable<ProgramRulesInput['documented']>,
): void => {
  const { keys, file, text } = documented;
  // Without any documentation another rule speaks, and one message is enough.
  if (keys.state === 'absent') return;
  const known = new Set(keys.keys.map((key) => key.name));
  const told = new Set<string>();
  for (const { key, range } of facts.inputKeys) {
    if (known.has(key) || told.has(key) || (keys.state === 'listed' && keys.keys.length === 0)) continue;
    told.add(key);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const at = { start: keys.insertAt, end: keys.insertAt };
    const fix =
      keys.state === 'listed' ? report.replace('Document it', 'manual', at, `${eol}- \`${key}\`: …`, file) : undefined;
    report.add('MS-input-key-used-not-documented', range, `The input key \`${key}\` is not documented in ${file}.`, [
      fix,
    ]);
  }
  if (facts.inputEscapes) return;
  const used = new Set(facts.inputKeys.map(({ key }) => key));
  for (const { name, range } of keys.keys) {
    if (!used.has(name))
      report.addAt('MS-documented-not-used', file, range, `The program never reads the input key \`${name}\`.`);
  }
};

const requiredRules = (report: Report, facts: ProgramFacts): void => {
  const guarded = new Set(facts.inputKeys.filter(({ optional }) => optional).map(({ key }) => key));
  for (const { key, range, optional } of facts.inputKeys) {
    if (optional || guarded.has(key)) continue;
    const text = report.lines.textAt(range);
    const index = text.lastIndexOf('[');
    const fix =
      index > 0 && text.endsWith(']')
        ? report.replace('Use `.get`', 'manual', range, `${text.slice(0, index)}.get(${text.slice(index + 1, -1)})`)
        : undefined;
    report.add(
      'MS-required-key-without-default',
      range,
      `Without the key \`${key}\` the run ends with \`key "${key}" not in dict\`.`,
      [fix],
    );
  }
};

/** Everything that the rules say about a program, in the order of the text. */
export const checkProgram = (input: ProgramRulesInput): Diagnostic[] => {
  const report = new Report(input.program);
  const { diagnostics, facts } = input.analysis;
  problems(report, diagnostics);
  if (facts) {
    runRules(report, facts);
    returnRules(report, facts);
    callRules(report, facts);
    budgetRules(report, facts, input.budget ?? DEFAULT_BUDGET);
    valueRules(report, facts);
    otherRules(report, facts);
    if (input.documented) keyRules(report, facts, input.documented);
    requiredRules(report, facts);
  }
  return report.diagnostics.toSorted(
    (a, b) =>
      Number(a.file !== input.program.file) - Number(b.file !== input.program.file) || a.range.start - b.range.start,
  );
};
