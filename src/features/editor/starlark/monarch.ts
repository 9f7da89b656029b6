/** The colors of Starlark, for Monaco's tokenizer. */
import { BUILTINS, HOST_FUNCTIONS, KEYWORDS } from '../../../model/starlark/dialect.ts';

/** Words of Python that Starlark keeps for itself or refuses. */
const RESERVED = [
  'while',
  'load',
  'as',
  'assert',
  'class',
  'del',
  'except',
  'finally',
  'from',
  'global',
  'import',
  'is',
  'nonlocal',
  'raise',
  'try',
  'with',
  'yield',
];

export const starlarkGrammar = {
  defaultToken: '',
  keywords: KEYWORDS,
  reserved: RESERVED,
  constants: ['True', 'False', 'None'],
  host: HOST_FUNCTIONS.map(({ name }) => name),
  builtins: BUILTINS.map(({ name }) => name),
  brackets: [
    { open: '(', close: ')', token: 'delimiter.parenthesis' },
    { open: '[', close: ']', token: 'delimiter.square' },
    { open: '{', close: '}', token: 'delimiter.curly' },
  ],
  tokenizer: {
    root: [
      [/(\bdef)(\s+)([A-Za-z_]\w*)/, ['keyword', '', 'function']],
      [/\.[ \t]*[A-Za-z_]\w*(?=\s*\()/, 'function.method'],
      [
        /[A-Za-z_]\w*/,
        {
          cases: {
            '@keywords': 'keyword',
            '@reserved': 'invalid',
            '@constants': 'constant',
            '@host': 'function.host',
            '@builtins': 'function.builtin',
            '@default': 'identifier',
          },
        },
      ],
      [/#.*$/, 'comment'],
      [/0[xX][0-9a-fA-F]+|0[oO][0-7]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+/, 'number'],
      [/[rb]{0,2}"""/, 'string', '@tripleDouble'],
      [/[rb]{0,2}'''/, 'string', '@tripleSingle'],
      [/[rb]{0,2}"/, 'string', '@double'],
      [/[rb]{0,2}'/, 'string', '@single'],
      [/[()[\]{}]/, '@brackets'],
      [/[-+*/%=<>!|&^~:.,;]/, 'delimiter'],
    ],
    double: [
      [/\\./, 'string.escape'],
      [/[^\\"]+$/, 'string', '@pop'],
      [/[^\\"]+/, 'string'],
      [/"/, 'string', '@pop'],
      [/\\$/, 'string'],
    ],
    single: [
      [/\\./, 'string.escape'],
      [/[^\\']+$/, 'string', '@pop'],
      [/[^\\']+/, 'string'],
      [/'/, 'string', '@pop'],
      [/\\$/, 'string'],
    ],
    tripleDouble: [
      [/\\./, 'string.escape'],
      [/"""/, 'string', '@pop'],
      [/[^\\"]+/, 'string'],
      [/["\\]/, 'string'],
    ],
    tripleSingle: [
      [/\\./, 'string.escape'],
      [/'''/, 'string', '@pop'],
      [/[^\\']+/, 'string'],
      [/['\\]/, 'string'],
    ],
  },
} as const;

/** JSON is small enough to need no service of its own. */
export const jsonGrammar = {
  defaultToken: '',
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'type'],
      [/"(?:[^"\\]|\\.)*"?/, 'string'],
      [/\b(?:true|false|null)\b/, 'constant'],
      [/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/, 'number'],
      [/[{}[\],:]/, 'delimiter'],
    ],
  },
} as const;
