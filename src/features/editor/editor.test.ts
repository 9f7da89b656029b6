import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SkillFiles } from '../../model/skill/types.ts';
import { apartHere } from '../../platform/worker/testing/apart-here.ts';
import { startTestEngine, type TestEngine } from '../../platform/worker/testing/node-engine.ts';
import { createChecker } from './check-document.ts';
import { createEditor } from './editor.ts';
import type { Checked } from './needs.ts';
import { languageOf } from './languages.ts';
import { createMemoryNeeds } from './testing/memory-needs.ts';
import { FILES, META, PROGRAM, SKILL } from './testing/samples.ts';
import { differenceOf } from './text-difference.ts';
import { TextPositions } from './text-positions.ts';

describe('places', () => {
  it('ED1: lines end with LF, CRLF and CR; a byte order mark has no column', () => {
    const positions = new TextPositions('\uFEFFab\r\ncd\re\n😀f');
    expect(positions.placeAt(0)).toEqual({ lineNumber: 1, column: 1 });
    expect(positions.placeAt(1)).toEqual({ lineNumber: 1, column: 1 });
    expect(positions.placeAt(2)).toEqual({ lineNumber: 1, column: 2 });
    expect(positions.placeAt(5)).toEqual({ lineNumber: 2, column: 1 });
    expect(positions.placeAt(8)).toEqual({ lineNumber: 3, column: 1 });
    expect(positions.placeAt(12)).toEqual({ lineNumber: 4, column: 3 });
    expect(positions.offsetAt({ lineNumber: 1, column: 1 })).toBe(1);
    expect(positions.offsetAt({ lineNumber: 4, column: 3 })).toBe(12);
  });
  it('ED1: there and back', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '😀') }), fc.nat(), (text, seed) => {
        const positions = new TextPositions(text);
        const offset = seed % (text.length + 1);
        expect(positions.offsetAt(positions.placeAt(offset))).toBe(offset);
      }),
    );
  });
  it('ED2: one edit between two texts', () => {
    const unit = fc.constantFrom('a', 'b', '\n', '😀', '😁');
    fc.assert(
      fc.property(fc.string({ unit }), fc.string({ unit }), (before, after) => {
        const edit = differenceOf(before, after);
        const { range, text } = edit ?? { range: { start: 0, end: 0 }, text: '' };
        expect(edit === undefined).toBe(before === after);
        expect(before.slice(0, range.start) + text + before.slice(range.end)).toBe(after);
        expect(text).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
      }),
    );
    expect(differenceOf('abc', 'abXc')).toEqual({ range: { start: 2, end: 2 }, text: 'X' });
  });
  it('ED3: languages by name', () => {
    const names = {
      'a/SKILL.md': 'skill',
      'SKILL.star': 'starlark',
      'AGENTS.md': 'markdown',
      'x.PY': 'python',
      LICENSE: 'plaintext',
      'a.json': 'json',
    };
    for (const [path, language] of Object.entries(names)) expect(languageOf(path)).toBe(language);
  });
});

