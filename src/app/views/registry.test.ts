import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { panel } from '../../features/panel/panel.ts';
import { addressOfPanel, panelsAt, viewAt } from '../address/panel-address.ts';
import { formatUrlState, parseUrlState, type UrlState } from '../address/url-state.ts';
import { BOTTOM, HELP_TOPICS, holderOf, narrowStartOf, PANELS, type PanelId, VIEWS } from './registry.ts';
import { defineViews, panelsIn, placeOfPanel, type View } from './views.ts';

const entry = <const Id extends string>(id: Id) =>
  panel({ id, label: id.toUpperCase(), help: id, empty: { about: 'About it.', toCome: 'To come.' } });
const [a, b, c] = [entry('a'), entry('b'), entry('c')];

/** The address after going to a panel, as it is read back. */
const at = (id: PanelId, from: UrlState): UrlState =>
  parseUrlState(formatUrlState({ ...from, ...addressOfPanel(id, from) } as UrlState));

describe('the panels of the page', () => {
  it('PN1: have ids of their own, and each has a place in a view', () => {
    const ids = PANELS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const below = new Set<string>(BOTTOM.map(({ id }) => id));
    expect(ids.filter((id) => placeOfPanel(VIEWS, holderOf(id)) === undefined && !below.has(id))).toEqual([]);
  });

  it('PN1: a second one with the same id is refused', () => {
    const view = (id: string, ...columns: readonly View['columns'][number][]): View => {
      const [first, ...rest] = columns;
      if (!first) throw new Error('a view has columns');
      return { id, label: id, icon: 'book', columns: [first, ...rest] };
    };
    const left = { id: 'left', label: 'L', minSize: 1 } as const;
    const two = () => defineViews([view('v', { ...left, panels: [a, entry('a')] })]);
    expect(two).toThrow('Two entries are called a');
    const views = () => defineViews([view('v', { ...left, panels: [a] }), view('v', { ...left, panels: [b] })]);
    expect(views).toThrow('Two entries are called v');
    const columns = () => defineViews([view('v', { ...left, panels: [a] }, { ...left, panels: [b] })]);
    expect(columns).toThrow('Two entries are called left');
  });

  it('PN1: an id that is not registered does not compile', () => {
    // @ts-expect-error -- the union of ids comes from the registry
    const unknown: PanelId = 'no-such-panel';
    expect(PANELS.map(({ id }) => id)).not.toContain(unknown);
  });

  it('PN2: have a page of help each, and no page is without its panel', () => {
    const pages = readdirSync(new URL('../../../docs/help/', import.meta.url)).map((name) => name.replace(/\.md$/, ''));
    expect(HELP_TOPICS.map(({ id }) => id).toSorted()).toEqual(pages.toSorted());
  });

  it('PN3: have an address each, in a wide and in a narrow window', () => {
    for (const { id } of PANELS) {
      expect(panelsAt(at(id, {}))).toContain(holderOf(id));
      const part = placeOfPanel(VIEWS, holderOf(id))?.column.id ?? 'bottom';
      expect(at(id, { panel: 'center', skill: 'a' })).toMatchObject({ panel: part, skill: 'a' });
    }
    expect(at('problems', {})).toEqual({ tab: 'problems' });
    expect(at('library', { tab: 'log' })).toEqual({ view: 'skills', tab: 'log' });
    expect(at('request', {})).toEqual({ view: 'sessions', side: 'request' });
  });

  it('VW3: a narrow window starts with the conversation of Sessions, and with the center of the others', () => {
    expect(VIEWS.map((view) => [view.id, narrowStartOf(view)])).toEqual([
      ['skills', 'center'],
      ['sessions', 'right'],
      ['metaskills', 'center'],
      ['import', 'center'],
      ['settings', 'center'],
    ]);
  });

  it('PN4: say what fills them', () => {
    for (const { empty } of PANELS)
      expect([empty.about, empty.toCome]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/[.…]$/)]);
  });
});

describe('the views of a page', () => {
  const column = { minSize: 1 } as const;
  const views = defineViews([
    {
      id: 'one',
      label: 'One',
      icon: 'book',
      columns: [
        { ...column, id: 'left', label: 'Left', panels: [a] },
        { ...column, id: 'right', label: 'Right', panels: [b, c], arrange: 'tabs' },
      ],
    },
    {
      id: 'two',
      label: 'Two',
      icon: 'rows',
      columns: [{ ...column, id: 'center', label: 'Center', panels: [b, c] }],
    },
  ]);

  it('PN5: may share panels, and a panel is shown in the view in front', () => {
    expect(panelsIn(views).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(placeOfPanel(views, 'c')).toMatchObject({ view: { id: 'one' }, column: { id: 'right' }, isTab: true });
    expect(placeOfPanel(views, 'c', views[1])).toMatchObject({ view: { id: 'two' }, isTab: false });
    expect(placeOfPanel(views, 'a', views[1])).toMatchObject({ view: { id: 'one' }, isTab: false });
    expect(placeOfPanel(views, 'd')).toBeUndefined();
  });

  it('PN5: sessions are in front where the address names nothing, and skills where it names a file', () => {
    expect(viewAt({}).id).toBe('sessions');
    expect(viewAt({ session: 's', skill: 'a' }).id).toBe('sessions');
    expect(viewAt({ skill: 'a' }).id).toBe('skills');
    expect(viewAt({ file: 'AGENTS.md' }).id).toBe('skills');
    for (const { id } of VIEWS) expect(viewAt(parseUrlState(formatUrlState({ view: id }))).id).toBe(id);
  });
});
