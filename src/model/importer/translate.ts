/**
 * Translate: each sub-command becomes `verb_object[_qualifier]` of the closed vocabulary, or is refused with the reason. The table of
 * `domain:action` is asked first, then the one of actions; document order decides who keeps a name that two of them want.
 */
import { bindingOf } from './read-source.ts';
import { NO_PYTHON } from './usage-rows.ts';
import type {
  ExecutorArgument,
  ExecutorPlan,
  Override,
  ReadSource,
  Rejection,
  SubCommand,
  UsageArgument,
} from './types.ts';
import { outputKind, qualifierObjection, readName, type ObjectName, type Verb } from './vocabulary.ts';
import { cellOf, domainOf, EXPECTED } from './vocabulary-map.ts';

const REVERSE: Readonly<Partial<Record<Verb, (object: ObjectName) => string>>> = {
  set: (object) => `delete_${object}_by_id`,
  send: (object) => `delete_${object}_by_id`,
  write: (object) => `delete_${object}_by_id`,
  create: (object) =>
    object === 'dirs' ? 'delete_created_dirs' : object === 'files' ? 'delete_created_paths' : `delete_${object}_by_id`,
  move: () => 'swap_src_dst',
  share: (object) => `delete_${object}_permissions_by_id`,
};

const words = (name: string): string => name.replaceAll('_', ' ');

const fromUsage = (arg: UsageArgument): ExecutorArgument => ({
  ...arg,
  description: {
    en: `${words(arg.name)}, as the skill's own command takes it`,
    it: `${words(arg.name)}, come lo prende il comando della skill`,
  },
});

const extra = (
  name: string,
  type: ExecutorArgument['type'],
  en: string,
  it: string,
  fallback?: string | number,
): ExecutorArgument => ({
  name,
  kind: 'flag',
  type,
  required: false,
  description: { en, it },
  ...(fallback !== undefined && { default: fallback }),
});

/** An id becomes one id, several ids, or records of an earlier step: one of the three is needed. */
const withIds = (
  args: readonly UsageArgument[],
): { readonly args: readonly ExecutorArgument[]; readonly requiresOneOf: readonly (readonly string[])[] } => {
  const made: ExecutorArgument[] = [];
  const groups: string[][] = [];
  for (const arg of args) {
    if (arg.isId !== true || groups.length > 0) {
      made.push(fromUsage(arg));
      continue;
    }
    const many = `${arg.name}s`;
    made.push(
      { ...fromUsage(arg), required: false },
      extra(many, 'array', `several of ${words(arg.name)}`, `più di un ${words(arg.name)}`),
      extra('entries', 'array', 'records of an earlier step', 'record di un passo precedente'),
    );
    groups.push([arg.name, many, 'entries']);
  }
  return { args: made, requiresOneOf: groups };
};

/** Arguments with equal names are one too many: the later gets a number. */
const distinct = (args: readonly ExecutorArgument[]): readonly ExecutorArgument[] => {
  const seen = new Map<string, number>();
  return args.map((arg) => {
    const count = (seen.get(arg.name) ?? 0) + 1;
    seen.set(arg.name, count);
    return count === 1 ? arg : { ...arg, name: `${arg.name}_${count}` };
  });
};

const planOf = (
  source: SubCommand,
  verb: Verb,
  object: ObjectName,
  qualifiers: readonly string[],
  record: string,
): ExecutorPlan => {
  const { args, requiresOneOf } = withIds(source.args);
  const output = outputKind(verb);
  const hasLimit = args.some(({ name }) => name === 'top_k');
  const reverse = REVERSE[verb]?.(object);
  return {
    name: [verb, object, ...qualifiers].join('_'),
    verb,
    object,
    qualifiers,
    source,
    args: distinct([
      ...args,
      ...(output === 'entries' && !hasLimit
        ? [extra('top_k', 'integer', 'at most this many records', 'al massimo tanti record', 50)]
        : []),
    ]),
    requiresOneOf,
    output,
    recordKind: record,
    ...(reverse !== undefined && { reverse }),
  };
};

const overrideOf = (overrides: readonly Override[], { domain, action }: SubCommand): Override | undefined =>
  overrides.find((item) => item.domain === domain && item.action === action);

