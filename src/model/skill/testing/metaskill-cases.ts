/** Skills with a program. */
import { BODY, bodyOfLength, DESCRIPTION, withBody, withDescription, withFields, type CasesOf } from './skill-case.ts';

const PROGRAM = 'def run(input):\n    return "done"\n';
const KEYS = `${BODY}\nInput keys: none\n`;
const STAR = { 'SKILL.star': PROGRAM };
const declared = (path: string): string => withFields(`metaskill: ${path}`, KEYS);

export const METASKILL_CASES: CasesOf = {
  'body-characters': {
    fires: [
      { content: withBody(bodyOfLength(20_001)), files: STAR, profile: 'metaskill', at: '' },
      { what: 'any skill of a metaskill host', content: withBody(bodyOfLength(20_001)), profile: 'metaskill', at: '' },
    ],
    silent: [
      { content: withBody(bodyOfLength(20_000)), files: STAR, profile: 'metaskill' },
      { what: 'a skill without a program', content: withBody(bodyOfLength(20_001)), files: {} },
    ],
  },
  'MS-path-absolute': {
    fires: [
      { content: declared('/opt/run.star'), files: STAR, at: '/opt/run.star' },
      { content: declared('"C:\\\\run.star"'), files: {}, at: '"C:\\\\run.star"', noFix: 'there is no SKILL.star' },
    ],
    silent: [{ content: declared('opt/run.star'), files: { 'opt/run.star': PROGRAM } }],
  },
  'MS-path-escape': {
    fires: [
      { content: declared('../../../etc/passwd'), files: STAR, at: '../../../etc/passwd' },
      {
        what: 'a link that leaves',
        content: declared('link.star'),
        files: { 'link.star': { size: 1, escapes: true } },
        at: 'link.star',
        noFix: 'there is no SKILL.star',
      },
      {
        what: 'the default is such a link',
        content: withBody(KEYS),
        files: { 'SKILL.star': { size: 1, escapes: true } },
        at: '',
        noFix: 'the default itself is the fault',
      },
    ],
    silent: [{ content: declared('sub/../run.star'), files: { 'run.star': PROGRAM } }],
  },
  'MS-file-missing': {
    fires: [
      { content: declared('run.star'), files: STAR, at: 'run.star' },
      {
        what: 'a folder is no program',
        content: declared('sub'),
        files: { 'sub/x.star': PROGRAM },
        at: 'sub',
        noFix: 'there is no SKILL.star',
      },
    ],
    silent: [
      { content: declared('run.star'), files: { 'run.star': PROGRAM } },
      { what: 'nobody has listed the folder', content: declared('run.star') },
    ],
  },
  'MS-file-case': {
    fires: [{ content: withBody(KEYS), files: { 'skill.star': PROGRAM }, at: '' }],
    silent: [
      { content: withBody(KEYS), files: STAR },
      { content: withBody(KEYS), files: { 'other.star': PROGRAM } },
    ],
  },
  'MS-not-utf8': {
    fires: [
      { content: withBody(KEYS), files: { 'SKILL.star': { size: 9, notUtf8: true } }, at: '', inFile: 'SKILL.star' },
    ],
    silent: [{ content: withBody(KEYS), files: STAR }],
  },
  'MS-bom': {
    fires: [
      { content: withBody(KEYS), files: { 'SKILL.star': `\uFEFF${PROGRAM}` }, at: '\uFEFF', inFile: 'SKILL.star' },
    ],
    silent: [{ content: withBody(KEYS), files: STAR }],
  },
  'MS-size': {
    fires: [
      { content: withBody(KEYS), files: { 'SKILL.star': { size: 65_537 } }, at: '', inFile: 'SKILL.star' },
      { content: withBody(KEYS), files: { 'SKILL.star': { size: 1_048_577 } }, at: '', inFile: 'SKILL.star' },
    ],
    silent: [{ content: withBody(KEYS), files: { 'SKILL.star': { size: 65_536 } } }],
  },
  'MS-own-frontmatter': {
    fires: [
      {
        content: withBody(KEYS),
        files: { 'SKILL.star': `---\nname: ok\n---\n${PROGRAM}` },
        at: '---',
        inFile: 'SKILL.star',
      },
    ],
    silent: [{ content: withBody(KEYS), files: { 'SKILL.star': `# ---\n${PROGRAM}` } }],
  },
  'MS-language-unsupported': {
    fires: [
      { content: withFields('metaskill_language: lua', KEYS), files: STAR, at: 'lua' },
      { content: withFields('metaskill_language: Starlark', KEYS), files: STAR, at: 'Starlark' },
    ],
    silent: [{ content: withFields('metaskill_language: starlark', KEYS), files: STAR }],
  },
  'MS-field-without-file': {
    fires: [{ content: withFields('metaskill_language: starlark', KEYS), files: {}, at: 'metaskill_language' }],
    silent: [{ content: withFields('metaskill_language: starlark', KEYS), files: STAR }],
  },
  'MS-program-is-skill-md': {
    fires: [{ content: declared('SKILL.md'), files: STAR, at: 'SKILL.md' }],
    silent: [{ content: declared('SKILL.star'), files: STAR }],
  },
  'MS-declared-hides-default': {
    fires: [{ content: declared('run.star'), files: { ...STAR, 'run.star': PROGRAM }, at: 'run.star' }],
    silent: [
      { content: declared('SKILL.star'), files: STAR },
      { content: declared('run.star'), files: { 'run.star': PROGRAM } },
    ],
  },
  'MS-fields-optional': {
    fires: [
      { content: declared('SKILL.star'), files: STAR, at: 'metaskill' },
      { content: withFields('metaskill_language: starlark', KEYS), files: STAR, at: 'metaskill_language' },
    ],
    silent: [
      { content: withBody(KEYS), files: STAR },
      { content: declared('run.star'), files: { 'run.star': PROGRAM } },
    ],
  },
  'MS-yaml-portability': {
    fires: [
      {
        content: withDescription('>-\n  Reads. Use when it must.'),
        profile: 'metaskill',
        at: '>-\n  Reads. Use when it must.\n',
      },
      {
        content: withDescription('"Reads \\x41. Use when it must."'),
        profile: 'metaskill',
        at: '"Reads \\x41. Use when it must."',
      },
      {
        content: withDescription('Reads. Use when it must. # really'),
        files: STAR,
        at: 'Reads. Use when it must.',
        noFix: 'the comment would still stand behind the value',
      },
    ],
    silent: [
      { content: withDescription('Reads. Use when it must.'), profile: 'metaskill' },
      { what: 'not a metaskill', content: withDescription('>-\n  Reads. Use when it must.') },
    ],
  },
  'MS-description-comment-only': {
    fires: [
      { content: withDescription('<!-- later -->'), files: STAR, at: '<!-- later -->' },
      {
        what: 'any skill of a metaskill host',
        content: withDescription('<!-- later -->'),
        profile: 'metaskill',
        at: '<!-- later -->',
      },
    ],
    silent: [
      { content: withDescription(`<!-- later --> ${DESCRIPTION}`), files: STAR },
      { what: 'not a metaskill', content: withDescription('<!-- later -->'), files: {} },
    ],
  },
  'MS-description-over-limit-will-be-dropped': {
    fires: [{ content: withDescription('a'.repeat(1025)), files: STAR, profile: 'metaskill', at: 'a'.repeat(1025) }],
    silent: [{ content: withDescription('a'.repeat(1024)), files: STAR, profile: 'metaskill' }],
  },
  'MS-unknown-unprefixed-extension-field': {
    fires: [{ content: withFields('feature: on'), profile: 'metaskill', at: 'feature' }],
    silent: [
      { content: withFields('x_myhost_feature: on'), profile: 'metaskill' },
      { content: withFields('model: opus'), profile: 'metaskill' },
    ],
  },
  'MS-input-keys-undocumented': {
    fires: [{ content: withBody(BODY), files: STAR, at: '' }],
    silent: [
      { content: withBody(`${BODY}\nINPUT KEYS: none\n`), files: STAR },
      { content: withBody(`${BODY}\n## Input keys\n\n- path\n`), files: STAR },
      { what: 'not a metaskill', content: withBody(BODY), files: {} },
    ],
  },
};
