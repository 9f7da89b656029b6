/** What a program can name, for completion and hover. The engine knows the names; the strings are ours. */

export interface DialectEntry {
  readonly name: string;
  readonly signature: string;
  readonly doc: string;
}

const entries = (rows: readonly (readonly [signature: string, doc: string])[]): readonly DialectEntry[] =>
  rows.map(([signature, doc]) => ({ name: /^\w+/.exec(signature)?.[0] ?? signature, signature, doc }));

export const HOST_FUNCTIONS = entries([
  [
    'ask(prompt, opts = {})',
    'Asks the agent to do one nested piece of work. Options: `purpose` (a label) and `max_turns` (1–30). Returns a dict: `answer` (string), `exhausted` (a limit was hit), `turns`, `truncated` (the answer was cut). Counts against the budget.',
  ],
  [
    'command(argv, opts = {})',
    'Runs a command through the host’s policy; `argv` is a list of strings, never a shell line. Option: `timeout` in seconds (1–120). Returns a dict: `ok`, `exit_code` (−1 when the host refused), `result` (output, or `error: …`), `truncated`. Counts against the budget.',
  ],
  [
    'trace(kind, data = {})',
    'Records a small fact about the run: a label and a dict. Free of budgets; a host keeps about 100 entries. Returns None.',
  ],
]);

export const BUILTINS = entries([
  ['abs(x)', 'The absolute value of a number.'],
  ['all(x)', 'True if no element of `x` is false.'],
  ['any(x)', 'True if an element of `x` is true.'],
  ['bool(x)', 'The truth of a value: empty, zero and None are false.'],
  ['bytes(x)', 'Bytes of a string or of a list of numbers. Not JSON: bytes cannot leave a program.'],
  ['chr(i)', 'The character with code point `i`.'],
  ['dict(pairs, **kwargs)', 'A new dict; `dict(input)` is a copy that may be changed.'],
  ['dir(x)', 'The names of the methods of a value.'],
  ['enumerate(x, start = 0)', 'A list of pairs: number and element.'],
  ['fail(*args, sep = " ")', 'Ends the run with an error. Nothing can catch it.'],
  ['float(x)', 'A number with a fraction, from a number or a string.'],
  ['getattr(x, name, default)', 'A method of a value, by name.'],
  ['hasattr(x, name)', 'Whether a value has a method of that name.'],
  ['hash(x)', 'A number that is the same for the same string.'],
  ['int(x, base = 10)', 'A whole number, from a number or a string. Whole numbers have no size limit.'],
  ['len(x)', 'The number of elements; of a string the number of its bytes in UTF-8, not of its characters.'],
  ['list(x)', 'A new list of the elements of `x`.'],
  ['max(*args, key = None)', 'The largest argument, or the largest element of one.'],
  ['min(*args, key = None)', 'The smallest argument, or the smallest element of one.'],
  ['ord(s)', 'The code point of a string of one character.'],
  ['print(*args, sep = " ")', 'Writes to the console of the run. Not part of a metaskill’s interface: use `trace`.'],
  ['range(start, stop, step)', 'The whole numbers from `start` (0) up to `stop`, which is left out.'],
  ['repr(x)', 'A value as text, strings in quotes.'],
  ['reversed(x)', 'A new list in the opposite order.'],
  ['sorted(x, key = None, reverse = False)', 'A new list in order.'],
  ['str(x)', 'A value as text.'],
  ['tuple(x)', 'A tuple of the elements of `x`.'],
  [
    'type(x)',
    'The name of a type: `"string"`, `"int"`, `"float"`, `"bool"`, `"list"`, `"dict"`, `"tuple"`, `"NoneType"`, `"function"`.',
  ],
  ['zip(*args)', 'A list of tuples: the first elements, the second ones, and so on.'],
]);

export const CONSTANTS = entries([
  ['None', 'No value.'],
  ['True', 'True.'],
  ['False', 'False.'],
]);