const applyArguments = (plan: ExecutorPlan, override: Override | undefined): ExecutorPlan => {
  if (!override?.args) return plan;
  const { args } = override;
  return {
    ...plan,
    isOverridden: true,
    args: plan.args.map((arg) => {
      const change = Object.hasOwn(args, arg.name) ? args[arg.name] : undefined;
      return change
        ? {
            ...arg,
            ...(change.type && { type: change.type }),
            ...(change.required !== undefined && { required: change.required }),
          }
        : arg;
    }),
  };
};

type Translated = { readonly plan: ExecutorPlan } | { readonly reason: string };

/** A verb that a person chose must fit what the command does. */
const byHand = (source: SubCommand, name: string, binding: string): Translated => {
  const read = readName(name, binding);
  if (!read.ok) return { reason: read.reason };
  const { verb, object, qualifiers } = read.parts;
  const expected = cellOf(source.domain, source.action);
  const fitting = expected && (expected.effect === 'own' ? [expected.verb] : EXPECTED[expected.effect]);
  if (fitting && !fitting.includes(verb))
    return {
      reason: `verb boundary: ${source.domain} ${source.action} is a case for ${fitting.join(' or ')}, not for ${verb}`,
    };
  const record = domainOf(source.domain)?.record ?? object.replace(/s$/, '');
  return { plan: { ...planOf(source, verb, object, qualifiers, record), isOverridden: true } };
};

const translateOne = (source: SubCommand, override: Override | undefined, binding: string): Translated => {
  if (override?.name !== undefined) return byHand(source, override.name, binding);
  const domain = domainOf(source.domain);
  if (!domain) return { reason: `the domain “${source.domain}” has no object in the vocabulary` };
  const found = cellOf(source.domain, source.action);
  if (!found) return { reason: `the action “${source.action}” has no verb in the vocabulary` };
  const object = found.object ?? domain.object;
  // Another object is no longer of the domain's kind.
  const qualifiers = [
    ...(found.object === undefined && domain.qualifier !== undefined ? [domain.qualifier] : []),
    ...(found.qualifier === undefined ? [] : [found.qualifier]),
  ];
  for (const qualifier of qualifiers) {
    const objection = qualifierObjection(qualifier, object);
    if (objection !== undefined) return { reason: objection };
  }
  if (!EXPECTED[found.effect].includes(found.verb))
    return { reason: `verb boundary: ${found.verb} does not say what ${source.action} does` };
  return { plan: planOf(source, found.verb, object, qualifiers, domain.record) };
};

export interface Translation {
  readonly plans: readonly ExecutorPlan[];
  readonly rejected: readonly Rejection[];
}

/** `taken`: names that other skills have; a plan that meets one gets the provider's suffix, once. */
export const translate = (
  source: ReadSource,
  taken: ReadonlySet<string> = new Set(),
  overrides: readonly Override[] = [],
): Translation => {
  const plans: ExecutorPlan[] = [];
  const rejected: Rejection[] = [];
  const binding = bindingOf(source.name);
  for (const command of source.subCommands) {
    const name = `${command.domain} ${command.action}`;
    // It takes no name from a command that could run.
    if (command.script !== '' && !command.script.endsWith('.py')) {
      rejected.push({ name, reasons: [`capabilities: ${NO_PYTHON(command.script)}`] });
      continue;
    }
    const override = overrideOf(overrides, command);
    const result = translateOne(command, override, binding);
    if ('reason' in result) {
      rejected.push({ name, reasons: [result.reason] });
      continue;
    }
    const plan = applyArguments(result.plan, override);
    // One that has its suffix already is the same name without it.
    const sibling = plans.find((other) => bareName(other) === plan.name);
    if (sibling) {
      rejected.push({
        name,
        reasons: [`name collision with ${plan.name}, which ${sibling.source.domain} ${sibling.source.action} has`],
      });
      continue;
    }
    plans.push(taken.has(plan.name) ? withSuffix(plan, binding) : plan);
  }
  return { plans, rejected };
};

/** Without the provider. */
const bareName = ({ name, suffix }: ExecutorPlan): string =>
  suffix === undefined ? name : name.slice(0, -suffix.length - 1);

/** The same executor with its provider in the name. */
export const withSuffix = (plan: ExecutorPlan, binding: string): ExecutorPlan =>
  plan.suffix === undefined ? { ...plan, name: `${plan.name}_${binding}`, suffix: binding } : plan;
