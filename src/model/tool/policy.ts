/** What runs by itself, what asks, what is refused (D21). */
import { type Json, isObject } from '../../base/json.ts';
import { pythonRepr } from '../skill/python-text.ts';
import { commandKey, isReadOnly } from './command-line.ts';
import { startedBy } from './started-commands.ts';
import type { Tool } from './types.ts';

export interface Verdict {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** A clause for people and for the model, such as `it only reads`. */
  readonly why: string;
}

/** What a person has allowed from now on. */
export interface ApprovalRule {
  /** `commandKey` of a command; `tool:NAME` of any other tool. */
  readonly key: string;
  readonly scope: 'session' | 'always';
}

type Subject = Pick<Tool, 'name' | 'sideEffects'>;

export interface Policy {
  readonly decide: (tool: Subject, input: Json) => Verdict;
  readonly remember: (tool: Subject, input: Json, scope: ApprovalRule['scope']) => ApprovalRule;
  readonly forget: (key: string) => void;
  readonly rules: () => readonly ApprovalRule[];
}

export interface PolicyOptions {
  /** Nobody can be asked. */
  readonly headless?: boolean;
  /** Every command may run: they cannot leave the sandbox. */
  readonly allowAll?: boolean;
  /** Only these commands may run, given as program (`git`) or as key (`git commit`). */
  readonly allowOnly?: readonly string[];
  readonly rules?: readonly ApprovalRule[];
  /** For keeping the rules that are to hold always. */
  readonly onRemember?: (rule: ApprovalRule) => void;
}

/** Of commands that start one another. */
const MOST_STARTS = 8;

const RUN_COMMAND = 'run_command';
export const RUN_METASKILL = 'run_metaskill';

/** The words of a command; nothing for any other tool, or an input that is none. */
export const argvOf = (tool: Pick<Tool, 'name'>, input: Json): readonly string[] | undefined => {
  const argv = tool.name === RUN_COMMAND && isObject(input) ? input['argv'] : undefined;
  return Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === 'string') ? argv : undefined;
};

/** What a remembered approval of this call would cover; the dialog shows it. */
export const approvalKey = (tool: Pick<Tool, 'name'>, input: Json): string => {
  const argv = argvOf(tool, input);
  return argv ? commandKey(argv) : `tool:${tool.name}`;
};

const allow = (why: string): Verdict => ({ decision: 'allow', why });
const deny = (why: string): Verdict => ({ decision: 'deny', why });

/** Those of a tool whose effects stay inside Lathe, whatever the settings are. */
const harmless = ({ name, sideEffects }: Subject): string | undefined => {
  if (name === RUN_METASKILL) return 'the metaskill policy decides what may run';
  if (sideEffects === 'none' || sideEffects === 'read') return 'it only reads';
  return sideEffects === 'write' ? 'its writes stay pending until you apply them' : undefined;
};

export const createPolicy = (options: PolicyOptions = {}): Policy => {
  const remembered = new Map((options.rules ?? []).map((rule) => [rule.key, rule]));

  const narrowed = (argv: readonly string[], only: readonly string[], depth = 0): Verdict => {
    const refused = deny(`only these commands are allowed: ${only.length === 0 ? 'none' : only.join(', ')}`);
    const allowed = allow('it is on the list of allowed commands');
    // A key names exactly this; a program on the list has not allowed what it can be made to start.
    if (only.includes(commandKey(argv)) && commandKey(argv) !== argv[0]) return allowed;
    if (!only.includes(argv[0] ?? '')) return refused;
    const { commands, unknown } = startedBy(argv);
    if (unknown !== undefined || depth > MOST_STARTS)
      return deny(
        `${unknown ?? 'the command chain is too long'} decides what it starts, and only these are allowed: ${only.join(', ')}`,
      );
    for (const inner of commands) {
      if (narrowed(inner, only, depth + 1).decision !== 'allow')
        return deny(`it starts ${pythonRepr(inner[0] ?? '')}, and only these commands are allowed: ${only.join(', ')}`);
    }
    return allowed;
  };

  return {
    decide: (tool, input) => {
      const reason = harmless(tool);
      if (reason !== undefined) return allow(reason);
      const argv = argvOf(tool, input);
      if (argv && options.allowOnly) return narrowed(argv, options.allowOnly);
      if (argv && options.allowAll === true) return allow('the sandbox allows every command');
      if (argv && isReadOnly(argv)) return allow('it only reads');
      const key = approvalKey(tool, input);
      const rule = remembered.get(key);
      if (rule) return allow(rule.scope === 'always' ? 'it is allowed permanently' : 'it is allowed for this session');
      const what = argv ? `command ${pythonRepr(argv[0] ?? '')}` : `tool ${pythonRepr(tool.name)}`;
      if (options.headless === true) return deny('it needs approval, and no one can approve it here');
      return { decision: 'ask', why: `${what} may change something` };
    },
    remember: (tool, input, scope) => {
      const rule = { key: approvalKey(tool, input), scope };
      // What holds always is not narrowed by a later, shorter answer.
      if (remembered.get(rule.key)?.scope !== 'always') remembered.set(rule.key, rule);
      options.onRemember?.(rule);
      return rule;
    },
    forget: (key) => void remembered.delete(key),
    rules: () => [...remembered.values()],
  };
};