export const KEYWORDS = [
  'and',
  'break',
  'continue',
  'def',
  'elif',
  'else',
  'for',
  'if',
  'in',
  'lambda',
  'not',
  'or',
  'pass',
  'return',
] as const;

export const STRING_METHODS = entries([
  ['capitalize()', 'The first letter in upper case, the rest in lower case.'],
  ['codepoint_ords()', 'The code points, to iterate over.'],
  ['codepoints()', 'The characters, to iterate over.'],
  ['count(sub, start, end)', 'How often `sub` occurs.'],
  ['elem_ords()', 'The bytes as numbers, to iterate over.'],
  ['elems()', 'The bytes as strings, to iterate over.'],
  ['endswith(suffix)', 'Whether it ends with `suffix`, or one of a tuple.'],
  ['find(sub, start, end)', 'Where `sub` first occurs, or −1.'],
  ['format(*args, **kwargs)', 'Fills `{}` and `{name}`. No widths or precisions.'],
  ['index(sub, start, end)', 'Where `sub` first occurs; an error if it does not.'],
  ['isalnum()', 'Only letters and digits.'],
  ['isalpha()', 'Only letters.'],
  ['isdigit()', 'Only digits.'],
  ['islower()', 'Letters only in lower case.'],
  ['isspace()', 'Only white space.'],
  ['istitle()', 'Every word starts in upper case.'],
  ['isupper()', 'Letters only in upper case.'],
  ['join(x)', 'The strings of `x` with this one between them.'],
  ['lower()', 'In lower case.'],
  ['lstrip(chars)', 'Without white space, or `chars`, at the start.'],
  ['partition(sep)', 'Three parts: before, `sep`, after.'],
  ['removeprefix(prefix)', 'Without `prefix` at the start.'],
  ['removesuffix(suffix)', 'Without `suffix` at the end.'],
  ['replace(old, new, count)', 'With `new` in the place of `old`.'],
  ['rfind(sub, start, end)', 'Where `sub` last occurs, or −1.'],
  ['rindex(sub, start, end)', 'Where `sub` last occurs; an error if it does not.'],
  ['rpartition(sep)', 'Three parts around the last `sep`.'],
  ['rsplit(sep, maxsplit)', 'A list of parts, split from the end.'],
  ['rstrip(chars)', 'Without white space, or `chars`, at the end.'],
  ['split(sep, maxsplit)', 'A list of parts; without `sep` the words.'],
  ['splitlines(keepends)', 'A list of lines.'],
  ['startswith(prefix)', 'Whether it starts with `prefix`, or one of a tuple.'],
  ['strip(chars)', 'Without white space, or `chars`, at both ends.'],
  ['title()', 'Every word with a capital letter.'],
  ['upper()', 'In upper case.'],
]);

export const LIST_METHODS = entries([
  ['append(x)', 'Adds an element at the end.'],
  ['clear()', 'Removes all elements.'],
  ['extend(x)', 'Adds all elements of `x`.'],
  ['index(x, start, end)', 'Where `x` first is; an error if it is not there.'],
  ['insert(i, x)', 'Puts `x` before element `i`.'],
  ['pop(i = -1)', 'Removes an element and returns it.'],
  ['remove(x)', 'Removes the first `x`; an error if it is not there.'],
]);

export const DICT_METHODS = entries([
  ['clear()', 'Removes everything.'],
  ['get(key, default = None)', 'The value of a key, or `default`.'],
  ['items()', 'A list of pairs, in order.'],
  ['keys()', 'A list of the keys, in order.'],
  ['pop(key, default)', 'Removes a key and returns its value.'],
  ['popitem()', 'Removes the first pair and returns it.'],
  ['setdefault(key, default = None)', 'The value of a key, which is added if it is missing.'],
  ['update(pairs, **kwargs)', 'Adds all pairs.'],
  ['values()', 'A list of the values, in order.'],
]);

/** The fields of what `ask` and `command` return. @public for the editor */
export const RESULT_FIELDS = {
  ask: ['answer', 'exhausted', 'turns', 'truncated'],
  command: ['ok', 'exit_code', 'result', 'truncated'],
} as const;
