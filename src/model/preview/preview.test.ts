import { describe, expect, it } from 'vitest';
import { createMemoryTokenizer } from '../../platform/tokenizer/memory-tokenizer.ts';
import { skillLoadText } from '../activation/texts.ts';
import { planSession } from '../session/start.ts';
import { calibratedTokens, skillCost } from './cost.ts';
import { editLibrary, type PreviewContext } from './edited.ts';
import { compareAlone, editCost } from './edit-cost.ts';
import { cleanPrompts, examplePrompts, readPrompts, wouldPick } from './pick.ts';
import { modelSees } from './seen.ts';
import { contextOf, SKILLS, skillText } from './testing/contexts.ts';

const saved = (name: string): string => SKILLS[name] ?? '';
const edit = (context: PreviewContext, text: string) => editLibrary(context, text);
const names = (edited: ReturnType<typeof edit>) =>
  edited.plan.workspace.library.store.list().map(({ skill }) => skill.name);

describe('the edited library', () => {
  it('PE1, PE3: the text takes the place of its folder, the others stay', async () => {
    const context = await contextOf('sql-style');
    const text = skillText('sql-style', 'Something else. Use when asked.');
    const edited = edit(context, text);
    expect(names(edited)).toEqual(['commit-message', 'incident-report', 'sql-style']);
    const { store } = edited.plan.workspace.library;
    expect(store.get('sql-style')?.skill.description).toBe('Something else. Use when asked.');
    expect(store.get('commit-message')).toBe(context.plan.workspace.library.store.get('commit-message'));
  });
  it('PE1: a text that cannot be loaded is missing, with its errors', async () => {
    const edited = edit(await contextOf('sql-style'), '---\nname: sql-style\n---\nNo description.\n');
    expect(names(edited)).toEqual(['commit-message', 'incident-report']);
    expect(edited.name).toBeUndefined();
    expect(edited.errors.length).toBeGreaterThan(0);
    expect(edited.errors.every(({ severity }) => severity === 'error')).toBe(true);
  });
  it('PE2: a folder of an earlier layer hides it', async () => {
    const context = await contextOf('sql-style');
    const elsewhere: PreviewContext = {
      ...context,
      place: { ...context.place, layer: 'user', path: 'sql-style' },
    };
    const edited = edit(elsewhere, skillText('sql-style', 'Mine. Use when asked.'));
    expect(edited.name).toBeUndefined();
    expect(edited.hiddenBy?.layer).toBe('project');
    expect(edited.plan.workspace.library.store.get('sql-style')?.skill.description).toBe(
      'Formats SQL queries. Use when a query is hard to read.',
    );
  });
});

describe('what the model sees', () => {
  it('PE10: line and load text of both dialects, as sessions send them', async () => {
    const context = await contextOf('sql-style', { padding: 'off' });
    const edited = edit(context, saved('sql-style'));
    const [metis, agents] = modelSees(edited);
    const line = '- sql-style: Formats SQL queries. Use when a query is hard to read.';
    expect([metis?.indexLine, agents?.indexLine]).toEqual([line, line]);
    expect(planSession({ ...edited.plan, dialect: 'metis' }).prompt.text).toContain(line);
    expect(metis?.loadText).toBe('# Skill: sql-style (source: workspace)\n\n# sql-style\n\nDo it.\n');
    expect(agents?.loadText).toBe('<skill_content name="sql-style">\n# sql-style\n\nDo it.\n</skill_content>');
    expect([metis?.tool, agents?.tool]).toEqual(['skill_load', 'skill']);
  });
  it('PE11: a preloaded body is shown, and loading gives the pointer', async () => {
    const edited = edit(await contextOf('sql-style', { padding: 'spec' }), saved('sql-style'));
    const [metis, agents] = modelSees(edited);
    expect(metis?.preloaded).toBe('# Skill: sql-style\n\n# sql-style\n\nDo it.');
    expect(metis?.indexLine).toContain('- sql-style [preloaded]: ');
    expect(metis?.loadText).toContain('already loaded in the system prompt');
    expect(agents?.preloaded).toBeUndefined();
    expect(edited.item && agents?.loadText).toBe(edited.item && skillLoadText(edited.item, 'agents', false));
  });
  it('PE12: a skill that is not loaded shows nothing', async () => {
    expect(modelSees(edit(await contextOf('sql-style'), 'no frontmatter'))).toEqual([]);
  });
});

