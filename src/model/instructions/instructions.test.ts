import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { codePointLength } from '../../base/text.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { FileTree } from '../files/file-tree.ts';
import { discoverInstructions, INSTRUCTIONS_TOKEN_CAP, type InstructionFile } from './instructions.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const discover = async (project: Files | FileTree | undefined, workingFolder = '', user?: Files) => {
  const { log, lines } = collectLog();
  const isTree = (given: Files | FileTree): given is FileTree => typeof given['list'] === 'function';
  const instructions = await discoverInstructions(
    {
      ...(project && { project: { tree: isTree(project) ? project : createMemoryTree(project), workingFolder } }),
      ...(user && { user: createMemoryTree(user) }),
    },
    log,
  );
  return { ...instructions, lines };
};

const outcomes = (files: readonly InstructionFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ layer, path, outcome }) => [`${layer}:${path}`, outcome]));

/** The cap in characters, at four per token. */
const LIMIT = 32_000;

describe('finding instructions', () => {
  it('INS2: all three of a folder, in their order', async () => {
    const { text, files, lines } = await discover({
      'CONTEXT.md': 'third',
      'CLAUDE.md': 'second',
      'AGENTS.md': 'first',
      'README.md': 'no',
    });
    expect(text).toBe('<!-- AGENTS.md -->\nfirst\n\n<!-- CLAUDE.md -->\nsecond\n\n<!-- CONTEXT.md -->\nthird');
    expect(outcomes(files)).toEqual({
      'project:AGENTS.md': 'whole',
      'project:CLAUDE.md': 'whole',
      'project:CONTEXT.md': 'whole',
    });
    expect(lines).toEqual([]);
  });

  it('INS3: nearest last, the user’s first, neighbours not at all', async () => {
    const project = {
      'AGENTS.md': 'top',
      'a/CLAUDE.md': 'a',
      'a/b/CONTEXT.md': 'b context',
      'a/b/AGENTS.md': 'b agents',
      'a/b/c/AGENTS.md': 'below',
      'a/x/AGENTS.md': 'neighbour',
      '.agents/AGENTS.md': 'not the project’s',
    };
    const { files } = await discover(project, 'a/b', { '.agents/AGENTS.md': 'mine', 'CLAUDE.md': 'library' });
    expect(files.map(({ layer, path, text }) => [layer, path, text])).toEqual([
      ['user', 'CLAUDE.md', 'library'],
      ['user', '.agents/AGENTS.md', 'mine'],
      ['project', 'AGENTS.md', 'top'],
      ['project', 'a/CLAUDE.md', 'a'],
      ['project', 'a/b/AGENTS.md', 'b agents'],
      ['project', 'a/b/CONTEXT.md', 'b context'],
    ]);
  });

  it('INS4: identical text once, where it is nearest', async () => {
    const project = { 'AGENTS.md': 'same\n', 'CLAUDE.md': 'top', 'a/AGENTS.md': '\r\nsame  ', 'a/CONTEXT.md': 'near' };
    const { text, files, lines } = await discover(project, 'a', { 'AGENTS.md': 'same' });
    expect(text).toBe('<!-- CLAUDE.md -->\ntop\n\n<!-- a/AGENTS.md -->\nsame\n\n<!-- a/CONTEXT.md -->\nnear');
    expect(outcomes(files)).toEqual({
      'user:AGENTS.md': 'duplicate',
      'project:AGENTS.md': 'duplicate',
      'project:CLAUDE.md': 'whole',
      'project:a/AGENTS.md': 'whole',
      'project:a/CONTEXT.md': 'whole',
    });
    expect(lines).toEqual([]);
  });

  it('INS4: inside a folder AGENTS.md is the one that stays', async () => {
    const { text, files } = await discover({ 'AGENTS.md': 'same', 'CLAUDE.md': 'same', 'CONTEXT.md': 'same' });
    expect(text).toBe('<!-- AGENTS.md -->\nsame');
    expect(files.map(({ outcome }) => outcome)).toEqual(['whole', 'duplicate', 'duplicate']);
  });

  it('INS5: line endings and edges are made alike', async () => {
    const { text } = await discover({ 'AGENTS.md': '\uFEFF\r\n  one\r\ntwo\rthree \n\n' });
    expect(text).toBe('<!-- AGENTS.md -->\none\ntwo\nthree');
  });

  it('INS6: missing and empty files and other names are no matter', async () => {
    for (const files of [
      {},
      { 'AGENTS.md': '', 'CLAUDE.md': ' \r\n\t' },
      { 'agents.md': 'x', 'Claude.md': 'x' },
      { 'AGENTS.md/x': 'x' },
    ]) {
      expect(await discover(files)).toEqual({ text: '', tokens: 0, files: [], lines: [] });
    }
    expect(await discover(undefined)).toEqual({ text: '', tokens: 0, files: [], lines: [] });
    expect(await discover({}, 'not/there', {})).toMatchObject({ text: '', lines: [] });
  });

  it('INS7: what is not UTF-8 is left out with a warning', async () => {
    const { text, lines } = await discover({ 'AGENTS.md': Uint8Array.of(0x61, 0xff), 'CLAUDE.md': 'good' });
    expect(text).toBe('<!-- CLAUDE.md -->\ngood');
    expect(lines).toEqual([
      { level: 'warning', code: 'instructions.not-utf8', text: 'AGENTS.md is not UTF-8 and is left out' },
    ]);
  });

  it('INS7, INS13: what cannot be read, or leaves the folder, is left out with a warning', async () => {
    const tree = createMemoryTree({ 'AGENTS.md': 'a', 'CLAUDE.md': 'b', 'CONTEXT.md': 'c', 'w/AGENTS.md': 'd' });
    const faulty: FileTree = {
      ...tree,
      list: async (path) => {
        if (path === 'w') throw new Error('permission denied');
        const entries = await tree.list(path);
        return entries?.map(({ name, kind }) =>
          name === 'AGENTS.md' ? { name, kind, escapes: true } : { name, kind },
        );
      },
      read: async (path) => {
        if (path === 'CLAUDE.md') throw new Error('permission denied');
        return tree.read(path);
      },
    };
    const { text, lines } = await discover(faulty, 'w');
    expect(text).toBe('<!-- CONTEXT.md -->\nc');
    expect(lines.map((line) => `${line.level} ${line.text}`)).toEqual([
      'warning AGENTS.md is a link that leaves the opened folder and is left out',
      'warning CLAUDE.md cannot be read (permission denied) and is left out',
      'warning w cannot be read (permission denied) and is left out',
    ]);
  });
});

