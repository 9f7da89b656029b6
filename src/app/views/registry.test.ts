import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { panel } from '../../features/panel/panel.ts';
import { addressOfPanel, panelAt, viewAt } from '../address/panel-address.ts';
import { formatUrlState, parseUrlState, type UrlState } from '../address/url-state.ts';
import { HELP_TOPICS, PANELS, type PanelId, VIEWS } from './registry.ts';
import { defineViews, panelsIn, placeOfPanel } from './views.ts';

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
    expect(ids.filter((id) => placeOfPanel(VIEWS, id) === undefined)).toEqual([]);
  });

  it('PN1: a second one with the same id is refused', () => {
    const two = () =>
      defineViews([{ id: 'v', label: 'V', regions: [{ id: 'r', label: 'R', panels: [a, entry('a')] }] }]);
    expect(two).toThrow('Two entries are called a');
    const views = () =>
      defineViews([
        { id: 'v', label: 'V', regions: [{ id: 'r', label: 'R', panels: [a] }] },
        { id: 'v', label: 'W', regions: [{ id: 'r', label: 'R', panels: [b] }] },
      ]);
    expect(views).toThrow('Two entries are called v');
    const regions = () =>
      defineViews([
        {
          id: 'v',
          label: 'V',
          regions: [
            { id: 'r', label: 'R', panels: [a] },
            { id: 'r', label: 'S', panels: [b] },
          ],
        },
      ]);
    expect(regions).toThrow('Two entries are called r');
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
      const region = placeOfPanel(VIEWS, id)?.region.id ?? 'library';
      expect(panelAt(region, at(id, {}))).toBe(id);
      expect(at(id, { panel: 'editor', skill: 'a' })).toMatchObject({ panel: region, skill: 'a' });
    }
    expect(at('problems', {})).toEqual({ tab: 'problems' });
    expect(at('library', { tab: 'log' })).toEqual({ tab: 'log' });
  });

  it('PN4: say what fills them', () => {
    const faces = new Set(PANELS.map(({ id }): string => id));
    for (const { empty } of PANELS) {
      if ('columns' in empty) for (const { panel: face } of empty.columns.flat()) expect(faces).toContain(face);
      else expect(empty.about.endsWith('.') && empty.toCome.endsWith('.')).toBe(true);
    }
  });
});

describe('the views of a page', () => {
  const views = defineViews([
    {
      id: 'one',
      label: 'One',
      regions: [
        { id: 'left', label: 'Left', panels: [a] },
        { id: 'below', label: 'Below', panels: [b, c] },
      ],
    },
    {
      id: 'two',
      label: 'Two',
      regions: [{ id: 'below', label: 'Below', panels: [b, c] }],
    },
  ]);

  it('PN5: may share panels, and a panel is shown in the view in front', () => {
    expect(panelsIn(views).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(placeOfPanel(views, 'c')).toMatchObject({ view: { id: 'one' }, region: { id: 'below' }, isTab: true });
    expect(placeOfPanel(views, 'c', views[1])?.view.id).toBe('two');
    expect(placeOfPanel(views, 'a', views[1])).toMatchObject({ view: { id: 'one' }, isTab: false });
    expect(placeOfPanel(views, 'd')).toBeUndefined();
  });

  it('PN5: the first is in front where the address names none', () => {
    expect(viewAt({})).toBe(VIEWS[0]);
    for (const { id } of VIEWS) expect(viewAt(parseUrlState(formatUrlState({ view: id }))).id).toBe(id);
  });
});
