/** The description. */
import { SOUND, withDescription, withFrontmatter, type CasesOf } from './skill-case.ts';

const A = (count: number): string => 'a'.repeat(count);

/** So long, and in whole sentences that no other rule minds. */
const proseOfLength = (length: number): string =>
  `Use when it fits. ${'It reads pages in order. '.repeat(100)}`.slice(0, length - 1).padEnd(length, '.');

export const DESCRIPTION_CASES: CasesOf = {
  'description-missing': {
    fires: [
      { content: withFrontmatter('name: ok'), at: '' },
      { content: withFrontmatter('name: ok', '# Only a heading\n'), at: '', noFix: 'there is no paragraph' },
    ],
    silent: [{ content: SOUND }],
  },
  'description-empty': {
    fires: [
      { content: withDescription(''), at: 'description' },
      { content: withDescription('"  "'), at: '"  "' },
      { content: withDescription('null'), profile: 'metis', at: 'null' },
    ],
    silent: [{ content: SOUND }],
  },
  'description-type': {
    fires: [
      { content: withDescription('\n  - a\n  - b'), at: '- a\n  - b' },
      { content: withDescription('{a: b}'), at: '{a: b}' },
    ],
    silent: [{ content: SOUND }],
  },
  'description-coerced': {
    fires: [
      { content: withDescription('42'), at: '42' },
      { content: withDescription('2024-01-01'), profile: 'metis', at: '2024-01-01' },
    ],
    silent: [{ content: withDescription('"42"') }, { content: withDescription('42'), profile: 'strict' }],
  },
  'description-length': {
    fires: [
      { content: withDescription(A(1025)), at: 'a' },
      { content: withDescription(`"${A(1030)}"`), at: A(6) },
      { what: 'escapes hide the place', content: withDescription(`"\\x61${A(1024)}"`), at: `"\\x61${A(1024)}"` },
    ],
    silent: [
      { content: withDescription(A(1024)) },
      { what: 'code points', content: withDescription('😀'.repeat(1024)) },
    ],
  },
  'description-placeholder': {
    fires: [
      { content: withDescription('TODO say what it does'), at: 'TODO say what it does' },
      { content: withDescription('A skill that helps'), at: 'A skill that helps' },
    ],
    silent: [{ content: SOUND }, { content: withDescription('Keeps todo lists in order. Use when tasks pile up.') }],
  },
  'description-short': {
    fires: [{ content: withDescription('Reads PDF files when asked.'), at: 'Reads PDF files when asked.' }],
    silent: [{ content: SOUND }, { what: 'exactly 50', content: withDescription(proseOfLength(50)) }],
  },
  'description-no-when': {
    fires: [
      {
        content: withDescription('Tables of PDF files as CSV, one file per table, with headers.'),
        at: 'Tables of PDF files as CSV, one file per table, with headers.',
      },
    ],
    silent: [{ content: SOUND }],
  },
  'description-user-centric': {
    fires: [
      {
        content: withDescription('Extracts tables. Use when the user asks for tables.'),
        at: 'Extracts tables. Use when the user asks for tables.',
      },
    ],
    silent: [
      { content: SOUND },
      { content: withDescription('Manages user accounts. Use when an account is created or removed.') },
    ],
  },
  'description-keyword-stuffing': {
    fires: [
      {
        content: withDescription('pdf, tables, csv, excel, extract, convert, parse, export, data, when'),
        at: 'pdf, tables, csv, excel, extract, convert, parse, export, data, when',
      },
      { content: withDescription('Use when "a" "b" "c" "d" "e"'), at: 'Use when "a" "b" "c" "d" "e"' },
    ],
    silent: [
      { content: SOUND },
      { content: withDescription('Reads PDF, CSV and Excel files. Use when tables have to move between them.') },
    ],
  },
  'description-equals-name': {
    fires: [
      { content: withFrontmatter('name: pdf-tables\ndescription: PDF Tables'), folder: 'pdf-tables', at: 'PDF Tables' },
    ],
    silent: [{ content: SOUND }],
  },
  'description-first-person': {
    fires: [
      {
        content: withDescription('I can extract tables. Use when a PDF holds some.'),
        at: 'I can extract tables. Use when a PDF holds some.',
      },
    ],
    silent: [
      { content: SOUND },
      { what: 'a quotation', content: withDescription('Use when "I can not read this PDF" is what the log says.') },
    ],
  },
  'description-angle-brackets': {
    fires: [
      {
        content: withDescription('Fills in <name>. Use when a template has one.'),
        at: 'Fills in <name>. Use when a template has one.',
      },
      { content: withDescription('Use when a > b.'), profile: 'claude-upload', at: 'Use when a > b.' },
    ],
    silent: [{ content: SOUND }],
  },
  'description-multiline': {
    fires: [
      {
        content: withDescription('>-\n  Extracts tables.\n  Use when a PDF has some.'),
        at: '>-\n  Extracts tables.\n  Use when a PDF has some.\n',
      },
      {
        content: withDescription('"Extracts tables.\\nUse when a PDF has some."'),
        at: '"Extracts tables.\\nUse when a PDF has some."',
      },
    ],
    silent: [
      { content: SOUND },
      { what: 'one line when read', content: withDescription('Extracts tables.\n  Use when a PDF has some.') },
    ],
  },
  'description-whitespace': {
    fires: [
      {
        content: withDescription('" Extracts tables. Use when a PDF has some."'),
        at: '" Extracts tables. Use when a PDF has some."',
      },
    ],
    silent: [
      { content: SOUND },
      { what: 'not part of a plain scalar', content: withDescription('  Extracts tables. Use when a PDF has some.  ') },
    ],
  },
  'description-listing-cut': {
    fires: [
      {
        content: withFrontmatter(`name: ok\ndescription: ${proseOfLength(1000)}\nwhen_to_use: ${A(537)}`),
        profile: 'claude-code',
        at: proseOfLength(1000),
      },
    ],
    silent: [
      {
        content: withFrontmatter(`name: ok\ndescription: ${proseOfLength(1000)}\nwhen_to_use: ${A(536)}`),
        profile: 'claude-code',
      },
    ],
  },
  'index-line-long': {
    // `- ok: ` takes six characters of the line; 404 are 101 tokens.
    fires: [{ content: withDescription(proseOfLength(398)), at: proseOfLength(398) }],
    silent: [{ content: withDescription(proseOfLength(397)) }],
  },
};