describe('checks', () => {
  let test: TestEngine;
  beforeAll(() => {
    test = startTestEngine();
  });
  afterAll(() => test[Symbol.dispose]());
  const files: SkillFiles = new Map([
    ['SKILL.md', { size: 1, text: META }],
    ['SKILL.star', { size: 1, text: PROGRAM }],
  ]);
  const skill = { root: 'skills/must-have', folder: 'must-have', files, knownSkills: new Set(['must-have']) };
  const checker = () =>
    createChecker({ apart: apartHere, profile: () => 'standard', engine: test.engine, skillOf: () => skill });
  const rules = ({ diagnostics }: Checked) => diagnostics.map(({ rule }) => rule);

  it('ED5: SKILL.md by its profile, with what is around it', async () => {
    const text = META.replace('name: must-have', 'name: other').replace('# Must have', '# See [[gone]]');
    const found = rules(await checker().check('skills/must-have/SKILL.md', text));
    expect(found).toContain('name-folder');
    expect(found).toContain('wiki-link-unknown');
    expect(rules(await checker().check('AGENTS.md', text))).toEqual([]);
  });
  it('ED5: programs with the keys that SKILL.md documents', async () => {
    const text = PROGRAM.replace('input["heading"]', 'input["title"]');
    const checked = await checker().check('skills/must-have/SKILL.star', text);
    expect(rules(checked)).toContain('MS-input-key-used-not-documented');
    expect(checked.documented?.keys.map(({ name }) => name)).toEqual(['task', 'heading']);
  });
  it('ED5, PP1: a profile without programs has no problems with one, nor fixes; the outline is there', async () => {
    const metis = createChecker({
      apart: apartHere,
      profile: () => 'metis',
      engine: test.engine,
      skillOf: () => skill,
    });
    const text = PROGRAM.replace('{"purpose": "draft"}', '{"max_turns": 99}');
    const checked = await metis.check('skills/must-have/SKILL.star', text);
    expect(rules(checked)).toEqual([]);
    expect(checked.analysis).toBeDefined();
    expect(await metis.fixAll('skills/must-have/SKILL.star', text)).toBeUndefined();
  });
  it('ED5a, APART1: a large SKILL.md in a worker; without an answer it says that it was not checked', async () => {
    const silent = { judge: () => Promise.resolve(undefined), fix: () => Promise.resolve(undefined) };
    const slow = createChecker({
      apart: silent,
      profile: () => 'standard',
      engine: test.engine,
      skillOf: () => skill,
    });
    const path = 'skills/must-have/SKILL.md';
    const large = `${META}\n${'a b c d\n'.repeat(8000)}`;
    expect(rules(await slow.check(path, META))).toEqual(rules(await checker().check(path, META)));
    expect(rules(await slow.check(path, large))).toEqual(['not-checked']);
    expect(await slow.fixAll(path, large)).toBeUndefined();
    expect(rules(await checker().check(path, large))).toContain('body-lines');
    const broken = large.replace('name: must-have', 'Name: must-have');
    expect(await checker().fixAll(path, broken)).toBe(large);
  });
  it('ED6: an engine that fails is one warning', async () => {
    const engine = {
      analyse: () => Promise.reject(new Error('the worker is gone')),
      format: () => Promise.reject(new Error('no')),
    };
    const broken = createChecker({ apart: apartHere, profile: () => 'standard', engine, skillOf: () => skill });
    const { diagnostics } = await broken.check('a/SKILL.star', PROGRAM);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('the worker is gone'),
    });
  });
  it('ED9: safe fixes of both kinds of file, and nothing where none exist', async () => {
    expect(
      await checker().fixAll(
        'skills/must-have/SKILL.md',
        META.replace('name: must-have', 'name: must-have\nallowed-tools: Read, Grep'),
      ),
    ).toContain('allowed-tools: Read Grep');
    const text = PROGRAM.replace('{"purpose": "draft"}', '{"max_turns": 99}');
    expect(await checker().fixAll('skills/must-have/SKILL.star', text)).toBe(text.replace('99', '30'));
    expect(await checker().fixAll('AGENTS.md', '# x')).toBeUndefined();
    expect(await checker().fixAll('skills/must-have/SKILL.star', PROGRAM)).toBeUndefined();
  });
  it('ED8: the outline of the last good text serves while there is a syntax error, without its lines to stop at', async () => {
    const star = 'skills/must-have/SKILL.star';
    const good = await checker().check(star, PROGRAM);
    const bad = await checker().check(star, 'def run(input:\n');
    expect(good.analysis?.outline.stopLines).not.toEqual([]);
    vi.useFakeTimers();
    try {
      const needs = await createMemoryNeeds({ files: FILES, open: [star] });
      vi.spyOn(needs, 'check').mockImplementation((_, text) => Promise.resolve(text === PROGRAM ? good : bad));
      const editor = createEditor({ needs, loadOwner: () => Promise.reject(new Error('no Monaco in this test')) });
      await vi.advanceTimersByTimeAsync(0);
      needs.setText(star, 'def run(input:\n');
      await vi.advanceTimersByTimeAsync(200);
      const known = editor.getView().checked.get(star);
      expect(known?.text).toBe('def run(input:\n');
      expect(known?.analysis?.outline).toEqual({ ...good.analysis?.outline, stopLines: [] });
      editor.toggleBreakpoint(star, 1);
      expect(needs.breakpoints(star)).toEqual([1]);
      editor[Symbol.dispose]();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the state of the panel', () => {
  const path = 'skills/csv-tidy/SKILL.md';
  const never = (): Promise<never> => Promise.reject(new Error('no Monaco in this test'));

  it('ED7: checked immediately, then when the hands rest; older results are dropped', async () => {
    vi.useFakeTimers();
    try {
      const needs = await createMemoryNeeds({ files: FILES, open: [path] });
      const check = vi.spyOn(needs, 'check');
      const editor = createEditor({ needs, loadOwner: never });
      await vi.advanceTimersByTimeAsync(0);
      expect(check).toHaveBeenCalledTimes(1);
      for (const key of ['a', 'b', 'c']) {
        needs.setText(path, `${SKILL}${key}`);
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(check).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(200);
      expect(check).toHaveBeenCalledTimes(2);
      expect(editor.getView().checked.get(path)?.text).toBe(`${SKILL}c`);
      expect(needs.calls.filter((call) => call.startsWith('checked'))).toHaveLength(2);
      // The same text, but a skill that it links to may be gone.
      editor.checkAgain();
      await vi.advanceTimersByTimeAsync(0);
      expect(check).toHaveBeenCalledTimes(3);
      await vi.advanceTimersByTimeAsync(1000);
      expect(check).toHaveBeenCalledTimes(3);
      editor[Symbol.dispose]();
    } finally {
      vi.useRealTimers();
    }
  });
  it('ED62: the mode is remembered; a position leaves the preview', async () => {
    const values = new Map<string, string>();
    const storage = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
    };
    const needs = await createMemoryNeeds({ files: FILES });
    const editor = createEditor({ needs, storage, loadOwner: never });
    expect(editor.getView().mode).toBe('preview');
    editor.open(path);
    expect(editor.getView().mode).toBe('preview');
    editor.open(path, { line: 3 });
    expect(editor.getView().mode).toBe('edit');
    expect(createEditor({ needs, storage, loadOwner: never }).getView().mode).toBe('edit');
    const blocked = {
      getItem: () => {
        throw new Error('blocked');
      },
      setItem: () => {
        throw new Error('blocked');
      },
    };
    const other = createEditor({ needs, storage: blocked, loadOwner: never });
    other.setMode('split');
    expect(other.getView().mode).toBe('split');
  });
  it('ED54: a Monaco that cannot be loaded is said, and can be tried again', async () => {
    const needs = await createMemoryNeeds({ files: FILES, open: [path] });
    const editor = createEditor({ needs, loadOwner: never });
    expect(await editor.owner()).toBeUndefined();
    expect(editor.getView().failure).toBe('no Monaco in this test');
    const again = vi.fn<() => Promise<never>>(never);
    const second = createEditor({ needs, loadOwner: again });
    await second.owner();
    await second.owner();
    expect(again).toHaveBeenCalledTimes(2);
  });
  it('ED61: steps go round the corner; closing forgets what was found', async () => {
    const needs = await createMemoryNeeds({ files: FILES, open: ['AGENTS.md', path] });
    const editor = createEditor({ needs, loadOwner: never });
    editor.step(1);
    expect(needs.getState().active).toBe('AGENTS.md');
    editor.step(-1);
    expect(needs.getState().active).toBe(path);
    await expect.poll(() => editor.getView().checked.has(path)).toBe(true);
    editor.close();
    expect(editor.getView().checked.has(path)).toBe(false);
  });
  it('ED9: fix all leaves a text alone that changed meanwhile', async () => {
    const needs = await createMemoryNeeds({ files: FILES, open: [path] });
    const editor = createEditor({ needs, loadOwner: never });
    const running = editor.fixAll();
    needs.setText(path, `${SKILL}typed`);
    await running;
    expect(needs.textOf(path)).toBe(`${SKILL}typed`);
    await editor.fixAll();
    expect(needs.textOf(path)).toContain('allowed-tools: Read Grep');
  });
  it('ED47: breakpoints without an outline are where they are put', async () => {
    const star = 'skills/must-have/SKILL.star';
    const needs = await createMemoryNeeds({ files: FILES, open: [star] });
    const editor = createEditor({ needs, loadOwner: never });
    editor.toggleBreakpoint(star, 6);
    editor.toggleBreakpoint(star, 2);
    expect(needs.breakpoints(star)).toEqual([2, 6]);
    editor.toggleBreakpoint(star, 6);
    expect(needs.breakpoints(star)).toEqual([2]);
  });
});
