/** Hidden code: reversed, encoded, or split strings, and detours to functions. That it hides matters more than its effect. */
import { decodeBase64, decodeHex, reverseText, rot13 } from './decode.ts';
import { unescapeText } from './literals.ts';
import type { PatternInput } from './pattern-input.ts';

/** Signs of code. Plain prose and plain data have none of these. */
const HOT =
  /\b(?:curl|wget)\s+(?:-|https?:|[\w.-]+\.\w+\/)|\|\s*(?:ba|z|da)?sh\b|\/bin\/(?:ba|z)?sh\b|\bimport\s+(?:os|subprocess|socket|requests|urllib|base64|pty|ctypes)\b|\bfrom\s+(?:os|subprocess|socket|urllib)\b|__import__|\bos\.(?:system|popen|environ|exec\w*)\b|\bsubprocess\b|\bchild_process\b|\bexecSync\b|\b(?:eval|exec)\(|\/dev\/tcp\/|\bpowershell\b|\bInvoke-(?:Expression|WebRequest)\b|\bprocess\.env\b|\brequire\(['"]|~\/\.(?:ssh|aws|gnupg)\b|\.(?:ssh|aws)\/(?:id_|credentials)|\bbash\s+-[ci]\b|\bnc\s+-\w*e\b|\bchmod\s+\+x\b|\brm\s+-rf\s+[~/]/;
/** Signs that chance does not make of other words. */
const HOT_KEYED =
  /\b(?:curl|wget) (?:-|https?:)|\/bin\/(?:ba|z)?sh\b|\bimport (?:os|subprocess|socket|requests|urllib|base64)\b|__import__|\bos\.(?:system|popen|environ)\b|\bsubprocess\b|\bchild_process\b|\bexecSync\b|\/dev\/tcp\/|\bpowershell\b|\bprocess\.env\b|https?:\/\/[\w-]+\.\w|\.ssh\/id_|\.aws\/cred/;
const ADDRESS = /https?:\/\/[\w-]+\.[\w.-]+/;

const MOST_TEXT = 60_000;
const LEAST = 8;
/** Every key is tried on it. */
const MOST_KEYED = 400;
/** Of one file. */
const MOST_LITERALS = 4000;

interface Literal {
  readonly text: string;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** Strings, in any language. */
const literalsOf = (text: string): readonly Literal[] => {
  const found: Literal[] = [];
  for (const match of text.matchAll(
    /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g,
  )) {
    if (found.length >= MOST_LITERALS) break;
    const raw = match.slice(1).find((part) => part !== undefined) ?? '';
    if (raw.length > MOST_TEXT) continue;
    found.push({ raw, text: unescapeText(raw), start: match.index, end: match.index + match[0].length });
  }
  return found;
};

const isHot = (text: string | undefined, withAddress = false): boolean =>
  text !== undefined && (HOT.test(text) || (withAddress && ADDRESS.test(text)));

interface Hidden {
  readonly how: string;
  readonly says: string;
}

const bytesText = (codes: readonly number[]): string | undefined =>
  codes.every((code) => code >= 9 && code < 127) ? String.fromCharCode(...codes.slice(0, 4000)) : undefined;

/** A key that is one byte, or a step: tried one after the other. */
const byOneByte = (codes: readonly number[]): string | undefined => {
  if (codes.length < 12 || codes.length > 4000) return undefined;
  for (let key = 1; key < 256; key++) {
    for (const change of [(code: number) => code ^ key, (code: number) => (code - key + 256) % 256]) {
      const said = bytesText(codes.map(change));
      if (said !== undefined && HOT_KEYED.test(said)) return said;
    }
  }
  return undefined;
};

const decodedOnce = (text: string): Hidden | undefined => {
  const compact = text.replace(/\s+/g, '');
  const ways: readonly (readonly [string, () => string | undefined, boolean])[] = [
    ['turned round', () => reverseText(text), true],
    ['moved by 13 letters', () => rot13(text), true],
    ['base64', () => (compact.length >= 16 && /^[\w+/-]+=*$/.test(compact) ? decodeBase64(compact) : undefined), false],
    [
      'base64, turned round',
      () => (/^=*[\w+/-]{16,}$/.test(compact) ? decodeBase64(reverseText(compact)) : undefined),
      false,
    ],
    [
      'hex',
      () => (compact.length >= 16 && /^(?:\\x|0x)?[0-9a-f]+$/i.test(compact) ? decodeHex(compact) : undefined),
      false,
    ],
  ];
  for (const [how, by, withAddress] of ways) {
    const said = by();
    if (said !== undefined && isHot(said, withAddress)) return { how, says: said };
  }
  return undefined;
};

const hiddenIn = ({ text, raw }: Literal): Hidden | undefined => {
  // Letters have no reason to be written as numbers, and four of them in a row have none at all.
  if (/(?:\\(?:x[4-7][0-9a-f]|u00[4-7][0-9a-f]|1[0-7]{2})){4}/i.test(raw) && /[a-z]{4}/i.test(text))
    return { how: 'written in escapes', says: text };
  if (text.length < LEAST || isHot(raw, true)) return undefined;
  const escapes = raw.match(/\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}|\\[0-7]{3}/gi)?.length ?? 0;
  if (escapes >= 4 && isHot(text, true)) return { how: 'written in escapes', says: text };
  const once = decodedOnce(text);
  if (once) return once;
  const compact = text.replace(/\s+/g, '');
  const inner = compact.length >= 24 && /^[\w+/-]+=*$/.test(compact) ? decodeBase64(compact) : undefined;
  const twice = inner === undefined ? undefined : decodedOnce(inner.trim());
  if (twice) return { how: `base64, and ${twice.how}`, says: twice.says };
  // Prose has blanks, encrypted prose has none.
  const odd =
    text.length <= MOST_KEYED &&
    text.split(' ').length < text.length / 14 &&
    /[^\w\s.,:;!?'"()[\]{}<>/\\|=+*&%$#@~^`-]|[|`~^{}]/.test(text);
  const shifted = odd ? byOneByte(Array.from(text, (char) => char.charCodeAt(0))) : undefined;
  return shifted === undefined ? undefined : { how: 'combined with a key', says: shifted };
};

const NUMBERS = /(?:\b(?:0x[0-9a-f]{1,8}|\d{1,10})\b[\s,]{1,4}){3,4000}(?:0x[0-9a-f]{1,8}|\d{1,10})\b/gi;

/** Characters as a row of numbers, one or four in each. */
const numbersSay = (row: string): Hidden | undefined => {
  const numbers = row
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);
  if (numbers.every((number) => number < 256)) {
    if (numbers.length < 12) return undefined;
    const plain = bytesText(numbers);
    if (plain !== undefined && isHot(plain, true)) return { how: 'a row of numbers', says: plain };
    const back = plain === undefined ? undefined : reverseText(plain);
    if (back !== undefined && isHot(back)) return { how: 'a row of numbers, turned round', says: back };
    const keyed = byOneByte(numbers);
    return keyed === undefined ? undefined : { how: 'a row of numbers with a key', says: keyed };
  }
  const wide = numbers.flatMap((number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]);
  const said = bytesText(wide.filter((code) => code !== 0));
  return said !== undefined && isHot(said) ? { how: 'a row of numbers', says: said } : undefined;
};

/** Words that nobody cuts into pieces to keep a line short. */
const CUT =
  /\b(?:system|popen|Popen|exec|execSync|eval|spawn|spawnSync|child_process|subprocess|require|mainModule|process|constructor|Function|__import__|import_module|importlib|builtins|socket|urllib|urlopen|requests|base64|b64decode|marshal|pickle|curl|wget|bash|python3?|powershell|chmod|crontab|credentials|id_rsa|id_ed25519)\b|\.ssh\b|\.aws\b/g;

/** Literals beside each other with nothing but an operator or a comma between them. */
const runsOf = (text: string, literals: readonly Literal[]): readonly (readonly Literal[])[] => {
  const runs: Literal[][] = [];
  let run: Literal[] = [];
  for (const literal of literals) {
    const last = run.at(-1);
    const gap = last === undefined ? '' : text.slice(last.end, literal.start);
    const joined =
      last !== undefined && gap.length < 80 && /^\s*(?:\+|,|\.|\|\||)\s*(?:\\\r?\n\s*)?[fbru]{0,2}$/i.test(gap);
    if (!joined) {
      if (run.length > 1) runs.push(run);
      run = [];
    }
    run.push(literal);
  }
  if (run.length > 1) runs.push(run);
  return runs;
};

/** A word that is whole only when the pieces are put together. */
const cutWord = (run: readonly Literal[]): string | undefined => {
  const ends: number[] = [];
  let whole = '';
  for (const { text } of run.slice(0, 200)) {
    whole += text;
    ends.push(whole.length);
  }
  for (const { 0: word, index } of whole.matchAll(CUT))
    if (ends.some((end) => end > index && end < index + word.length)) return word;
  return undefined;
};

/** Functions that are reached through what they hang on, and not by their name. */
const DETOURS: readonly (readonly [RegExp, string])[] = [
  [/\.__subclasses__\s*\(\s*\)/, 'goes through all classes of the program'],
  [
    /\.__(?:globals|builtins)__\s*[[.]|\bvars\s*\(\s*__builtins__\s*\)|\b__builtins__\s*(?:\[|\.__dict__)|\b_call_with_frames_removed\b/,
    'takes a function from the inside of another',
  ],
  [/\bprocess\s*(?:\.|\[['"`])(?:binding|_linkedBinding|dlopen)\b/, 'takes a function from the inside of Node'],
  [
    /(?:\[\]|\{\}|""|''|``|\(\)|\(\s*\)\s*=>\s*\{\s*\}\)?|function\s*\*?\s*\(\s*\)\s*\{\s*\}\)?)(?:\s*\.\s*\w+)?\s*(?:\.\s*constructor|\[\s*['"`]constructor['"`]\s*\])(?!\s*\.\s*name)/,
    'makes functions from text by way of a constructor',
  ],
  [/\breduce\s*\(\s*getattr\s*,\s*[[(]/, 'goes to a function step by step'],
  [/\.constructor\s*\.\s*constructor\b/, 'makes functions from text by way of a constructor'],
];

/** Quotes within the name of a program: `c''url`, `b"a"sh`, `cu\rl`. */
const SPLIT_WORD = /(?<![\w'"$=])(?=[\w'"\\]{4,24}(?![\w'"]))\w+(?:(?:''|""|\\(?=\w)|(["'])\w{1,6}\1)\w*)+/g;
const PROGRAM =
  /^(?:curl|wget|bash|sh|zsh|base64|eval|python3?|nc|ncat|chmod|openssl|source|exec|crontab|node|perl|ruby|powershell)$/;

export const analyseConcealed = (input: PatternInput, isShell: boolean): void => {
  const { text, placeOf, world } = input;
  if (text.length > MOST_TEXT * 4) return;
  const alarm = (at: number, message: string, decoded?: string): void =>
    world.alarm('concealed-code', placeOf(at), message, decoded === undefined ? {} : { decoded });
  const literals = literalsOf(text);
  for (const { raw, start } of literals) {
    for (const { 1: address = '' } of raw.matchAll(
      /\b(?:curl|wget|ncat?)\b[^|;&\n]{0,200}?((?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,})(?=[/\s:'"|;)]|$)/gi,
    ))
      world.contact(placeOf(start), { marks: [], texts: [address] });
    if (
      /\\?"(?:pre|post)?install\\?"\s*:\s*\\?["']/.test(raw) &&
      /\b(?:node|curl|wget|sh|bash|python3?|npx)\b/.test(raw)
    )
      world.alarm('runs-by-itself', placeOf(start), 'Puts a script into a package that its next install runs.');
  }
  for (const literal of literals) {
    const hidden = hiddenIn(literal);
    if (hidden) alarm(literal.start, `A string hides code: it is ${hidden.how}.`, hidden.says);
  }
  for (const { 0: row, index } of text.matchAll(NUMBERS)) {
    const hidden = numbersSay(row);
    if (hidden) alarm(index, `Numbers hide code: they are ${hidden.how}.`, hidden.says);
  }
  for (const run of runsOf(text, literals)) {
    const word = cutWord(run);
    if (word !== undefined)
      alarm(run[0]?.start ?? 0, `The word “${word}” is cut into pieces, so that nobody finds it.`);
  }
  for (const [pattern, what] of DETOURS) {
    const at = text.search(pattern);
    if (at !== -1) alarm(at, `The code ${what}. Its name stands nowhere.`);
  }
  if (!isShell) return;
  for (const { 0: word, index } of text.matchAll(SPLIT_WORD)) {
    const plain = word.replace(/['"\\]/g, '');
    if (PROGRAM.test(plain)) alarm(index, `The word “${plain}” is cut by quotes, so that nobody finds it.`);
  }
};

/** Encoded blocks in prose: an agent may decode and follow one. */
export const analyseEncodedProse = ({ text, placeOf, world }: PatternInput): void => {
  for (const { 0: block, index } of text.matchAll(
    /(?<![\w+/=.-])(?:[A-Za-z0-9+/]{24,4000}={0,2}|(?:[0-9a-f]{2}){16,2000})(?![\w+/-])/gi,
  )) {
    const hidden = decodedOnce(block);
    if (hidden)
      world.alarm('concealed-code', placeOf(index), `A block of text hides code: it is ${hidden.how}.`, {
        decoded: hidden.says,
      });
  }
};
