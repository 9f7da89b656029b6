/**
 * Translate: each sub-command becomes `verb_object[_qualifier]` of the closed vocabulary, or is refused with the reason. The table of
 * `domain:action` is asked first, then the one of actions; document order decides who keeps a name that two of them want.
 */
import { bindingOf } from './read-source.ts';
import type {
  ExecutorArgument,
  ExecutorPlan,
  Override,
  ReadSource,
  Rejection,
  SubCommand,
  UsageArgument,
} from './types.ts';
import {
  isObjectName,
  isVerb,
  outputKind,
  qualifierObjection,
  readName,
  type ObjectName,
  type Verb,
} from './vocabulary.ts';

interface Domain {
  readonly object: ObjectName;
  readonly qualifier?: string;
  readonly record: string;
}

const DOMAINS: Readonly<Record<string, Domain>> = {
  calendar: { object: 'events', record: 'calendar_event' },
  events: { object: 'events', record: 'calendar_event' },
  mail: { object: 'messages', record: 'email_message' },
  gmail: { object: 'messages', record: 'email_message' },
  email: { object: 'messages', record: 'email_message' },
  messages: { object: 'messages', record: 'message' },
  comments: { object: 'messages', record: 'message' },
  drive: { object: 'files', record: 'drive_file' },
  files: { object: 'files', record: 'file' },
  sheets: { object: 'files', qualifier: 'xlsx', record: 'drive_file' },
  docs: { object: 'files', qualifier: 'text', record: 'drive_file' },
  contacts: { object: 'contacts', record: 'contact' },
  people: { object: 'contacts', record: 'contact' },
  notes: { object: 'texts', record: 'text' },
  workflows: { object: 'tasks', record: 'task' },
  todos: { object: 'tasks', record: 'task' },
};

/** What a command is about, and what it does to it: the two decide which verb is right. */
type Effect =
  | 'fetch_content'
  | 'fetch_metadata'
  | 'search'
  | 'body'
  | 'shape'
  | 'state'
  | 'access'
  | 'create'
  | 'delete'
  | 'deliver'
  | 'move'
  | 'own';

interface Cell {
  readonly verb: Verb;
  readonly effect: Effect;
  readonly object?: ObjectName;
  readonly qualifier?: string;
}

const EXPECTED: Readonly<Record<Effect, readonly Verb[]>> = {
  fetch_content: ['read', 'list'],
  fetch_metadata: ['get', 'list', 'describe'],
  search: ['find', 'filter'],
  body: ['write', 'change'],
  shape: ['change'],
  state: ['set', 'change'],
  access: ['share'],
  create: ['create', 'set'],
  delete: ['delete'],
  deliver: ['send'],
  move: ['move'],
  own: ['sort', 'group', 'classify', 'render', 'extract', 'compress', 'compute', 'compare', 'order'],
};

const cell = (verb: Verb, effect: Effect, more: Omit<Cell, 'verb' | 'effect'> = {}): Cell => ({
  verb,
  effect,
  ...more,
});

const CONTEXT: Readonly<Record<string, Cell>> = {
  'calendar:list': cell('read', 'fetch_content'),
  'calendar:get': cell('read', 'fetch_content'),
  'calendar:create': cell('set', 'create'),
  'calendar:update': cell('set', 'state'),
  'mail:list': cell('read', 'fetch_content'),
  'mail:get': cell('read', 'fetch_content'),
  'mail:reply': cell('send', 'deliver'),
  'mail:labels': cell('list', 'fetch_metadata', { qualifier: 'labels' }),
  'mail:modify': cell('set', 'state'),
  'drive:get': cell('get', 'fetch_metadata'),
  'drive:list': cell('read', 'fetch_content'),
  'drive:download': cell('read', 'fetch_content'),
  'drive:upload': cell('write', 'body'),
  'drive:create-folder': cell('create', 'create', { object: 'dirs' }),
  'sheets:get': cell('read', 'fetch_content'),
  'sheets:create': cell('create', 'create'),
  'sheets:update': cell('change', 'shape'),
  'sheets:append': cell('change', 'shape'),
  'docs:get': cell('read', 'fetch_content'),
  'docs:create': cell('create', 'create'),
  'docs:append': cell('write', 'body'),
  'docs:update': cell('write', 'body'),
  'contacts:list': cell('read', 'fetch_content'),
  'contacts:get': cell('read', 'fetch_content'),
};

/** An action that is a verb of the vocabulary is that verb. */
const VERB_EFFECTS: Readonly<Partial<Record<Verb, Effect>>> = {
  describe: 'fetch_metadata',
  filter: 'search',
  change: 'shape',
};

const FLAT: Readonly<Record<string, Cell>> = {
  list: cell('read', 'fetch_content'),
  show: cell('read', 'fetch_content'),
  read: cell('read', 'fetch_content'),
  get: cell('get', 'fetch_metadata'),
  info: cell('get', 'fetch_metadata'),
  search: cell('find', 'search'),
  find: cell('find', 'search'),
  create: cell('create', 'create'),
  add: cell('create', 'create'),
  new: cell('create', 'create'),
  'create-folder': cell('create', 'create', { object: 'dirs' }),
  mkdir: cell('create', 'create', { object: 'dirs' }),
  send: cell('send', 'deliver'),
  reply: cell('send', 'deliver'),
  update: cell('set', 'state'),
  modify: cell('set', 'state'),
  set: cell('set', 'state'),
  delete: cell('delete', 'delete'),
  remove: cell('delete', 'delete'),
  share: cell('share', 'access'),
  upload: cell('write', 'body'),
  download: cell('read', 'fetch_content'),
  append: cell('write', 'body'),
  write: cell('write', 'body'),
  move: cell('move', 'move'),
  rename: cell('move', 'move'),
  labels: cell('list', 'fetch_metadata', { qualifier: 'labels' }),
};

/** Domains that mean the same are one row of the table. */
const FAMILY: Readonly<Record<string, string>> = {
  gmail: 'mail',
  email: 'mail',
  events: 'calendar',
  files: 'drive',
  people: 'contacts',
  sheet: 'sheets',
  spreadsheet: 'sheets',
  spreadsheets: 'sheets',
  doc: 'docs',
  documents: 'docs',
};

const familyOf = (domain: string): string => (Object.hasOwn(FAMILY, domain) ? FAMILY[domain] : undefined) ?? domain;

const domainOf = (domain: string): Domain | undefined => {
  const own = Object.hasOwn(DOMAINS, domain) ? domain : familyOf(domain);
  const known = Object.hasOwn(DOMAINS, own) ? DOMAINS[own] : undefined;
  if (known) return known;
  // A domain that is an object of the vocabulary, in the singular or the plural.
  const object = [domain, `${domain}s`].find(isObjectName);
  return object && { object, record: object.replace(/s$/, '') };
};

const cellOf = (domain: string, action: string): Cell | undefined => {
  const word = action
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll('_', '-');
  const key = `${familyOf(domain)}:${word}`;
  if (Object.hasOwn(CONTEXT, key)) return CONTEXT[key];
  if (Object.hasOwn(FLAT, word)) return FLAT[word];
  return isVerb(word) ? cell(word, VERB_EFFECTS[word] ?? 'own') : undefined;
};

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
