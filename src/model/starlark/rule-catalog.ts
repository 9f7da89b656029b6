/**
 * The static rules on programs: a stable id, its severity, the fix that comes with it, and why it exists in one sentence.
 * `SPEC.md` shows this as a table; a test keeps the two the same.
 */
import type { Severity } from '../skill/types.ts';

const rows = [
  // It does not run
  ['MS-syntax', 'error', 'where it is plain', 'A program with a syntax error does not run.'],
  ['MS-resolve', 'error', 'the nearest name', 'A name that nothing defines stops the program before its first line.'],
  ['MS-fstring', 'error', 'use `.format`', 'Starlark has no f-strings.'],
  ['MS-while', 'error', '–', 'Portable Starlark has no `while`: every loop has an end.'],
  ['MS-set', 'error', '–', 'Portable Starlark has no sets; some engines have them and others refuse the program.'],
  ['MS-top-level-control', 'error', '–', '`if` and `for` outside of a function are refused.'],
  ['MS-recursion', 'error', '–', 'A function that reaches itself is stopped when it does.'],
  ['MS-load-used', 'error', 'remove it', 'A program is one file; nothing can be loaded.'],
  ['MS-input-global', 'error', '–', 'One host also has a global `input`; all others only pass it to `run`.'],
  [
    'MS-agent-object',
    'error',
    'call the function directly',
    'Portable metaskills call `ask`, `command` and `trace`; an `agent` object is an extension.',
  ],
  // run
  ['MS-no-run', 'error', 'add it', 'The host calls `run(input)`; without it there is nothing to call.'],
  ['MS-run-arity', 'error', 'take `input`', 'The host calls `run` with exactly one argument.'],
  ['MS-run-not-callable', 'error', '–', '`run` has to be a function.'],
  [
    'MS-return-type',
    'error',
    'wrap it in a dict',
    'A result must be None, a string, or a dict. Anything else is an error.',
  ],
  [
    'MS-return-missing-answer',
    'info',
    'add `answer`',
    'The caller reads `answer` first; a dict without it says nothing.',
  ],
  ['MS-unreachable', 'warning', '–', 'Nothing reaches this statement.'],
  ['MS-unused-variable', 'hint', '–', 'A value that nobody reads is often a mistake.'],
  // Host functions
  [
    'MS-host-call-at-top-level',
    'warning',
    '–',
    'A call outside of `run` is spent while the program loads, before its input is looked at.',
  ],
  ['MS-shadowed-host-function', 'warning', '–', 'Behind this name the host’s function is no longer reached.'],
  [
    'MS-ask-in-unbounded-range',
    'warning',
    'bound the loop',
    'A run that can ask or command more often than its budget ends as an error, and what it has done is lost.',
  ],
  ['MS-max-turns', 'warning', 'the nearest allowed', 'Hosts clamp `max_turns` to 1–30.'],
  ['MS-timeout', 'warning', 'the nearest allowed', 'Hosts clamp `timeout` to 1–120 seconds.'],
  ['MS-option-type', 'error', '–', 'An option of the wrong type ends the run.'],
  ['MS-command-string-not-list', 'error', 'make it a list', 'A command is a list of strings. No shell splits it.'],
  ['MS-shell-wrapper', 'warning', '–', 'A shell inside a command turns text into code. Argument lists avoid that.'],
  [
    'MS-untrusted-concat',
    'warning',
    '–',
    'Text from outside that is glued into an argument can change what the command does.',
  ],
  ['MS-ignored-ok', 'warning', '–', 'A command can fail or be refused; check `ok` or `exit_code`.'],
  ['MS-ignored-exhausted', 'hint', '–', 'A nested turn may stop at its limit; check `exhausted`.'],
  ['MS-ignored-truncated', 'hint', '–', 'A long answer or output is cut; check `truncated`.'],
  ['MS-trace-in-big-loop', 'warning', '–', 'A host keeps 100 trace entries, two of them its own; the rest is dropped.'],
  [
    'MS-print-used',
    'info',
    '–',
    '`print` is not part of a metaskill’s interface: only the run’s console shows it. Use `trace`.',
  ],
  // Values
  ['MS-string-iteration', 'error', 'use `.elems()`', 'A string cannot be iterated.'],
  ['MS-len-of-text-as-chars', 'hint', 'count code points', '`len` of a string counts bytes; limits count characters.'],
  ['MS-frozen-value', 'error', '–', 'The input and all global values are frozen: changing one ends the run.'],
  // The documentation
  [
    'MS-input-key-used-not-documented',
    'warning',
    'document it',
    'The caller learns the keys from SKILL.md; one that is not there is never passed.',
  ],
  ['MS-documented-not-used', 'warning', '–', 'A caller will pass this key, and nothing happens.'],
  [
    'MS-required-key-without-default',
    'info',
    'use `.get`',
    '`input["key"]` ends the run with a bare message when the key is missing.',
  ],
] as const satisfies readonly (readonly [string, Severity, string, string])[];

export type ProgramRuleId = (typeof rows)[number][0];

export interface ProgramRule {
  readonly id: ProgramRuleId;
  readonly severity: Severity;
  readonly fix: string;
  readonly why: string;
}

export const PROGRAM_RULES: ReadonlyMap<ProgramRuleId, ProgramRule> = new Map(
  rows.map(([id, severity, fix, why]) => [id, { id, severity, fix, why }]),
);
