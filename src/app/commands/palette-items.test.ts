import { describe, expect, it } from 'vitest';
import type { Command } from './commands.ts';
import { paletteItems, type Place } from './palette-items.ts';

const command = (id: string, title: string, category: Command['category'], more: Partial<Command> = {}): Command => ({
  id,
  title,
  category,
  run: () => {},
  ...more,
});

const commands = [
  command('help', 'Show the tour', 'Help', { keywords: 'introduction' }),
  command('theme', 'Change theme', 'View', { shortcut: 'Mod+T' }),
  command('save', 'Save file', 'File', { enabled: () => 'No changes yet.' }),
  command('open', 'Open folder', 'File'),
];
const places: Place[] = [{ id: 'skill a', title: 'theme-park', kind: 'Skill', run: () => {} }];

const ids = (query: string, recent: string[] = []) =>
  paletteItems(query, { commands, recent, places }).map(({ id }) => id);

describe('the palette', () => {
  it('FZ5: without a query the recent ones come first, then all by category', () => {
    expect(ids('')).toEqual(['open', 'theme', 'help', 'save']);
    expect(ids(' ', ['help', 'gone', 'theme'])).toEqual(['help', 'theme', 'open', 'save']);
    expect(paletteItems('', { commands, recent: ['help'], places })[0]).toEqual({
      id: 'help',
      title: 'Show the tour',
      kind: 'Help',
      ranges: [],
      isRecent: true,
    });
  });

  it('FZ5: with a query the best match comes first, and places are found too', () => {
    expect(ids('theme')).toEqual(['theme', 'skill a']);
    expect(ids('fol')).toEqual(['open']);
    expect(ids('introd')).toEqual(['help']);
    expect(ids('zzz')).toEqual([]);
    expect(paletteItems('intro', { commands, recent: [], places })[0]?.ranges).toEqual([]);
  });

  it('FZ7: keywords and the category are found by whole pieces, and count less than the title', () => {
    const named = [
      command('worded', 'Show the tour', 'Help', { keywords: 'zip archive' }),
      command('titled', 'Export as zip', 'View'),
      command('grouped', 'Close it', 'File'),
    ];
    const found = (query: string) =>
      paletteItems(query, { commands: named, recent: [], places: [] }).map(({ id }) => id);
    expect(found('zip')).toEqual(['titled', 'worded']);
    expect(found('arch')).toEqual(['worded']);
    expect(found('file')).toEqual(['grouped']);
    // Scattered letters count in a title alone.
    expect(found('ez')).toEqual(['titled']);
    expect(found('zar')).toEqual([]);
  });

  it('FZ8: files are found by pieces of their path, after the rest', () => {
    const file: Place = { id: 'file', title: 'docs/theme.md', kind: 'Open file', isFile: true, run: () => {} };
    const found = (query: string) =>
      paletteItems(query, { commands, recent: [], places: [file, ...places] }).map(({ id }) => id);
    expect(found('theme')).toEqual(['theme', 'skill a', 'file']);
    expect(found('docs the')).toEqual(['file']);
    expect(found('dtm')).toEqual([]);
  });

  it('FZ6: what cannot run comes last and says why', () => {
    const items = paletteItems('fil', { commands, recent: [], places });
    expect(items.map(({ id, disabledReason }) => [id, disabledReason])).toEqual([
      ['open', undefined],
      ['save', 'No changes yet.'],
    ]);
  });
});
