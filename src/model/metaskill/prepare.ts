/** Everything that is decided before a program runs. */
import { errorMessage } from '../../base/errors.ts';
import type { Metaskill } from '../skill/metaskill-package.ts';
import { pythonRepr } from '../skill/python-text.ts';
import type { StarlarkEngine } from '../starlark/engine.ts';
import { documentedInputKeys } from '../starlark/input-keys.ts';
import type { HostDeps, HostSkill, RunStart } from './host-types.ts';
import { cutText } from './limits.ts';
import { readBudget, readInput, type Budget } from './request.ts';

const CUT_NOTE = '\n[truncated at 20000 characters]';

const inputRequired = (skill: HostSkill): string => {
  const { text, truncated } = cutText(skill.body);
  return `error: input is required. The skill's instructions say which keys it expects:\n\n${text}${truncated ? CUT_NOTE : ''}\n\nRetry run_metaskill with the correct input keys.`;
};

const FAULTS: Readonly<Record<NonNullable<Metaskill['fault']>, string>> = {
  'not-utf8': 'is not UTF-8',
  'own-frontmatter': 'has frontmatter of its own; all metadata belongs to SKILL.md',
  'too-large': 'is larger than 1 MiB',
};

const refusedConsent = async ({ name, consent }: HostSkill, start: RunStart): Promise<string | undefined> => {
  try {
    return await consent?.(start);
  } catch (thrown) {
    return `error: external metaskill ${pythonRepr(name)} is not allowed (consent cannot be read: ${errorMessage(thrown)})`;
  }
};

/** In the order that the cases fix: who, policy, engine, program, input, limits. */
export const prepare = async (
  args: unknown,
  deps: HostDeps,
  depth: number,
  start: RunStart = {},
): Promise<
  | { readonly refusal: string }
  | {
      readonly skill: HostSkill;
      readonly engine: StarlarkEngine;
      readonly program: string;
      readonly source: string;
      readonly inputJson: string;
      readonly budget: Budget;
    }
> => {
  const given = (typeof args === 'object' && args !== null ? args : {}) as Readonly<Record<string, unknown>>;
  if (depth > 0) return { refusal: 'error: run_metaskill is not available inside a metaskill' };
  const { name } = given;
  if (typeof name !== 'string' || name === '') return { refusal: 'error: missing argument: name' };
  const skill = deps.find(name);
  if (!skill) return { refusal: `error: unknown metaskill: ${pythonRepr(name)}` };
  if (!skill.metaskill) return { refusal: `error: skill ${pythonRepr(name)} is not a metaskill` };
  const refusal = skill.refusal ?? (await refusedConsent(skill, start));
  if (refusal !== undefined) return { refusal };
  if (!deps.engine) return { refusal: 'error: starlark runtime not available' };
  const { program, fault } = skill.metaskill;
  if (fault !== undefined)
    return { refusal: `error: metaskill ${pythonRepr(name)}: the program ${program} ${FAULTS[fault]}` };
  const read = await skill
    .readProgram()
    .catch((thrown: unknown) => ({ ok: false, reason: errorMessage(thrown) }) as const);
  if (!read.ok) return { refusal: `error: failed to read metaskill file: ${read.reason}` };
  const input = readInput(given['input'], documentedInputKeys(skill.body).state === 'none');
  if (!input.ok) return { refusal: input.error.kind === 'empty' ? inputRequired(skill) : input.error.message };
  const budget = readBudget(given);
  if (!budget.ok) return { refusal: budget.error };
  return {
    skill,
    engine: deps.engine,
    program,
    source: read.text.replace(/^\uFEFF/, ''),
    inputJson: input.value,
    budget: budget.value,
  };
};
