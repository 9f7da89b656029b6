/** Discovery takes a short way; these tests hold it to the long one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { loadSkill, readHead } from '../skill/load-skill.ts';
import { readSkill, type Skill } from '../skill/skill.ts';
import { FIX_INPUTS } from '../skill/testing/fix-inputs.ts';
import { generateCorpus } from '../skill/testing/generated-corpus.ts';
import { hostileFile } from '../skill/testing/hostile-texts.ts';
import { seededRandom } from '../skill/testing/random.ts';
import { RULE_CASES } from '../skill/testing/rule-cases.ts';
import { inputOf } from '../skill/testing/skill-case.ts';
import type { SkillInput } from '../skill/types.ts';
import { load, loadProject, skillText, type Files } from './testing/libraries.ts';
import { RUNTIME_PROFILES, type LibrarySkill } from './types.ts';

const facts = (skill: Skill | undefined) =>
  skill && {
    own: Object.entries(skill),
    body: skill.body,
    version: skill.version,
    tokens: skill.estimatedBodyTokens,
    isLarge: skill.overBodyTokenWarn,
  };

const expectSame = (input: SkillInput): void => {
  const content = typeof input.content === 'string' ? new TextEncoder().encode(input.content) : input.content;
  const given = { ...input, content };
  const head = readHead(content);
  for (const profile of RUNTIME_PROFILES) {
    const whole = readSkill(given, profile);
    const short = loadSkill(given, head, profile);
    expect(facts(short.skill)).toEqual(facts(whole.skill));
    const isLarge = whole.skill?.overBodyTokenWarn === true;
    expect(short.tooManyTokens).toBe(isLarge ? whole.skill?.estimatedBodyTokens : undefined);
    const pick = ({ rule, severity, message }: { rule: string; severity: string; message: string }) => ({
      rule,
      severity,
      message,
    });
    expect(short.errors.map(pick)).toEqual(whole.diagnostics.filter(({ severity }) => severity === 'error').map(pick));
  }
};

describe('what discovery decides is what readSkill decides', () => {
  it('LIB57: for the cases of every rule', () => {
    for (const { fires, silent } of RULE_CASES.values())
      for (const given of [...fires, ...silent]) expectSame(inputOf(given));
  });

  it('LIB57: for files like real ones', () => {
    for (const { input } of generateCorpus(600, 11)) expectSame(input);
  });

  it('LIB57: for broken, hostile and random files', () => {
    const random = seededRandom(12);
    for (let index = 0; index < 1500; index++)
      expectSame({ content: hostileFile(random), fileName: 'SKILL.md', folder: 'ok' });
    fc.assert(fc.property(FIX_INPUTS, expectSame), { numRuns: 500 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (content) =>
        expectSame({ content, fileName: 'SKILL.md', folder: 'ok' }),
      ),
      { numRuns: 300 },
    );
  });

  it('LIB57: wherever the frontmatter ends', () => {
    const opening = fc.constantFrom('---', '--- ', '----', '---x', '\uFEFF---', ' ---', '');
    const line = fc.constantFrom(
      'name: ok',
      'description: Does it. Use when needed.',
      '',
      '  ',
      '# c',
      '...',
      ' ---',
      '--',
      'x: |',
      '  a',
      'ü: 😀',
      '- -',
    );
    const closing = fc.constantFrom('---', '---  ', '---\t', '----', '---body', '--- x', '...', '—', '');
    const rest = fc.constantFrom('', '\n', '  text', '---', '\n\n\n  text', '# body\n---\n', '\u2028x', 'ü', '\uFEFFx');
    const eol = fc.constantFrom('\n', '\r\n', '\r');
    const more = fc.constantFrom(
      new Uint8Array(),
      Uint8Array.of(0xff),
      Uint8Array.of(0xe2, 0x80),
      Uint8Array.of(0xc3, 0xbc),
    );
    fc.assert(
      fc.property(
        opening,
        fc.array(line, { maxLength: 4 }),
        closing,
        fc.array(rest, { maxLength: 3 }),
        fc.array(eol, { minLength: 9, maxLength: 9 }),
        more,
        (open, lines, close, tail, ends, bytes) => {
          const texts = [open, 'name: ok', 'description: Does it. Use when needed.', ...lines, close, ...tail];
          const text = texts.map((part, index) => part + (ends[index % ends.length] ?? '\n')).join('');
          const encoded = new TextEncoder().encode(text);
          const content = new Uint8Array(encoded.length + bytes.length);
          content.set(encoded);
          content.set(bytes, encoded.length);
          expectSame({ content, fileName: 'SKILL.md', folder: 'ok' });
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('LIB57: diagnostics are all those of readSkill, asked for late', async () => {
    for (const profile of RUNTIME_PROFILES) {
      for (const { input: generated } of generateCorpus(120, 13)) {
        const { content: text, folder = '' } = generated;
        const tree = createMemoryTree({ [`${folder}/SKILL.md`]: text });
        const { report } = await load({ project: { tree } }, { profile });
        await tree.write(`${folder}/SKILL.md`, new Uint8Array());
        const input: SkillInput = {
          content: text,
          fileName: 'SKILL.md',
          folder,
          files: new Map([['SKILL.md', { size: 0 }]]),
          partial: true,
        };
        const names = report.flatMap(({ name }) => name ?? []);
        expect(report[0]?.diagnostics).toEqual(
          readSkill({ ...input, knownSkills: new Set(names) }, profile).diagnostics,
        );
      }
    }
  });
});

describe('loading twice', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd-e', 'x', 'Bad', '-');
  const folder = fc.constantFrom(
    '',
    'skills/',
    '.agents/skills/',
    '.claude/skills/',
    'deep/er/',
    '.git/',
    'node_modules/',
    'w/',
    'w/.metis/skills/',
    '.hidden/',
  );
  const text = fc.oneof(
    { weight: 4, arbitrary: name.map((value) => skillText(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'no frontmatter',
        '---\nname: a\n---\n',
        '---\nname: [\n---\n',
        skillText('a', '"x\\ny"', 'metaskill: x.star\n'),
      ),
    },
  );
  const file = fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(folder, name, text)
        .map(([at, where, content]) => [`${at}${where}/SKILL.md`, content] as const),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(folder, name).map(([at, where]) => [`${at}${where}/SKILL.star`, 'x = 1\n'] as const),
    },
    { weight: 1, arbitrary: fc.tuple(folder, name).map(([at, where]) => [`${at}${where}/skill.md`, 'x'] as const) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('skills: { paths: [deep, ../x] }', 'skills: 1', '')
        .map((content) => ['.agents/config.yaml', content] as const),
    },
  );
  const files = fc.array(file, { maxLength: 14 }).map((list): Files => Object.fromEntries(list));

  const itemView = ({ skill, diagnostics, ...place }: LibrarySkill) => [facts(skill), place, diagnostics];
  const view = ({ store, report, shadowed, lines, config }: Awaited<ReturnType<typeof load>>) => ({
    skills: store.list().map(itemView),
    shadowed: shadowed.map(itemView),
    report: report.map(({ diagnostics, ...entry }) => [entry, diagnostics]),
    lines,
    config,
  });

  it('LIB66: gives equal stores, reports and logs, in whatever order the files are listed', async () => {
    await fc.assert(
      fc.asyncProperty(files, files, fc.constantFrom('', 'w'), async (project, user, workingFolder) => {
        const reversed = (given: Files) => createMemoryTree(new Map(Object.entries(given).toReversed()), 'memory');
        const first = await load({
          project: { tree: createMemoryTree(project), workingFolder },
          user: createMemoryTree(user),
        });
        const second = await load({ project: { tree: reversed(project), workingFolder }, user: reversed(user) });
        expect(view(second)).toEqual(view(first));
      }),
      { numRuns: 150 },
    );
  });

  it('LIB50: every SKILL.md that is found has one entry, and every loaded skill one that says so', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (project) => {
        const library = await loadProject(project);
        const paths = library.report.map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        const named = (outcome: string[]) =>
          library.report.filter((entry) => outcome.includes(entry.outcome)).map((entry) => entry.path);
        expect(named(['loaded', 'downgraded']).toSorted()).toEqual(
          library.store
            .list()
            .map(({ path }) => path)
            .toSorted(),
        );
        expect(named(['shadowed'])).toEqual(library.shadowed.map(({ path }) => path));
        const isSearched = (path: string) =>
          !/(?:^|\/)(?:\.git|node_modules|\.hidden)\//.test(path) && !path.startsWith('w/.metis/');
        const expected = Object.keys(project)
          .filter((path) => path.endsWith('/SKILL.md') && isSearched(path))
          .map((path) => path.slice(0, -9));
        expect(expected.filter((path) => !paths.includes(path))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
