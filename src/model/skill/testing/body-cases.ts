/** The body, and the files beside it. */
import { BODY, bodyOfLength, SOUND, withBody, type CasesOf } from './skill-case.ts';

/** Put together here, so that no scanner takes this file for one that leaks. */
const AWS_KEY = ['AK', 'IA', 'QWERTZUIOPASDFGH'].join('');
const EXAMPLE_KEY = ['AK', 'IA', 'IOSFODNN7EXAMPLE'].join('');

const REFERENCE = { 'references/formats.md': '# Formats\n\n## The odd ones\n' };
const linkTo = (target: string): string => withBody(`${BODY}\nRead [more](${target}).\n`);

export const BODY_CASES: CasesOf = {
  'body-empty': {
    fires: [
      { content: withBody(''), at: '' },
      { content: withBody(' \n\t\n'), at: '' },
    ],
    silent: [{ content: withBody('x') }],
  },
  'body-short': {
    fires: [{ content: withBody(bodyOfLength(99)), at: '' }],
    silent: [{ content: withBody(bodyOfLength(100)) }, { what: 'empty is another rule', content: withBody('') }],
  },
  'body-no-heading': {
    fires: [
      { content: withBody('Just text.\n\n# Heading\n'), at: '' },
      { content: withBody('#hashtag\n'), at: '' },
    ],
    silent: [
      { content: withBody('## Heading\n') },
      { what: 'underlined', content: withBody('Heading\n=======\n\nText\n') },
      { what: 'behind comments', content: withBody('<!-- a -->\n<!-- b -->\n\n# Heading\n') },
    ],
  },
  'body-lines': {
    fires: [{ content: withBody(`# T\n${'x\n'.repeat(500)}`), at: '' }],
    silent: [{ content: withBody(`# T\n${'x\n'.repeat(499)}`) }],
  },
  'body-tokens': {
    fires: [{ content: withBody(bodyOfLength(20_004)), at: '' }],
    silent: [
      { content: withBody(bodyOfLength(20_003)) },
      { what: 'code points', content: withBody(`# T\n${'😀'.repeat(19_000)}\n`) },
    ],
  },
  'fence-unclosed': {
    fires: [
      { content: withBody(`${BODY}\n\`\`\`bash\nls\n`), at: '```bash' },
      { content: withBody(`${BODY}\n~~~~\n~~~\nno end`), at: '~~~~' },
      { content: withBody(BODY), files: { 'references/a.md': '```js\n' }, at: '```js', inFile: 'references/a.md' },
    ],
    silent: [
      { content: withBody(`${BODY}\n\`\`\`bash\nls\n\`\`\`\n`) },
      { what: 'inline code', content: withBody(`${BODY}\n\`\`\`a\`\`\`\n`) },
      { what: 'a longer one closes', content: withBody(`${BODY}\n\`\`\`\n\`\`\`\`\n`) },
    ],
  },
  'link-broken': {
    fires: [
      { content: linkTo('references/none.md'), files: {}, at: 'references/none.md' },
      { what: 'the title says the same', content: linkTo('none.md "none.md"'), files: {}, at: 'none.md' },
      { content: withBody(`${BODY}\n[none.md]: none.md\n`), files: {}, at: 'none.md' },
    ],
    silent: [
      { content: linkTo('references/formats.md'), files: REFERENCE },
      { content: linkTo('https://example.org/none.md'), files: {} },
      { what: 'filled in later', content: linkTo('{baseDir}/none.md'), files: {} },
      { what: 'code', content: withBody(`${BODY}\nWrite \`[a](none.md)\`.\n`), files: {} },
      { what: 'nobody has listed the folder', content: linkTo('references/none.md') },
    ],
  },
  'link-fragment': {
    fires: [
      { content: linkTo('#nowhere'), files: {}, at: '#nowhere' },
      { content: linkTo('references/formats.md#nowhere'), files: REFERENCE, at: 'references/formats.md#nowhere' },
    ],
    silent: [
      { content: linkTo('#tables'), files: {} },
      { content: linkTo('references/formats.md#the-odd-ones'), files: REFERENCE },
      { what: 'a repeated heading', content: withBody('# A\n\n# A\n\n[x](#a-1)\n'), files: {} },
    ],
  },
  'link-escapes': {
    fires: [{ content: linkTo('../other/x.md'), at: '../other/x.md' }],
    silent: [{ content: linkTo('references/../x.md') }],
  },
  'link-backslash': {
    fires: [{ content: linkTo('references\\x.md'), at: 'references\\x.md' }],
    silent: [{ content: linkTo('references/x.md') }],
  },
  'mention-missing': {
    fires: [{ content: withBody(`${BODY}\nRun \`scripts/none.py\`.\n`), files: {}, at: 'scripts/none.py' }],
    silent: [
      { content: withBody(`${BODY}\nRun \`scripts/run.py\`.\n`), files: { 'scripts/run.py': 'print()\n' } },
      { what: 'part of another path', content: withBody(`${BODY}\nSee other/scripts/none.py.\n`), files: {} },
    ],
  },
  'wiki-link-unknown': {
    fires: [{ content: withBody(`${BODY}\nThen [[nobody]].\n`), knownSkills: ['ok'], at: '[[nobody]]' }],
    silent: [
      { content: withBody(`${BODY}\nThen [[pdf]].\n`), knownSkills: ['ok', 'pdf'] },
      { what: 'nobody knows the others', content: withBody(`${BODY}\nThen [[nobody]].\n`) },
      { what: 'shell', content: withBody(`${BODY}\n\`[[ -f x ]]\`\n`), knownSkills: [] },
    ],
  },
  'skill-content-tag': {
    fires: [{ content: withBody(`${BODY}\n</skill_content>\n`), at: '</skill_content>' }],
    silent: [{ content: withBody(`${BODY}\n<skill_contents>\n`) }],
  },
  'hidden-characters': {
    fires: [
      { content: withBody(`${BODY}a\u200Bb\u202Ec`), at: '\u200B' },
      { what: 'in the frontmatter', content: SOUND.replace('Extracts', 'Ex\u00ADtracts'), at: '\u00AD' },
      { what: 'a text in tags', content: withBody(`${BODY}a\u{E0041}\u{E0042}`), at: '\u{E0041}\u{E0042}' },
      {
        what: 'a text in tags behind a flag',
        content: withBody(`${BODY}\u{1F3F4}${'\u{E0061}'.repeat(6)}\u{E0041}\u{E0042}`),
        at: '\u{E0041}\u{E0042}',
      },
    ],
    silent: [
      { what: 'emoji with joiners', content: withBody(`${BODY}👩‍💻\n`) },
      {
        what: 'the flag of Scotland',
        content: withBody(`${BODY}\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}\n`),
      },
    ],
  },
  'secret-file': {
    fires: [
      { content: SOUND, files: { '.env': { size: 10 } }, at: '', inFile: '.env' },
      { content: SOUND, files: { 'assets/server.pem': { size: 10 } }, at: '', inFile: 'assets/server.pem' },
    ],
    silent: [{ content: SOUND, files: { '.env.example': { size: 10 } } }],
  },
  'secret-content': {
    fires: [
      { content: withBody(`${BODY}\n${AWS_KEY}\n`), at: AWS_KEY },
      { what: 'behind an example', content: withBody(`${BODY}\n${EXAMPLE_KEY} ${AWS_KEY}\n`), at: AWS_KEY },
      { content: SOUND, files: { 'assets/a.json': `{"key": "${AWS_KEY}"}` }, at: AWS_KEY, inFile: 'assets/a.json' },
    ],
    silent: [{ content: withBody(`${BODY}\n${EXAMPLE_KEY}\n`) }, { content: withBody(`${BODY}\n${AWS_KEY}LONGER\n`) }],
  },
  'binary-file': {
    fires: [{ content: SOUND, files: { 'scripts/tool.exe': { size: 10 } }, at: '', inFile: 'scripts/tool.exe' }],
    silent: [{ content: SOUND, files: { 'scripts/tool.py': '' } }],
  },
  'large-file': {
    fires: [{ content: SOUND, files: { 'data.csv': { size: 102_401 } }, at: '', inFile: 'data.csv' }],
    silent: [{ content: SOUND, files: { 'data.csv': { size: 102_400 } } }],
  },
  'extraneous-file': {
    fires: [{ content: SOUND, files: { 'README.md': '# Hello\n' }, at: '', inFile: 'README.md' }],
    silent: [{ content: SOUND, files: { 'references/README.md': '# Hello\n' } }],
  },
  'orphan-file': {
    fires: [
      { content: SOUND, files: { 'references/a.md': '# A\n' }, at: '', inFile: 'references/a.md' },
      {
        what: 'it only speaks of itself',
        content: SOUND,
        files: { 'scripts/a.py': '# run scripts/a.py\n' },
        at: '',
        inFile: 'scripts/a.py',
      },
    ],
    silent: [
      { content: linkTo('references/formats.md'), files: REFERENCE },
      {
        what: 'an empty file, named without its folder',
        content: withBody(`${BODY}\nFill in empty.txt.\n`),
        files: { 'assets/empty.txt': '' },
      },
      {
        what: 'imported',
        content: withBody(`${BODY}\nRun scripts/run.py.\n`),
        files: { 'scripts/run.py': 'from lib import x\n', 'scripts/lib.py': 'x = 1\n' },
      },
    ],
  },
  'reference-large': {
    fires: [
      {
        content: linkTo('references/a.md'),
        files: { 'references/a.md': 'word '.repeat(8001) },
        at: '',
        inFile: 'references/a.md',
      },
    ],
    silent: [{ content: linkTo('references/a.md'), files: { 'references/a.md': 'word '.repeat(8000) } }],
  },
  'reference-nesting': {
    fires: [
      {
        content: linkTo('references/a.md'),
        files: { 'references/a.md': '# A\n\n[on](b.md)\n', 'references/b.md': '# B\n' },
        at: 'b.md',
        inFile: 'references/a.md',
      },
    ],
    silent: [
      { content: linkTo('references/a.md'), files: { 'references/a.md': '# A\n\n[back](../SKILL.md) [up](#a)\n' } },
    ],
  },
  'upload-size': {
    fires: [{ content: SOUND, profile: 'claude-upload', files: { 'assets/film.mp4': { size: 30_000_001 } }, at: '' }],
    silent: [
      { content: SOUND, profile: 'claude-upload', files: { 'assets/film.mp4': { size: 29_000_000 } } },
      { content: SOUND, files: { 'assets/film.mp4': { size: 30_000_001 } } },
    ],
  },
};
