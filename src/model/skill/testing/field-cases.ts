/** The name and the other fields; the description has a file of its own. */
import { bodyOfLength, DESCRIPTION, SOUND, withFields, withFrontmatter, withName, type CasesOf } from './skill-case.ts';

const A = (count: number): string => 'a'.repeat(count);

export const FIELD_CASES: CasesOf = {
  'name-missing': {
    fires: [
      { content: withFrontmatter(`description: ${DESCRIPTION}`), at: '' },
      {
        content: withFrontmatter(`description: ${DESCRIPTION}`),
        folder: null,
        at: '',
        noFix: 'no folder to take a name from',
      },
    ],
    silent: [{ content: SOUND }],
  },
  'name-empty': {
    fires: [
      { content: withName(''), at: 'name' },
      { content: withName('""'), at: '""' },
      { content: withName('~'), at: '~' },
    ],
    silent: [
      { content: SOUND },
      { what: 'text for a reader without types', content: withName('null'), folder: 'null', profile: 'strict' },
    ],
  },
  'name-type': {
    fires: [
      { content: withName('[ok]'), at: '[ok]' },
      { content: withName('\n  a: b'), at: 'a: b' },
    ],
    silent: [{ content: SOUND }],
  },
  'name-coerced': {
    fires: [
      { content: withName('123'), folder: '123', at: '123' },
      { content: withName('yes'), folder: 'yes', profile: 'metis', at: 'yes' },
      { content: withName('2024-01-01'), folder: '2024-01-01', profile: 'claude-upload', at: '2024-01-01' },
    ],
    silent: [
      { content: withName('"123"'), folder: '123' },
      { what: 'a string since YAML 1.2', content: withName('yes'), folder: 'yes' },
      { what: 'all scalars are strings', content: withName('123'), folder: '123', profile: 'strict' },
    ],
  },
  'name-length': {
    fires: [
      { content: withName(A(65)), folder: A(65), at: A(65) },
      { content: withName(A(65)), folder: A(65), profile: 'metis', at: A(65) },
    ],
    silent: [
      { content: withName(A(64)), folder: A(64) },
      { what: 'code points', content: withName('𠀀'.repeat(64)), folder: '𠀀'.repeat(64), profile: 'strict' },
    ],
  },
  'name-case': {
    fires: [
      { content: withName('Ok'), at: 'Ok' },
      { content: withName('PDF Tables'), folder: 'pdf-tables', profile: 'strict', at: 'PDF Tables' },
    ],
    silent: [{ content: SOUND }, { what: 'no case', content: withName('技能'), folder: '技能', profile: 'strict' }],
  },
  'name-characters': {
    fires: [
      { content: withName('my_skill'), folder: 'my_skill', at: 'my_skill' },
      { content: withName('技能'), folder: '技能', at: '技能', noFix: 'no letter of it can be kept' },
    ],
    silent: [
      { content: withName('my-skill2'), folder: 'my-skill2' },
      { content: withName('技能'), folder: '技能', profile: 'strict' },
    ],
  },
  'name-edge-hyphen': {
    fires: [
      { content: withName('-ok'), at: '-ok' },
      { content: withName('ok-'), at: 'ok-' },
    ],
    silent: [{ content: withName('o-k'), folder: 'o-k' }],
  },
  'name-double-hyphen': {
    fires: [
      { content: withName('o--k'), folder: 'o-k', at: 'o--k' },
      { content: withName('o--k'), folder: 'o--k', profile: 'metis', at: 'o--k' },
    ],
    silent: [{ content: withName('o-k-o'), folder: 'o-k-o' }],
  },
  'name-folder': {
    fires: [
      { content: SOUND, folder: 'other', at: 'ok' },
      { what: 'the folder’s name is none', content: SOUND, folder: 'Other Folder', at: 'ok' },
    ],
    silent: [{ content: SOUND }, { content: SOUND, folder: null }],
  },
  'name-reserved': {
    fires: [
      { content: withName('claude-helper'), folder: 'claude-helper', at: 'claude-helper' },
      { content: withName('my-anthropic'), folder: 'my-anthropic', profile: 'claude-upload', at: 'my-anthropic' },
    ],
    silent: [{ content: withName('cloud-helper'), folder: 'cloud-helper' }],
  },
  'license-type': {
    fires: [
      { content: withFields('license: 2.0'), at: '2.0' },
      { content: withFields('license:\n  - MIT'), profile: 'metis', at: '- MIT' },
    ],
    silent: [{ content: withFields('license: "2.0"') }, { content: withFields('license:') }],
  },
  'compatibility-type': {
    fires: [
      { content: withFields('compatibility: 5'), at: '5' },
      { content: withFields('compatibility:\n  - Linux'), profile: 'strict', at: '- Linux' },
    ],
    silent: [
      { content: withFields('compatibility: Linux') },
      { content: withFields('compatibility: 5'), profile: 'strict' },
    ],
  },
  'compatibility-length': {
    fires: [{ content: withFields(`compatibility: ${A(501)}`), at: A(501) }],
    silent: [
      { content: withFields(`compatibility: ${A(500)}`) },
      { what: 'code points', content: withFields(`compatibility: ${'😀'.repeat(500)}`) },
    ],
  },
  'compatibility-empty': {
    fires: [
      { content: withFields('compatibility:'), at: 'compatibility' },
      { content: withFields('compatibility: "" # later'), at: '""' },
    ],
    silent: [{ content: withFields('compatibility: Linux') }, { content: SOUND }],
  },
  'metadata-type': {
    fires: [
      { content: withFields('metadata: text'), at: 'text' },
      { content: withFields('metadata:\n  - a'), profile: 'metis', at: '- a' },
    ],
    silent: [{ content: withFields('metadata:') }, { content: withFields('metadata:\n  a: b') }],
  },
  'metadata-key-type': {
    fires: [
      { content: withFields('metadata:\n  1: x'), at: '1' },
      { content: withFields('metadata:\n  on: x'), profile: 'metis', at: 'on' },
    ],
    silent: [
      { content: withFields('metadata:\n  "1": x') },
      { content: withFields('metadata:\n  on: x') },
      { content: withFields('metadata:\n  1: x'), profile: 'strict' },
    ],
  },
  'metadata-value-type': {
    fires: [
      { content: withFields('metadata:\n  a:\n    b: c'), at: 'b: c' },
      { content: withFields('metadata:\n  a:'), at: 'a' },
      { content: withFields('metadata:\n  a: 2024-01-01'), profile: 'metis', at: '2024-01-01' },
    ],
    silent: [
      { content: withFields('metadata:\n  a: b') },
      { content: withFields('metadata:\n  a: "2024-01-01"'), profile: 'metis' },
    ],
  },
  'metadata-value-coerced': {
    fires: [
      { content: withFields('metadata:\n  version: 1.0'), at: '1.0' },
      { content: withFields('metadata:\n  draft: on'), profile: 'metis', at: 'on' },
    ],
    silent: [
      { content: withFields('metadata:\n  version: "1.0"') },
      { content: withFields('metadata:\n  version: 1.0.0') },
    ],
  },
  'allowed-tools-type': {
    fires: [
      { content: withFields('allowed-tools: 5'), at: '5' },
      { content: withFields('allowed-tools:\n  Read: yes'), at: 'Read: yes' },
      { content: withFields('allowed-tools:\n  - 5'), at: '- 5' },
    ],
    silent: [{ content: withFields('allowed-tools: Read') }, { content: withFields('allowed-tools:') }],
  },
  'allowed-tools-list': {
    fires: [
      { content: withFields('allowed-tools:\n  - Read # to look\n  - Write'), at: '- Read # to look\n  - Write' },
      { content: withFields('allowed-tools: [Read, "Bash(gh pr:*)"]'), at: '[Read, "Bash(gh pr:*)"]' },
      { content: withFields('allowed-tools: []'), profile: 'metis', at: '[]' },
    ],
    silent: [{ content: withFields('allowed-tools: Read Write') }],
  },
  'allowed-tools-comma': {
    fires: [{ content: withFields('allowed-tools: Read, Write'), at: 'Read, Write' }],
    silent: [
      { content: withFields('allowed-tools: Read Write') },
      { what: 'inside parentheses', content: withFields('allowed-tools: Read Bash(a,b)') },
    ],
  },
  'allowed-tools-unrestricted': {
    fires: [
      { content: withFields('allowed-tools: Read Bash'), at: 'Bash' },
      { what: 'not the first of that name', content: withFields('allowed-tools: BashOutput Bash'), at: 'Bash' },
      { content: withFields('allowed-tools: "*"'), at: '*', noFix: 'nobody knows what is needed' },
    ],
    silent: [{ content: withFields('allowed-tools: Bash(git:*) Read') }],
  },
  'allowed-tools-unknown': {
    fires: [
      { content: withFields('allowed-tools: Write Reed'), at: 'Reed' },
      { content: withFields('allowed-tools: Teleport'), at: 'Teleport', noFix: 'like no known name' },
    ],
    silent: [{ content: withFields('allowed-tools: Read mcp__github__search gcloud') }],
  },
  'field-extension': {
    fires: [
      { content: withFields('model: opus'), at: 'model' },
      { content: withFields('metaskill: SKILL.star'), profile: 'strict', at: 'metaskill' },
    ],
    silent: [
      { content: withFields('model: opus'), profile: 'claude-code' },
      { content: withFields('metaskill: SKILL.star') },
      { content: withFields('license: MIT') },
    ],
  },
  'field-unknown': {
    fires: [
      { content: withFields('version: "1.2.3" # of the tool'), at: 'version' },
      { what: 'misspelt', content: withFrontmatter(`name: ok\nDescription: ${DESCRIPTION}`), at: 'Description' },
      {
        content: withFields('tags:\n  - a\n  - b\nmetadata:\n  c: d', bodyOfLength(200)),
        profile: 'strict',
        at: 'tags',
      },
    ],
    silent: [{ content: SOUND }, { content: withFields('metadata:\n  version: "1.2.3"') }],
  },
};