describe('the cap', () => {
  const header = (path: string): number => `<!-- ${path} -->\n`.length;

  it('INS8: up to 8,000 tokens nothing is changed', async () => {
    expect(INSTRUCTIONS_TOKEN_CAP).toBe(8000);
    const whole = 'x'.repeat(LIMIT - header('AGENTS.md'));
    const { text, tokens, lines } = await discover({ 'AGENTS.md': whole });
    expect([codePointLength(text), tokens, lines]).toEqual([LIMIT, 8000, []]);
    const emoji = await discover({ 'AGENTS.md': '😀'.repeat(LIMIT - header('AGENTS.md')) });
    expect([emoji.tokens, emoji.lines, emoji.files[0]?.outcome]).toEqual([8000, [], 'whole']);
  });

  it('INS9: the outermost is shortened first, the nearest stays whole', async () => {
    const near = 'n'.repeat(20_000);
    const { files, tokens, lines, text } = await discover(
      { 'AGENTS.md': 't'.repeat(10_000), 'a/AGENTS.md': near },
      'a',
      {
        'AGENTS.md': 'u'.repeat(10_000),
      },
    );
    expect(outcomes(files)).toEqual({
      'user:AGENTS.md': 'shortened',
      'project:AGENTS.md': 'whole',
      'project:a/AGENTS.md': 'whole',
    });
    expect(text.endsWith(near)).toBe(true);
    expect(tokens).toBe(8000);
    expect(files[0]?.text).toMatch(/^u+\n<!-- shortened: project instructions exceed 8,000 tokens -->$/);
    expect(lines).toEqual([
      {
        level: 'warning',
        code: 'instructions.cap',
        text: 'project instructions exceed 8000 tokens: AGENTS.md is shortened',
      },
    ]);
  });

  it('INS9, INS12: a file of which nothing would be left is dropped, with a warning of its own', async () => {
    const project = { 'AGENTS.md': 't'.repeat(10_000), 'a/AGENTS.md': 'n'.repeat(31_000) };
    const { files, lines, text, tokens } = await discover(project, 'a', { 'AGENTS.md': 'u'.repeat(3000) });
    expect(outcomes(files)).toEqual({
      'user:AGENTS.md': 'dropped',
      'project:AGENTS.md': 'shortened',
      'project:a/AGENTS.md': 'whole',
    });
    expect(lines.map((line) => line.text)).toEqual([
      'project instructions exceed 8000 tokens: AGENTS.md is left out',
      'project instructions exceed 8000 tokens: AGENTS.md is shortened',
    ]);
    expect(text).not.toContain('uuu');
    expect(tokens).toBe(8000);
  });

  it('INS5: two files with one path have two headings', async () => {
    const { text } = await discover({ 'AGENTS.md': 'project' }, '', { 'AGENTS.md': 'user' });
    expect(text).toBe('<!-- ~/AGENTS.md -->\nuser\n\n<!-- AGENTS.md -->\nproject');
  });

  it('INS9: a shortened file ends with a whole word', async () => {
    const words = Array.from({ length: 9000 }, (_, index) => `word${index}`).join(' ');
    const { files, tokens } = await discover({ 'AGENTS.md': words });
    const [, last] = /(\S+)\n<!-- shortened/.exec(files[0]?.text ?? '') ?? [];
    expect(words.split(' ')).toContain(last);
    expect(tokens).toBeLessThanOrEqual(8000);
    expect(tokens).toBeGreaterThan(7990);
  });

  it('INS10: the nearest alone over the cap keeps its head', async () => {
    const near = `HEAD ${'n'.repeat(40_000)} TAIL`;
    const { files, text, tokens, lines } = await discover({ 'AGENTS.md': 'top', 'a/AGENTS.md': near }, 'a');
    expect(outcomes(files)).toEqual({ 'project:AGENTS.md': 'dropped', 'project:a/AGENTS.md': 'shortened' });
    expect(text).toMatch(/^<!-- a\/AGENTS\.md -->\nHEAD n+\n<!-- shortened/);
    expect(text).not.toContain('TAIL');
    expect(tokens).toBe(8000);
    expect(lines.map((line) => line.text)).toEqual([
      'project instructions exceed 8000 tokens: AGENTS.md is left out',
      'project instructions exceed 8000 tokens: a/AGENTS.md is shortened',
    ]);
  });

  it('INS11: inside a folder the end goes first', async () => {
    const files = {
      'AGENTS.md': 'a'.repeat(15_000),
      'CLAUDE.md': 'b'.repeat(15_000),
      'CONTEXT.md': 'c'.repeat(15_000),
    };
    const all = await discover(files);
    expect(outcomes(all.files)).toEqual({
      'project:AGENTS.md': 'whole',
      'project:CLAUDE.md': 'whole',
      'project:CONTEXT.md': 'shortened',
    });
    const large = await discover({ ...files, 'AGENTS.md': 'a'.repeat(40_000) });
    expect(outcomes(large.files)).toEqual({
      'project:AGENTS.md': 'shortened',
      'project:CLAUDE.md': 'dropped',
      'project:CONTEXT.md': 'dropped',
    });
    expect(large.tokens).toBe(8000);
  });

  it('INS12: cuts between characters, never inside one', async () => {
    const { text } = await discover({ 'AGENTS.md': `x${'😀'.repeat(40_000)}` });
    expect(text).not.toMatch(/\p{Surrogate}/u);
    expect(codePointLength(text)).toBe(LIMIT);
  });

  it('INS8, INS9, INS12: hold for files of any size', async () => {
    const names = ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'];
    const level = fc.array(fc.oneof(fc.nat(200), fc.nat(20_000), fc.integer({ min: 30_000, max: 45_000 })), {
      minLength: 3,
      maxLength: 3,
    });
    const unit = fc.constantFrom('a', 'ü', '😀', 'a b\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(level, { minLength: 1, maxLength: 4 }),
        unit,
        fc.boolean(),
        async (levels, char, hasUser) => {
          const fill = (size: number, mark: string) =>
            size === 0 ? '' : mark + char.repeat(size / codePointLength(char));
          const project: Record<string, string> = {};
          levels.forEach((sizes, depth) =>
            sizes.forEach((size, index) => {
              const folder = Array.from({ length: depth }, () => 'd/').join('');
              project[`${folder}${names[index]}`] = fill(size, `${depth}.${index} `);
            }),
          );
          const workingFolder = Array.from({ length: levels.length - 1 }, () => 'd').join('/');
          const user = hasUser ? { 'AGENTS.md': fill(levels[0]?.[0] ?? 0, 'user ') } : undefined;
          const { text, tokens, files, lines } = await discover(project, workingFolder, user);
          expect(tokens).toBeLessThanOrEqual(INSTRUCTIONS_TOKEN_CAP);
          expect(tokens).toBe(text === '' ? 0 : Math.max(1, Math.floor(codePointLength(text) / 4)));
          const touched = files.filter(({ outcome }) => outcome === 'shortened' || outcome === 'dropped');
          expect(lines.map((line) => line.code)).toEqual(touched.map(() => 'instructions.cap'));
          expect(files.filter(({ outcome }) => outcome === 'shortened').length).toBeLessThanOrEqual(1);
          const kept = files.filter(({ outcome }) => outcome === 'whole' || outcome === 'shortened');
          const own = new Set(kept.flatMap(({ layer, path }) => (layer === 'project' ? [path] : [])));
          const heading = ({ layer, path }: (typeof kept)[number]): string =>
            layer === 'user' && own.has(path) ? `~/${path}` : path;
          expect(text).toBe(kept.map((file) => `<!-- ${heading(file)} -->\n${file.text}`).join('\n\n'));
          // In the order in which text is taken away: some files lose all, then one may lose its end, the rest is whole.
          const folderOf = ({ layer, path }: InstructionFile) => `${layer}:${path.slice(0, path.lastIndexOf('/') + 1)}`;
          const folders = [...new Set(files.map(folderOf))];
          const order = folders.flatMap((folder) => files.filter((file) => folderOf(file) === folder).toReversed());
          const letters = order
            .map(({ outcome }) => ({ dropped: 'd', shortened: 's', whole: 'w', duplicate: '' })[outcome])
            .join('');
          expect(letters).toMatch(/^d*s?w*$/);
          if (files.length > 0) expect(kept.length).toBeGreaterThan(0);
          // What is nearest stays whole if it fits by itself.
          const nearest = Object.entries(project).filter(
            ([path, content]) => path.split('/').length === levels.length && content !== '',
          );
          const alone = await discover(Object.fromEntries(nearest), workingFolder);
          if (alone.lines.length === 0) expect(text.endsWith(alone.text)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
