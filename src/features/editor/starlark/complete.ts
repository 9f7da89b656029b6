import {
  BUILTINS,
  CONSTANTS,
  DICT_METHODS,
  HOST_FUNCTIONS,
  KEYWORDS,
  LIST_METHODS,
  RESULT_FIELDS,
  STRING_METHODS,
  type DialectEntry,
} from '../../../model/starlark/dialect.ts';
import type { Checked } from '../needs.ts';
import { enclosing, scanStarlark, tokenAt, tokenBefore, type Enclosing, type StarToken } from './scan.ts';

export interface StarCompletion {
  readonly label: string;
  readonly kind: 'function' | 'method' | 'constant' | 'keyword' | 'variable' | 'key' | 'snippet';
  readonly insert: string;
  readonly isSnippet: boolean;
  readonly detail: string;
  /** Markdown. */
  readonly doc: string;
}

/** Of the last check; it may be of an older text. */
export type Known = Pick<Checked, 'analysis' | 'documented'>;

const item = (
  kind: StarCompletion['kind'],
  label: string,
  detail = '',
  doc = '',
  insert = label,
  isSnippet = false,
): StarCompletion => ({ kind, label, insert, isSnippet, detail, doc });

const callable = (kind: 'function' | 'method', { name, signature, doc }: DialectEntry): StarCompletion =>
  item(kind, name, signature, doc, signature.endsWith('()') ? `${name}()` : `${name}($0)`, true);

const METHODS: readonly (readonly [type: string, entries: readonly DialectEntry[]])[] = [
  ['string', STRING_METHODS],
  ['list', LIST_METHODS],
  ['dict', DICT_METHODS],
];

const SNIPPETS: readonly StarCompletion[] = [
  item(
    'snippet',
    'def run',
    'entry point of a metaskill',
    'Gets the input as a dict. Returns a string or a dict.',
    'def run(input):\n    ${1:task} = input["${1:task}"]\n    $0\n    return {"status": "done"}',
    true,
  ),
  item(
    'snippet',
    'ask and check',
    'retry loop',
    'Asks, checks the response in code, and asks again, up to three times.',
    'for attempt in range(1, 4):\n    draft = ask(${1:prompt}, {"purpose": "${2:draft}", "max_turns": ${3:4}})\n    if ${4:True}:\n        return {"status": "accepted", "answer": draft["answer"], "attempts": attempt}\n    trace("${5:retry}", {"attempt": attempt})',
    true,
  ),
];

const OPTIONS: Readonly<Record<string, readonly (readonly [key: string, doc: string])[]>> = {
  ask: [
    ['purpose', 'A label for the trace and the run view.'],
    ['max_turns', 'Maximum turns of the nested work: 1–30.'],
  ],
  command: [['timeout', 'Timeout of the command in seconds: 1–120.']],
};

const FIELD_DOCS: Readonly<Record<string, string>> = {
  answer: 'The response.',
  exhausted: 'True if a limit ended the work.',
  turns: 'Number of turns used.',
  truncated: 'True if the text was cut.',
  ok: 'True if the command ended with exit code 0.',
  exit_code: 'The exit code, or −1 if the host refused the command.',
  result: 'The output, or `error: …`.',
};

/** What a variable was last given before the cursor: `ask`, `command`, or the kind of a literal. */
const sourceOf = (
  text: string,
  name: string,
  offset: number,
): 'ask' | 'command' | 'string' | 'list' | 'dict' | undefined => {
  const pattern = new RegExp(`\\b${name}\\s*=\\s*(?:(ask|command)\\s*\\(|(["'[{]))`, 'g');
  const last = [...text.slice(0, offset).matchAll(pattern)].at(-1);
  if (last?.[1] === 'ask' || last?.[1] === 'command') return last[1];
  switch (last?.[2]) {
    case '[':
      return 'list';
    case '{':
      return 'dict';
    case undefined:
      return undefined;
    default:
      return 'string';
  }
};

