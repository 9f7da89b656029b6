import { describe, expect, it } from 'vitest';
import { editLibrary } from './edited.ts';
import { editStrip, readUpTo } from './edit-strip.ts';
import { contextOf, SKILLS, skillText } from './testing/contexts.ts';

const saved = (name: string): string => SKILLS[name] ?? '';
const stripOf = async (name: string, text: string, plan: Parameters<typeof contextOf>[1] = {}) => {
  const context = await contextOf(name, plan);
  return editStrip(editLibrary(context, saved(name)), editLibrary(context, text));
};

describe('the strip of an edit', () => {
  it('PE36: has the parts of tools and stable prompt in wire order, without a gap', async () => {
    const { parts, editedAt } = await stripOf('sql-style', saved('sql-style'), { padding: 'spec' });
    expect(parts.map(({ kind }) => kind)).toEqual(['tool', 'persona', 'skill-index', 'preloaded', 'operating-context']);
    expect(parts[0]?.from).toBe(0);
    expect(parts.at(-1)?.to).toBeCloseTo(1, 9);
    parts.slice(1).forEach(({ from }, index) => expect(from).toBe(parts[index]?.to));
    expect(editedAt).toBeUndefined();
  });
  it('PE36: an edit of the description differs inside the line of the skill', async () => {
    const { line, editedAt = -1 } = await stripOf('sql-style', skillText('sql-style', 'Formats SQL poems.'));
    expect(line).toBeDefined();
    expect(editedAt).toBeGreaterThan(line?.from ?? 1);
    expect(editedAt).toBeLessThan(line?.to ?? 0);
  });
  it('PE36: a later character breaks less of the strip', async () => {
    const own = 'Formats SQL queries. Use when a query is hard to read.';
    const early = await stripOf('sql-style', skillText('sql-style', `X${own}`));
    const late = await stripOf('sql-style', skillText('sql-style', `${own.slice(0, -1)} aloud.`));
    expect(late.editedAt).toBeGreaterThan(early.editedAt ?? 1);
  });
  it('PE36: a body that is loaded on demand breaks nothing, a preloaded one from its place', async () => {
    const text = skillText('sql-style', 'Formats SQL queries. Use when a query is hard to read.', 'Another body.\n');
    expect((await stripOf('sql-style', text, { dialect: 'agents' })).editedAt).toBeUndefined();
    const { parts, editedAt = 0 } = await stripOf('sql-style', text, { padding: 'spec' });
    expect(editedAt).toBeGreaterThan(parts.find(({ kind }) => kind === 'preloaded')?.from ?? 1);
  });
  it('PE36: a text that cannot be loaded has no line and differs where the line was', async () => {
    const strip = await stripOf('sql-style', 'no frontmatter');
    expect(strip.line).toBeUndefined();
    expect(strip.editedAt).toBeGreaterThan(0);
  });
  it('PE37: what is read ends where a cache can stop, never after the edit', () => {
    const strip = {
      parts: [
        { kind: 'tool', from: 0, to: 0.3 },
        { kind: 'skill-index', from: 0.3, to: 1 },
      ],
      line: undefined,
      editedAt: 0.6,
    } as const;
    expect(readUpTo(strip, 0)).toBe(0);
    expect(readUpTo(strip, 0.27)).toBe(0.3);
    expect(readUpTo(strip, 0.58)).toBe(0.6);
    expect(readUpTo(strip, 1)).toBe(0.6);
    expect(readUpTo({ ...strip, editedAt: 0.1 }, 0.3)).toBe(0.1);
    expect(readUpTo({ ...strip, editedAt: undefined }, 1)).toBe(1);
  });
});
