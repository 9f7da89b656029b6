/** Functions of the skill are followed where they are called; of all others the language says what they do. */
import { member, taint } from './assignments.ts';
import { callFunction } from './call-function.ts';
import { givenRunner, handedCall, keeper, keptCall } from './handed.ts';
import { decodeBase64 } from './decode.ts';
import { moduleValue, remoteModule } from './modules.ts';
import type { Expr } from './program.ts';
import {
  allMarks,
  joinMarks,
  knownText,
  marksOf,
  NOTHING,
  partOf,
  textValue,
  withMarks,
  type Scope,
  type Value,
} from './value.ts';
import { place, type Walk } from './walk.ts';

/** A method that puts what it is given into its object, by its name. */
const PUTS =
  /^(?:add|append|attach|extend|update|push|unshift|insert|set|put|write|load|store)(?![a-z])|^(?:setdefault|writelines)$/;
/** A method that puts its object into what it is given. */
const FILLS = /^(?:save|dump|tofile|write_to|writeto|to_csv|copy|readinto|pipe)$/;
/** A method that takes one entry out. */
const TAKES = /^(?:get|pop|group|match|exec|find|search|getenv|getItem)$/;
const instance = (walk: Walk, cls: Value, args: readonly Value[], named: ReadonlyMap<string, Value>): Value => {
  const self: Value = { ...cls, marks: joinMarks([cls.marks, marksOf(args)]) };
  const init = cls.fields?.get('__init__') ?? cls.fields?.get('constructor');
  if (init?.closure) callFunction(walk, { ...init, closure: { ...init.closure, self } }, args, named);
  return self;
};

export const call = (walk: Walk, scope: Scope, expr: Expr & { readonly kind: 'call' }): Value => {
  const { callee } = expr;
  const hasObject = callee.kind === 'member' || callee.kind === 'index';
  const receiver = hasObject ? walk.evaluate(scope, callee.object, true) : NOTHING;
  const name =
    callee.kind === 'member'
      ? callee.name
      : callee.kind === 'index'
        ? knownText(walk.evaluate(scope, callee.index))
        : undefined;
  const target = hasObject
    ? name === undefined
      ? { marks: receiver.marks, texts: [] }
      : member(walk, receiver, name, callee.at)
    : walk.evaluate(scope, callee);
  const args: Value[] = [];
  const named = new Map<string, Value>();
  for (const { name: key, value } of expr.args) {
    const given = walk.evaluate(scope, value);
    if (key === undefined) args.push(given);
    else named.set(key, given);
  }
  const all = [...args, ...named.values()];
  if (target.closure) return callFunction(walk, target, args, named);
  if (target.fields?.has('#class')) return instance(walk, target, args, named);
  const at = place(walk, expr.at);
  const kept = keptCall(walk, target, args, at);
  if (kept) return kept;
  const ref = walk.effects.normalRef(target.ref ?? (name === undefined ? '?' : `?.${name}`));
  const method = ref.slice(ref.lastIndexOf('.') + 1);
  if (ref === 'require' || ref === '__import__' || ref === 'importlib.import_module') {
    const path = knownText(args[0]);
    const isRemote = path !== undefined && /^https?:/.test(path);
    const [, encoding, written] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(path ?? '') ?? [];
    if (written !== undefined) {
      const code = textValue(encoding === undefined ? written : (decodeBase64(written) ?? ''));
      walk.world.runCode(at, walk.world.decoded(at, 'data:', code, code.texts), 'javascript', 'import()', walk.depth);
      return NOTHING;
    }
    const hidden = args.flatMap(allMarks).filter(({ label }) => label === 'decoded');
    if (path !== undefined && hidden.length > 0)
      walk.world.runCode(at, { marks: hidden, texts: [] }, 'other', ref, walk.depth);
    const [given] = args;
    if (given && walk.world.writtenFrom(given).some(({ label }) => label === 'network' || label === 'decoded'))
      walk.world.runFile(at, given, ref, walk.effects.bindsThis ? 'javascript' : 'python');
    // `__import__('a.b')` gives `a`.
    if (path !== undefined && !isRemote)
      return moduleValue(walk, ref === '__import__' && !named.has('fromlist') ? (path.split('.')[0] ?? path) : path);
    if (isRemote) {
      remoteModule(walk.world, at, path);
      return { marks: [], texts: [] };
    }
    const carried = args.flatMap(allMarks);
    if (carried.some(({ label }) => label === 'network' || label === 'decoded'))
      walk.world.runCode(at, { marks: carried, texts: [] }, 'other', 'import()', walk.depth);
    if (args[0]?.texts.some((text) => text.includes('/')) === true)
      walk.world.runFile(at, args[0], ref, walk.effects.bindsThis ? 'javascript' : 'python');
    walk.world.note('computed-import', at, 'The program builds a module name while it runs.');
    walk.world.capability('processes', at, ref);
  }
  if (
    receiver.ref !== undefined &&
    walk.effects.isEnvironment(receiver.ref) &&
    !/^(?:get|pop|setdefault)$/.test(method)
  )
    walk.world.capability('environment', at, 'all variables');
  // `globalThis[name](code)`: whatever the name is, code that is decoded or downloaded has one use.
  if (callee.kind === 'index' && name === undefined && /^(?:globalThis|window|global|self)$/.test(receiver.ref ?? ''))
    for (const arg of args) walk.world.runCode(at, arg, 'javascript', 'a name built at run time', walk.depth);
  const handed = keeper(ref, args) ?? handedCall(walk, ref, method, receiver, args, at);
  if (handed) return handed;
  givenRunner(walk, method === 'then' ? [...all, receiver] : all, at);
  const result =
    walk.effects.call({ ref, method, receiver, args, named, place: at, world: walk.world, depth: walk.depth }) ??
    ({ marks: joinMarks([allMarks(receiver), ...all.map(allMarks)]), texts: [], ref: `${ref}()` } satisfies Value);
  if (hasObject && PUTS.test(method)) for (const value of all) taint(walk, scope, callee.object, value);
  // `image.save(buffer)`: what the object holds is in the buffer then.
  const [into] = expr.args;
  if (hasObject && into && FILLS.test(method) && allMarks(receiver).length > 0)
    taint(walk, scope, into.value, receiver);
  // Anyone who takes a function calls it with what it has.
  for (const value of all) {
    const inner = value.items?.filter(({ closure }) => closure) ?? [];
    for (const { closure } of [value, ...inner])
      if (closure) {
        const given: Value =
          method === 'then'
            ? receiver
            : {
                marks: joinMarks([
                  result.marks,
                  allMarks(receiver),
                  ...args.filter((arg) => !arg.closure).map(allMarks),
                ]),
                texts: [],
                ...(result.ref !== undefined && { ref: result.ref }),
              };
        const out = callFunction(walk, { ...NOTHING, closure }, [given, given], new Map());
        if (out.marks.length > 0) return { ...withMarks(result, allMarks(out)) };
      }
  }
  return hasObject && TAKES.test(method) ? partOf(result) : result;
};