/** The name of the parameter of `run`. */
const inputName = (text: string): string => /\bdef\s+run\s*\(\s*(\w+)/.exec(text)?.[1] ?? 'input';

const keysOf = (text: string, name: string, offset: number, known: Known): StarCompletion[] => {
  if (name === inputName(text)) {
    const documented = known.documented?.keys ?? [];
    const used = known.analysis?.facts?.inputKeys ?? [];
    const names = new Set([...documented.map((key) => key.name), ...used.map(({ key }) => key)]);
    return [...names].map((key) =>
      item('key', key, documented.some((one) => one.name === key) ? 'input key of SKILL.md' : 'input key'),
    );
  }
  const source = sourceOf(text, name, offset);
  return source === 'ask' || source === 'command'
    ? RESULT_FIELDS[source].map((field) => item('key', field, `of ${source}`, FIELD_DOCS[field] ?? ''))
    : [];
};

/** Inside quotes: a key, where the place says which. */
const insideString = (
  text: string,
  tokens: readonly StarToken[],
  string: StarToken,
  known: Known,
): StarCompletion[] => {
  const [inner, outer] = enclosing(tokens, string.start);
  if (!inner) return [];
  if (inner.bracket === '[' && inner.name && !inner.isMethod && inner.last === undefined)
    return keysOf(text, inner.name.text, string.start, known);
  if (inner.bracket === '(' && inner.isMethod && inner.index === 0 && inner.receiver?.kind === 'name')
    return ['get', 'pop', 'setdefault'].includes(inner.name?.text ?? '')
      ? keysOf(text, inner.receiver.text, string.start, known)
      : [];
  return isKeyPlace(inner) && outer?.bracket === '(' && outer.index === 1 ? optionsOf(outer) : [];
};

const isKeyPlace = ({ bracket, last }: Enclosing): boolean =>
  bracket === '{' && (last === undefined || last.text === ',');

const optionsOf = ({ name }: Enclosing): StarCompletion[] =>
  (OPTIONS[name?.text ?? ''] ?? []).map(([key, doc]) => item('key', key, `option of ${name?.text ?? ''}`, doc));

const methodsOf = (text: string, receiver: StarToken | undefined, offset: number): StarCompletion[] => {
  const type =
    receiver?.kind === 'string'
      ? 'string'
      : receiver?.kind === 'name'
        ? sourceOf(text, receiver.text, offset)
        : undefined;
  const wanted = type === 'ask' || type === 'command' ? 'dict' : type;
  const seen = new Map<string, StarCompletion>();
  for (const [owner, entries] of METHODS) {
    if (wanted !== undefined && wanted !== owner) continue;
    for (const entry of entries) {
      const other = seen.get(entry.name);
      const made = callable('method', entry);
      seen.set(
        entry.name,
        other ? { ...other, detail: `${other.detail} · ${owner}` } : { ...made, detail: `${made.detail} · ${owner}` },
      );
    }
  }
  return [...seen.values()];
};

/** Names of the program itself: all that are bound anywhere, which is right nearly always and never far off. */
const ownNames = (text: string, known: Known): StarCompletion[] => {
  const functions = new Map(
    (known.analysis?.outline.symbols ?? []).flatMap((symbol) =>
      symbol.kind === 'function' ? [[symbol.name, symbol] as const] : [],
    ),
  );
  const names = new Set<string>();
  for (const { name, range } of known.analysis?.outline.bindings ?? []) if (range) names.add(name);
  // While the text has a syntax error there is no outline.
  for (const match of text.matchAll(/^[ \t]*(?:def[ \t]+(\w+)|(\w+)[ \t]*=(?!=))/gm))
    names.add(match[1] ?? match[2] ?? '');
  return [...names].map((name) => {
    const own = functions.get(name);
    if (!own) return item('variable', name, 'of this program');
    return item('function', name, signatureOf(own), own.doc, `${name}($0)`, true);
  });
};

export const signatureOf = (own: {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly default?: string | undefined }[];
}): string =>
  `${own.name}(${own.params.map((param) => (param.default === undefined ? param.name : `${param.name} = ${param.default}`)).join(', ')})`;

export const completeStarlark = (text: string, offset: number, known: Known): readonly StarCompletion[] => {
  const tokens = scanStarlark(text);
  const current = tokenAt(tokens, offset);
  if (current?.kind === 'comment' || current?.kind === 'number') return [];
  if (current?.kind === 'string') return insideString(text, tokens, current, known);
  const start = current?.kind === 'name' ? current.start : offset;
  const before = tokenBefore(tokens, start);
  if (before?.text === '.') return methodsOf(text, tokenBefore(tokens, before.start), before.start);
  // After `def`, and for the name of a parameter, only the author knows.
  if (before?.text === 'def') return [];
  const own = ownNames(current?.kind === 'name' ? text.slice(0, current.start) + text.slice(current.end) : text, known);
  const taken = new Set(own.map(({ label }) => label));
  return [
    ...HOST_FUNCTIONS.map((entry) => callable('function', entry)),
    ...own,
    ...BUILTINS.filter(({ name }) => !taken.has(name)).map((entry) => callable('function', entry)),
    ...CONSTANTS.map(({ name, doc }) => item('constant', name, '', doc)),
    ...KEYWORDS.map((word) => item('keyword', word)),
    ...SNIPPETS,
  ];
};
