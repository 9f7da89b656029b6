/** The file, its frontmatter, and forms of YAML. */
import { bytesOf, SOUND, withDescription, withFields, withFrontmatter, type CasesOf } from './skill-case.ts';

export const FRONTMATTER_CASES: CasesOf = {
  'file-name': {
    fires: [
      { content: SOUND, fileName: 'Skill.md', at: '' },
      { content: SOUND, fileName: 'skill.md', at: '' },
      { content: SOUND, fileName: 'Skill.md', profile: 'strict', at: '' },
    ],
    silent: [
      { content: SOUND },
      { what: 'the reference validator takes lower case', content: SOUND, fileName: 'skill.md', profile: 'strict' },
    ],
  },
  'not-utf8': {
    fires: [{ content: bytesOf(`${SOUND}caf`, 0xe9, 0x0a), at: '\uFFFD' }],
    silent: [
      { content: bytesOf(`${SOUND}café\n`) },
      { what: 'a real replacement character', content: bytesOf(`${SOUND}\uFFFD\n`) },
    ],
  },
  bom: {
    fires: [
      { content: `\uFEFF${SOUND}`, at: '\uFEFF' },
      { content: bytesOf(`\uFEFF${SOUND}`), at: '\uFEFF' },
    ],
    silent: [{ content: SOUND }],
  },
  'frontmatter-missing': {
    fires: [
      { content: '# Tables\n\nExtracts tables.\n', at: '' },
      { what: 'nothing to make a description of', content: '', at: '', noFix: 'there is no text' },
    ],
    silent: [{ content: SOUND }, { what: 'it is there, but not first', content: `\n${SOUND}` }],
  },
  'frontmatter-not-first': {
    fires: [
      { content: `\n\n${SOUND}`, at: '\n\n' },
      { content: `Some words.\n\n${SOUND}`, at: 'Some words.\n\n' },
      { content: `\r\n${SOUND.replaceAll('\n', '\r\n')}`, at: '\r\n' },
    ],
    silent: [
      { content: SOUND },
      { what: 'a rule in the body opens nothing', content: 'Some words.\n\n---\n\nMore words.\n' },
    ],
  },
  'frontmatter-delimiter': {
    fires: [
      { content: SOUND.replace('---', '----'), at: '----' },
      { content: SOUND.replace('\n---\n', '\n-----\n'), at: '-----' },
      { content: SOUND.replace('\n---\n', '\n---Body '), at: '---' },
      { content: SOUND.replace('---\n', '---'), at: '---' },
      { content: SOUND.replace('\n---\n', '\n...\n'), at: '...' },
      { content: SOUND.replace('\n---\n', '\n  ---\n'), at: '  ---' },
      { content: SOUND.replace('---', '—'), at: '—' },
    ],
    silent: [{ content: SOUND }, { content: SOUND.replace('---', '---  ').replace('\n---\n', '\n--- \n') }],
  },
  'frontmatter-unclosed': {
    fires: [
      { content: SOUND.replace('\n---\n', '\n'), at: '---' },
      { content: '---\nSome words.\n', at: '---', noFix: 'nothing reads as frontmatter' },
    ],
    silent: [{ content: SOUND }],
  },
  'frontmatter-not-mapping': {
    fires: [
      { content: withFrontmatter('- a\n- b'), at: '- a\n- b' },
      { content: withFrontmatter('just words'), at: 'just words' },
      { content: withFrontmatter('null'), at: 'null' },
      { what: 'the reference validator wants a mapping', content: '---\n---\n\n# Tables\n', profile: 'strict', at: '' },
    ],
    silent: [
      { content: SOUND },
      { what: 'nothing is an empty mapping for Python', content: '---\n---\n\n# Tables\n', profile: 'metis' },
      { what: 'and so is null for the skill format’s loader', content: withFrontmatter('null'), profile: 'metis' },
      { what: 'in any spelling', content: withFrontmatter('~ # later'), profile: 'metis' },
    ],
  },
  'delimiter-trailing-space': {
    fires: [
      { content: SOUND.replace('---', '---  '), at: '  ' },
      { content: SOUND.replace('\n---\n', '\n--- \n'), at: ' ' },
    ],
    silent: [{ content: SOUND }, { what: 'a rule in the body', content: `${SOUND}\n---  \n\nMore.\n` }],
  },
  'line-endings': {
    fires: [
      { content: SOUND.replaceAll('\n', '\r\n'), at: '' },
      { what: 'mixed', content: `${SOUND}One more line.\r\n`, at: '' },
    ],
    silent: [{ content: SOUND }],
  },
  'yaml-syntax': {
    fires: [
      { content: withDescription('Use when: a PDF holds tables'), at: 'Use when: a PDF holds tables' },
      { content: withFields('license: "MIT" and more'), at: '"MIT" and more' },
      { content: withFields('license: @mit'), at: '@mit' },
      { content: withFields('metadata:\n\ta: b'), at: '\t' },
    ],
    silent: [
      { content: withDescription('"Use when: a PDF holds tables"') },
      { what: 'no space behind the colon', content: withDescription('Use when:a PDF holds tables') },
    ],
  },
  'yaml-control-character': {
    fires: [
      { content: withFields('license: M\u0001IT'), at: '\u0001' },
      { content: withFields('license: M\u0000\u0001I\u007FT'), at: '\u0000\u0001' },
    ],
    silent: [
      { content: withFields('license: "M\\x01IT"') },
      { what: 'in the body it is another rule', content: `${SOUND}\u0001` },
    ],
  },
  'yaml-limit': {
    fires: [
      { content: withFields(`x: ${'['.repeat(65)}${']'.repeat(65)}`), at: '[' },
      { content: withFields(`x: ${'y'.repeat(65_536)}`), at: '' },
    ],
    silent: [
      { content: withFields(`x: ${'['.repeat(60)}${']'.repeat(60)}`) },
      { content: withFields(`x: ${'y'.repeat(60_000)}`) },
    ],
  },
  'yaml-quote-indent': {
    fires: [{ content: withDescription('"Extracts tables from PDF files.\nUse when a PDF holds tables."'), at: '' }],
    silent: [{ content: withDescription('"Extracts tables from PDF files.\n  Use when a PDF holds tables."') }],
  },
  'yaml-tab': {
    fires: [
      { content: withFields('license: MIT\t'), at: '\t' },
      { content: withFields('license:\t\tMIT # a\tcomment'), at: '\t\t' },
    ],
    silent: [{ content: withFields('license: "M\tIT"') }, { content: withFields('license: MIT # a\tcomment') }],
  },
  'yaml-duplicate-key': {
    fires: [
      { content: withFields('license: MIT\nlicense: ISC'), at: 'license' },
      {
        content: withFields('metadata:\n  a: b\n  a: c'),
        at: 'a',
        noFix: 'which of the two is meant is hidden inside a value',
      },
    ],
    silent: [
      { content: withFields('license: MIT\nLicense: ISC') },
      { what: 'in another mapping', content: withFields('metadata:\n  name: x') },
    ],
  },
  'yaml-flow-style': {
    fires: [
      { content: withFields('metadata: {a: b, c: d}'), at: '{a: b, c: d}' },
      { content: withFields('metadata:\n  a: [x, y]'), at: '[x, y]' },
      { content: withFields('metadata: {}', '# T\n'), profile: 'strict', at: '{}' },
      {
        content: '---\n{name: ok, description: d}\n---\nb',
        at: '{name: ok, description: d}',
        noFix: 'the whole frontmatter is one flow mapping',
      },
    ],
    silent: [
      { content: withFields('metadata:\n  a: b') },
      { content: withDescription('Fills in {placeholders} and [links]. Use when a template has some.') },
    ],
  },
  'yaml-anchor': {
    fires: [
      { content: withFields('license: &mit MIT'), at: '&mit' },
      { content: withFields('license: !!str MIT'), at: '!!str' },
      { content: withFields('license: !!str &mit MIT'), at: '!!str &mit' },
      { content: withFields('metadata:\n  a: &x y\n  b: *x'), at: '&x' },
    ],
    silent: [{ content: withFields('license: MIT & ISC') }, { content: withFields('license: "&mit"') }],
  },
  'yaml-merge-key': {
    fires: [
      { content: withFields('metadata:\n  <<: {a: b}'), at: '<<' },
      { content: withFields('<<: {license: MIT}'), at: '<<' },
    ],
    silent: [{ content: withFields('metadata:\n  "<<": b') }, { content: withFields('metadata:\n  a: <<x') }],
  },
  'yaml-indentation': {
    fires: [{ content: withFields('metadata:\n  a:\n    x: y\n  b:\n      x: y'), profile: 'strict', at: 'x: y' }],
    silent: [{ content: withFields('metadata:\n  a:\n    x: y\n  b:\n    x: y'), profile: 'strict' }],
  },
  'yaml-construct': {
    fires: [
      { content: withFields('license: 2024-13-45'), at: '2024-13-45' },
      { content: withFields('license: ='), profile: 'metis', at: '=' },
      { content: withFields('license: !own MIT'), at: 'MIT', noFix: 'only the author knows what the tag is for' },
    ],
    silent: [
      { content: withFields('license: 2024-12-31') },
      { content: withFields('license: "2024-13-45"') },
      { content: withFields('license: a=b') },
    ],
  },
};