describe('what it costs', () => {
  it('PE20, PE21: line, body and the budget', async () => {
    const body = 'abcd'.repeat(3000);
    const cost = skillCost(
      edit(
        await contextOf('sql-style', { padding: 'off' }),
        skillText('sql-style', 'Formats SQL. Use when asked.', body),
      ),
    );
    // "- sql-style: Formats SQL. Use when asked." has 41 characters.
    expect(cost?.indexLine.tokens).toBe(10);
    expect(cost?.body.tokens).toBe(3000);
    expect(cost?.shareOfWarning).toBeCloseTo(0.3);
    expect(cost?.shareOfCap).toBeCloseTo(0.1);
  });
  it('PE22: preloaded, skipped, not needed', async () => {
    const preloaded = skillCost(edit(await contextOf('sql-style', { padding: 'spec' }), saved('sql-style')));
    expect(preloaded?.preloading).toMatchObject({ kind: 'preloaded' });
    const large = skillText('commit-message', 'Long. Use when asked.', 'word '.repeat(6000));
    const passed = skillCost(edit(await contextOf('commit-message', { padding: 'spec' }), large));
    expect(passed?.preloading).toMatchObject({ kind: 'passed-over' });
    const bodies = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [
        `skill-${index}`,
        skillText(`skill-${index}`, 'Does it. Use when asked.', 'word '.repeat(900)),
      ]),
    );
    const full = skillCost(edit(await contextOf('skill-8', { padding: 'spec' }, bodies), bodies['skill-8'] ?? ''));
    expect(full?.preloading.kind).toBe('full');
    const agents = skillCost(
      edit(await contextOf('sql-style', { padding: 'spec', dialect: 'agents' }), saved('sql-style')),
    );
    expect(agents?.preloading.kind).toBe('never');
    const off = skillCost(edit(await contextOf('sql-style', { padding: 'off' }), saved('sql-style')));
    expect(off?.preloading).toMatchObject({ kind: 'not-needed', why: expect.stringContaining('padding is off') });
  });
  it('PE23: calibrated counts', async () => {
    const tokenizer = createMemoryTokenizer();
    const [plain] = await tokenizer.count(['one two three four']);
    // The factor of claude-haiku-4-5 is 1.05.
    expect(await calibratedTokens(['one two three four'], 'claude-haiku-4-5', tokenizer)).toEqual([
      Math.ceil((plain ?? 0) * 1.05),
    ]);
  });
});

describe('what the edit breaks', () => {
  const costOfEdit = async (name: string, text: string, plan: Parameters<typeof contextOf>[1] = {}) => {
    const context = await contextOf(name, plan);
    const tokenizer = createMemoryTokenizer();
    return editCost(edit(context, saved(name)), edit(context, text), compareAlone(tokenizer));
  };
  it('PE34: the saved text breaks nothing', async () => {
    const cost = await costOfEdit('sql-style', saved('sql-style'));
    expect(cost).toMatchObject({ firstDifference: undefined, change: { lost: 0, extraUsd: 0 } });
    expect(cost?.change.after.usage.read).toBeGreaterThan(0);
  });
  it('PE30, PE31, PE32: another description loses the stable prompt, and costs its writing', async () => {
    const cost = await costOfEdit('sql-style', skillText('sql-style', 'Formats queries. Use when one is ugly.'));
    expect(cost?.firstDifference).toBe('skill-index');
    const { before, after, lost, extraUsd } = cost?.change ?? {};
    expect(lost).toBe(before?.usage.read);
    expect(after?.usage.read).toBe(0);
    // At 1 USD per million: a write costs 1.25 of input, a read 0.1; nothing else differs.
    const written = after?.usage.writes['5m'] ?? 0;
    expect(extraUsd).toBeCloseTo((written * 1.25 - (before?.usage.read ?? 0) * 0.1) * 1e-6, 12);
    expect(cost?.answer).toContain('cached tokens are lost');
    expect(cost?.note).toContain('the skill index');
  });
  it('PE33: a body that is loaded on demand breaks nothing', async () => {
    const text = skillText('sql-style', 'Formats SQL queries. Use when a query is hard to read.', 'Another body.\n');
    expect(await costOfEdit('sql-style', text, { dialect: 'agents' })).toMatchObject({
      firstDifference: undefined,
      change: { lost: 0 },
    });
  });
  it('PE31: a preloaded body does', async () => {
    const text = skillText('sql-style', 'Formats SQL queries. Use when a query is hard to read.', 'Another body.\n');
    const cost = await costOfEdit('sql-style', text, { padding: 'spec' });
    expect(cost?.firstDifference).toBe('preloaded:sql-style');
    expect(cost?.note).toContain('the preloaded body of sql-style');
  });
  it('PE35: below the floor nothing was cached', async () => {
    const text = skillText('sql-style', 'Formats queries. Use when one is ugly.');
    const cost = await costOfEdit('sql-style', text, { padding: 'off' });
    expect(cost?.change).toMatchObject({ lost: 0, after: { usage: { read: 0, writes: {} } } });
    expect(cost?.note).toContain('nothing is cached up to there');
  });
  it('PE32: a model without a price gives no number', async () => {
    const text = skillText('sql-style', 'Formats queries. Use when one is ugly.');
    const cost = await costOfEdit('sql-style', text, { settings: { provider: 'compatible', model: 'my-local-model' } });
    expect(cost?.change.extraUsd).toBeUndefined();
  });
});

