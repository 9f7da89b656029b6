/**
 * What the engine says, in the shape in which it says it. Go writes JSON text (`starlark/engine`), the worker passes it on,
 * and the page parses it here, once. A change of a shape is a change of PROTOCOL.
 */
import { z } from '../zod.ts';

/** Lines and columns count from 1, columns in UTF-16 units, the end is exclusive. */
const sourceRange = z.object({
  line: z.number(),
  column: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
});
export type SourceRange = z.infer<typeof sourceRange>;

/** A range on the hot path: line, column, end line, end column. */
const packedRange = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .transform(([line, column, endLine, endColumn]): SourceRange => ({ line, column, endLine, endColumn }));

const problem = z.object({
  kind: z.enum(['syntax', 'resolve']),
  /** What it is about: `undefined`, `while`, `f-string` and so on. */
  code: z.string(),
  message: z.string(),
  /** In the words of the Starlark implementation. */
  original: z.string(),
  range: sourceRange,
  /** What the range should read instead, if that can be reported. */
  replacement: z.string().optional(),
});
/** Something that keeps a program from running. */
export type ProgramProblem = z.infer<typeof problem>;

interface FunctionSymbol {
  kind: 'function';
  name: string;
  range: SourceRange;
  nameRange: SourceRange;
  params: { name: string; default?: string | undefined }[];
  doc: string;
  children: FunctionSymbol[];
}

const functionSymbol: z.ZodType<FunctionSymbol> = z.object({
  kind: z.literal('function'),
  name: z.string(),
  range: sourceRange,
  nameRange: sourceRange,
  params: z.array(z.object({ name: z.string(), default: z.string().optional() })),
  doc: z.string(),
  get children() {
    return z.array(functionSymbol);
  },
});
const variableSymbol = z.object({
  kind: z.literal('variable'),
  name: z.string(),
  range: sourceRange,
  nameRange: sourceRange,
});

/** The scopes of a reference, in the order of their codes. @public for the editor */
export const SCOPES = ['local', 'cell', 'free', 'global', 'predeclared', 'universal', 'undefined'] as const;

const outline = z.object({
  symbols: z.array(z.union([functionSymbol, variableSymbol])),
  /** What names mean. One without range is a host or built-in function. */
  bindings: z.array(z.object({ name: z.string(), range: sourceRange.optional() })),
  /** Six numbers per name in the text: line, column, length, scope (index into SCOPES), binding, 1 if it binds. */
  references: z.array(z.number()),
  /** Lines in which a breakpoint can stand. */
  stopLines: z.array(z.number()),
});

/** How many at most; null: it cannot be known. */
const count = z.number().nullable();
const costs = z.object({ ask: count, command: count, trace: count });

const hostCallFact = z.object({
  fn: z.enum(['ask', 'command', 'trace']),
  range: sourceRange,
  topLevel: z.boolean(),
  /** The call is a statement of its own: nobody looks at the result. */
  statement: z.boolean(),
  /** The result goes where its fields cannot be followed. */
  escapes: z.boolean(),
  /** The fields of the result that the program reads. */
  reads: z.array(z.string()),
  /** `prompt`, `argv` or `kind`. */
  first: z
    .object({
      range: sourceRange,
      type: z.string(),
      text: z.string().optional(),
      /** The items of an argv that is written out; `glued`: text from outside is joined into it. */
      items: z
        .array(z.object({ range: sourceRange, type: z.string(), text: z.string().optional(), glued: z.boolean() }))
        .optional(),
    })
    .optional(),
  opts: z
    .object({
      range: sourceRange,
      type: z.string(),
      entries: z
        .array(z.object({ key: z.string(), range: sourceRange, type: z.string(), int: z.number().optional() }))
        .optional(),
    })
    .optional(),
});
export type HostCallFact = z.infer<typeof hostCallFact>;

const at = z.object({ range: sourceRange });
const named = z.object({ range: sourceRange, name: z.string() });

