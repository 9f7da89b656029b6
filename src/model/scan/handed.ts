/** Functions that are given to others: folded over a list, called for each of its items, kept for later, or named by a string. */
import { member } from './assignments.ts';
import { callFunction } from './call-function.ts';
import type { Place } from './types.ts';
import { allMarks, joinMarks, knownText, NOTHING, withMarks, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const MAX_ITEMS = 16;
const NONE: ReadonlyMap<string, Value> = new Map();

/** Whatever the value is: a function of the skill, or a name of the language. */
const invoke = (walk: Walk, target: Value, args: readonly Value[], at: Place): Value => {
  if (target.closure) return callFunction(walk, target, args, NONE);
  const { ref } = target;
  if (ref === undefined) return { marks: joinMarks(args.map(allMarks)), texts: [] };
  const kept = keptCall(walk, target, args, at);
  if (kept) return kept;
  const method = ref.slice(ref.lastIndexOf('.') + 1);
  // `bytes.decode` is given what `.decode` would be called on.
  const isUnbound = /^(?:bytes|bytearray|str|\?)\.\w+$/.test(ref);
  const [first = NOTHING, ...rest] = args;
  return (
    walk.effects.call({
      ref,
      method,
      receiver: isUnbound ? first : NOTHING,
      args: isUnbound ? rest : args,
      named: NONE,
      place: at,
      world: walk.world,
      depth: walk.depth,
    }) ?? { marks: joinMarks(args.map(allMarks)), texts: [], ref: `${ref}()` }
  );
};

/** Each item in turn; nothing where the items are not known. */
const fold = (walk: Walk, step: Value, list: Value | undefined, start: Value | undefined, at: Place): Value => {
  const items = list?.items?.slice(0, MAX_ITEMS);
  if (!items || items.length === 0) return NOTHING;
  const [head = NOTHING, ...tail] = start ? [start, ...items] : items;
  return tail.reduce((value, item) => invoke(walk, step, [value, item], at), head);
};

const forEach = (walk: Walk, step: Value, list: Value, at: Place): Value => {
  const items = (list.items ?? []).slice(0, MAX_ITEMS).map((item) => invoke(walk, step, [item], at));
  return { marks: joinMarks([list.marks, ...items.map(allMarks)]), texts: [], items };
};

const EACH = /^(?:forEach|map|flatMap|filter|some|every|find)$/;

/** `reduce(getattr, names, os)`, `names.reduce(step, process)`, `map(os.system, commands)`: nothing if it is none of these. */
export const handedCall = (
  walk: Walk,
  ref: string,
  method: string,
  receiver: Value,
  args: readonly Value[],
  at: Place,
): Value | undefined => {
  const [first, second, third] = args;
  if (!first) return undefined;
  const isCallable = first.closure !== undefined || first.ref !== undefined;
  if (!isCallable) return undefined;
  if (walk.effects.bindsThis) {
    if ((method === 'reduce' || method === 'reduceRight') && receiver.items) {
      const list = method === 'reduce' ? receiver : { ...receiver, items: receiver.items.toReversed() };
      return fold(walk, first, list, second, at);
    }
    if (!EACH.test(method) || !receiver.items || receiver.items.length === 0) return undefined;
    const made = forEach(walk, first, receiver, at);
    // What only chooses gives what it was given.
    return /^(?:filter|find)$/.test(method) ? { ...receiver, marks: made.marks } : made;
  }
  if (ref === 'functools.reduce' || ref === 'reduce') return second?.items && fold(walk, first, second, third, at);
  const isMap = (ref === 'map' && first.ref !== 'chr') || /^\?\.(?:map|imap|starmap)$/.test(ref);
  return isMap && second?.items && second.items.length > 0 ? forEach(walk, first, second, at) : undefined;
};

/** `operator.attrgetter(name)`, `operator.methodcaller(name, …)`, `functools.partial(f, …)`: what they give is called later. */
export const keeper = (ref: string, args: readonly Value[]): Value | undefined => {
  const kind = /^operator\.(attrgetter|methodcaller|itemgetter)$|^functools\.(partial)$/.exec(ref);
  if (!kind) return undefined;
  const [first = NOTHING, ...rest] = args;
  return {
    marks: joinMarks(args.map(allMarks)),
    texts: [],
    ref: `${ref}()`,
    fields: new Map<string, Value>([
      [`#${kind[1] ?? kind[2] ?? ''}`, first],
      ['#bound', { marks: [], texts: [], items: rest }],
    ]),
  };
};

/** A call of what a keeper gave; nothing if it is none. */
export const keptCall = (walk: Walk, target: Value, args: readonly Value[], at: Place): Value | undefined => {
  const { fields } = target;
  if (!fields) return undefined;
  const bound = fields.get('#bound')?.items ?? [];
  const partial = fields.get('#partial');
  if (partial) return invoke(walk, partial, [...bound, ...args], at);
  const name = fields.get('#attrgetter') ?? fields.get('#itemgetter') ?? fields.get('#methodcaller');
  const path = knownText(name);
  const [object] = args;
  if (path === undefined || !object) return undefined;
  const found = path.split('.').reduce((value, part) => member(walk, value, part, 0), object);
  return fields.has('#methodcaller') ? invoke(walk, found, bound, at) : found;
};

/** Names of the language that start something are called by anyone who is given them, with what else is given. */
export const givenRunner = (walk: Walk, values: readonly Value[], at: Place): Value | undefined => {
  const runner = values.find(({ ref }) => ref !== undefined && walk.effects.isRunner(ref));
  if (!runner) return undefined;
  const others = values.filter((value) => value !== runner);
  let out: Value = NOTHING;
  for (const other of others.flatMap((value) => value.items ?? [value]).slice(0, MAX_ITEMS)) {
    if (other.texts.length === 0 && allMarks(other).length === 0) continue;
    out = withMarks(out, allMarks(invoke(walk, runner, [other], at)));
  }
  return out;
};