describe('would it be picked', () => {
  it('PE40, PE41: verdicts, rank and rivals', async () => {
    const context = await contextOf('sql-style');
    const library = edit(context, saved('sql-style'));
    const [sql, outage, nothing] = wouldPick(
      ['This SQL query is unreadable', 'Write up the outage of last night', 'Sing a song about ducks'],
      library,
      library,
    );
    expect(sql).toMatchObject({ verdict: 'picked', rank: 1, change: 'same' });
    expect(sql?.own?.matches.map(({ word }) => word)).toEqual(expect.arrayContaining(['sql', 'query']));
    expect(outage).toMatchObject({ verdict: 'other', best: { name: 'incident-report' } });
    expect(outage?.rivals[0]?.name).toBe('incident-report');
    expect(nothing).toMatchObject({ verdict: 'none', best: undefined, own: undefined, rank: undefined });
  });
  it('PE45: words that no skill has are named', async () => {
    const context = await contextOf('sql-style');
    const library = edit(context, saved('sql-style'));
    const [song, sql] = wouldPick(['Sing a song about ducks', 'Format this SQL query'], library, library);
    expect(song?.unknown).toEqual(expect.arrayContaining(['sing', 'ducks']));
    expect(sql?.unknown).not.toContain('sql');
  });
  it('PE42: a change of the description is reported as one', async () => {
    const context = await contextOf('sql-style');
    const old = edit(context, saved('sql-style'));
    const better = edit(context, skillText('sql-style', 'Formats SQL queries. Use when indentation is untidy.'));
    const [result] = wouldPick(['Fix the indentation please'], better, old);
    expect(result).toMatchObject({ verdict: 'picked', change: 'better', before: { verdict: 'none' } });
    const [back] = wouldPick(['Fix the indentation please'], old, better);
    expect(back).toMatchObject({ verdict: 'none', change: 'worse' });
  });
  it('PE43: prompts are remembered within limits', () => {
    expect(readPrompts(JSON.stringify([' a  b ', 'a b', '', 7]))).toEqual(['a b']);
    expect(readPrompts('{broken')).toEqual([]);
    expect(readPrompts(null)).toEqual([]);
    expect(cleanPrompts(Array.from({ length: 20 }, (_, index) => `p${index}`))).toHaveLength(12);
    expect(cleanPrompts(['x'.repeat(500)])[0]).toHaveLength(400);
  });
  it('PE44: examples of the skill and of its neighbour', async () => {
    const context = await contextOf('commit-message');
    const [own, neighbour] = examplePrompts(edit(context, saved('commit-message')));
    expect(own).toBe('A commit needs a message');
    expect(neighbour).toBe('An incident is over and people ask what happened');
  });
  it('PE44: a placeholder description gives no prompt of its own', async () => {
    const context = await contextOf('commit-message');
    const text = skillText(
      'commit-message',
      'TODO: say what this skill does, in the words people use for it. Use when ...',
    );
    expect(examplePrompts(edit(context, text)).filter((prompt) => !prompt.includes(' '))).toEqual([]);
  });
});