const facts = z.object({
  run: z
    .object({
      range: sourceRange,
      callable: z.enum(['yes', 'no', 'unknown']),
      type: z.string(),
      params: z
        .object({
          required: z.number(),
          /** null: any number. */
          most: z.number().nullable(),
          keywordOnly: z.number(),
          text: z.string(),
          /** With the parentheses; absent for a lambda. */
          range: sourceRange.optional(),
        })
        .nullable(),
    })
    .nullable(),
  calls: z.array(hostCallFact),
  loops: z.array(z.object({ range: sourceRange, bound: count, each: costs, total: costs, depth: z.number() })),
  /** The most that a whole run can spend; null without `run`. */
  worst: costs.nullable(),
  inputKeys: z.array(z.object({ key: z.string(), range: sourceRange, optional: z.boolean(), fallback: z.string() })),
  /** The input is also used as a whole, so that not all keys are known. */
  inputEscapes: z.boolean(),
  returns: z.array(z.object({ range: sourceRange, type: z.string(), keys: z.array(z.string()).optional() })),
  prints: z.array(at),
  loads: z.array(z.object({ range: sourceRange, module: z.string() })),
  shadows: z.array(z.object({ range: sourceRange, name: z.string(), host: z.boolean() })),
  stringLoops: z.array(at),
  textLengths: z.array(z.object({ range: sourceRange, argument: z.string() })),
  recursion: z.array(named),
  mutations: z.array(z.object({ range: sourceRange, what: z.enum(['input', 'global']), name: z.string() })),
  unused: z.array(named),
  unreachable: z.array(at),
});
/** What the static rules judge. */
export type ProgramFacts = z.infer<typeof facts>;

export const analysis = z.object({
  diagnostics: z.array(problem),
  outline,
  /** null while there are syntax errors. */
  facts: facts.nullable(),
});
export type Analysis = z.infer<typeof analysis>;

export const formatResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: z.string() }),
  z.object({ ok: z.literal(false), diagnostics: z.array(problem) }),
]);
export type FormatResult = z.infer<typeof formatResult>;

/**
 * Why a run gave no value. `host`: a host function refused, `code` says why. `contract`: no `run(input)`, or a result that is
 * neither None, string nor dict. `value`: a result that is not JSON. `engine`: the engine itself failed.
 */
const ERROR_KINDS = [
  'syntax',
  'resolve',
  'input',
  'runtime',
  'host',
  'contract',
  'value',
  'cancelled',
  'timeout',
  'steps',
  'memory',
  'engine',
] as const;

const frame = z.object({ name: z.string(), builtin: z.boolean(), range: sourceRange.optional() });

const runError = z.object({
  kind: z.enum(ERROR_KINDS),
  message: z.string(),
  code: z.string().optional(),
  file: z.string().optional(),
  /** The innermost place in the program. */
  range: sourceRange.optional(),
  /** The outermost call first. */
  stack: z.array(frame),
  diagnostics: z.array(problem).optional(),
});
export type RunError = z.infer<typeof runError>;

/** Time spent paused or waiting for a person is in `heldMs` and not in `ms`. */
const stats = z.object({ steps: z.number(), ms: z.number(), hostMs: z.number(), heldMs: z.number() });

export const runResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** JSON text: integers of any size and the order of keys survive only as text. */
    valueJson: z.string(),
    valueType: z.enum(['NoneType', 'string', 'dict']),
    stats,
  }),
  z.object({ ok: z.literal(false), error: runError, stats }),
]);
export type RunResult = z.infer<typeof runResult>;

export const variable = z.object({
  name: z.string(),
  type: z.string(),
  /** At most 200 characters. */
  repr: z.string(),
  scope: z.enum(['local', 'cell', 'free', 'global', 'result', 'part']),
  /** Has parts, which `expand` lists while the program is paused. */
  ref: z.number().optional(),
});
export type Variable = z.infer<typeof variable>;

export const pause = z.object({
  reason: z.enum(['breakpoint', 'step', 'entry', 'pause']),
  file: z.string(),
  range: sourceRange,
  /** The innermost first. */
  frames: z.array(z.object({ name: z.string(), range: sourceRange, variables: z.array(variable) })),
  globals: z.array(variable),
  /** A condition that cannot be evaluated. */
  note: z.string().optional(),
});
export type Pause = z.infer<typeof pause>;

/** Events of a run, as the worker streams them. */
export const runEvent = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('call'),
    callId: z.number(),
    fn: z.enum(['ask', 'command']),
    argsJson: z.string(),
    range: packedRange,
    steps: z.number(),
    ms: z.number(),
  }),
  z.object({ t: z.literal('trace'), kind: z.string(), dataJson: z.string(), range: packedRange }),
  z.object({ t: z.literal('print'), text: z.string(), truncated: z.boolean(), range: packedRange }),
  z.object({
    t: z.literal('progress'),
    steps: z.number(),
    ms: z.number(),
    memoryBytes: z.number(),
    range: packedRange.nullable(),
  }),
  z.object({ t: z.literal('paused'), text: z.string() }),
]);
export type RunEvent = z.infer<typeof runEvent>;
