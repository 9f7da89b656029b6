import { describe, expect, it } from 'vitest';
import { BOTTOM_SIZE, createLayout, type Foldable, MAIN_MIN, type PanelHandle } from './layout.ts';

const storageWith = (value: string | null) => {
  const kept = { value };
  return { kept, getItem: () => kept.value, setItem: (_key: string, next: string) => void (kept.value = next) };
};

/** A panel as the library has it: what it was before it collapsed is what expand restores. */
const panel = (size: number, min: number): PanelHandle & { size: () => number | string } => {
  let now: number | string = size;
  let before: number | string = min;
  return {
    collapse: () => {
      before = now;
      now = 0;
    },
    expand: () => {
      now = before;
    },
    isCollapsed: () => now === 0,
    resize: (next) => {
      now = next;
    },
    getSize: () => ({ inPixels: typeof now === 'number' ? now : 400 }),
    size: () => now,
  };
};

const SIZES = { left: { size: 280, minSize: 180 }, right: { size: 400, minSize: 260 }, bottom: BOTTOM_SIZE };

const mounted = (sizes: Record<Foldable, number>, main = 500, storage = storageWith(null)) => {
  const layout = createLayout(storage);
  const panels = {
    left: panel(sizes.left, 180),
    right: panel(sizes.right, 260),
    bottom: panel(sizes.bottom, 120),
    main: panel(main, MAIN_MIN),
  };
  for (const name of ['left', 'right', 'bottom'] as const) layout.attach(name, panels[name], SIZES[name]);
  layout.attach('main', panels.main);
  layout.refresh();
  return { layout, panels, storage };
};

describe('the sizes of the parts', () => {
  it('LY1: are kept for each view, with a version', () => {
    const storage = storageWith(null);
    createLayout(storage).saveColumns('skills', { left: 20, center: 50, right: 30 });
    createLayout(storage).saveColumns('sessions', { left: 10, center: 60, right: 30 });
    createLayout(storage).saveRows({ main: 70, bottom: 30 });
    const again = createLayout(storage);
    expect(again.columnsOf('skills')).toEqual({ left: 20, center: 50, right: 30 });
    expect(again.columnsOf('sessions')).toEqual({ left: 10, center: 60, right: 30 });
    expect(again.columnsOf('import')).toBeUndefined();
    expect(again.rows()).toEqual({ main: 70, bottom: 30 });
    expect(JSON.parse(storage.kept.value ?? '')).toMatchObject({ version: 2 });
  });

  it.each([
    ['no value', null],
    ['another version', '{"version":1,"columns":{"a":50},"views":{"skills":{"columns":{"a":50}}},"rows":{"a":50}}'],
    ['no JSON', '{'],
    ['no sizes', '{"version":2,"views":{"skills":{"columns":{"a":"50"}}},"rows":{"a":140}}'],
    ['an empty layout', '{"version":2,"views":{"skills":{"columns":{}}}}'],
  ])('LY1: %s means the default sizes', (_what, value) => {
    const layout = createLayout(storageWith(value));
    expect(layout.columnsOf('skills')).toBeUndefined();
    expect(layout.rows()).toBeUndefined();
  });

  it('LY2: a part is put away and comes back as it was', () => {
    const { layout, panels } = mounted({ left: 300, right: 400, bottom: 300 });
    let told = 0;
    layout.subscribe(() => void (told += 1));
    layout.toggle('left');
    expect([...layout.folded()]).toEqual(['left']);
    layout.toggle('left');
    expect(layout.folded().size).toBe(0);
    expect(panels.left.size()).toBe(300);
    expect(told).toBe(2);
  });

  it('LY2: after a reload it comes back in its default size', () => {
    const { layout, panels } = mounted({ left: 300, right: 0, bottom: 300 });
    expect([...layout.folded()]).toEqual(['right']);
    layout.unfold('right');
    expect(panels.right.size()).toBe(400);
    layout.unfold('right');
    expect(panels.right.size()).toBe(400);
  });

  it('LY4: the panel below takes the whole window, and gives it back', () => {
    const { layout, panels } = mounted({ left: 300, right: 400, bottom: 0 });
    layout.enlarge();
    expect(panels.main.size()).toBe(0);
    expect(layout.isEnlarged()).toBe(true);
    expect(layout.folded().size).toBe(0);
    layout.enlarge();
    expect(panels.main.size()).toBe(500);
    expect(layout.isEnlarged()).toBe(false);
  });

  it('LY4: also after a reload', () => {
    const { layout, panels } = mounted({ left: 300, right: 400, bottom: 900 }, 0);
    layout.enlarge();
    expect(panels.main.size()).toBe(MAIN_MIN);
    expect(panels.bottom.size()).toBe(BOTTOM_SIZE.size);
  });

  it('LY3: reset brings all back', () => {
    const { layout, panels } = mounted({ left: 0, right: 500, bottom: 0 });
    layout.reset();
    expect([panels.left.size(), panels.right.size(), panels.bottom.size()]).toEqual([280, 400, BOTTOM_SIZE.size]);
    expect(layout.folded().size).toBe(0);
  });

  it('LY5: the panel below is open or put away in each view as it was left there', () => {
    const { layout, panels, storage } = mounted({ left: 300, right: 400, bottom: 300 });
    layout.enter('sessions', true);
    expect(panels.bottom.size()).toBe(300);
    layout.enter('skills', false);
    expect(panels.bottom.size()).toBe(0);
    layout.toggle('bottom');
    layout.enter('sessions', true);
    layout.toggle('bottom');
    layout.enter('skills', false);
    expect(panels.bottom.size()).toBe(300);
    layout.enter('sessions', true);
    expect(panels.bottom.size()).toBe(0);
    const again = mounted({ left: 300, right: 400, bottom: 300 }, 500, storage);
    expect(again.layout.isFoldedIn('sessions', true)).toBe(true);
    expect(again.layout.isFoldedIn('import', false)).toBe(true);
    again.layout.enter('sessions', true);
    expect(again.panels.bottom.size()).toBe(0);
  });

  it('LY5: what leads from the panel to a view opens it there', () => {
    const { layout, panels } = mounted({ left: 300, right: 400, bottom: 300 });
    layout.enter('skills', false);
    layout.enter('sessions', true);
    layout.openIn('skills');
    layout.enter('skills', false);
    expect(panels.bottom.size()).toBe(300);
  });

  it('LY1: the size of the panel below is not overwritten by having put it away', () => {
    const { layout, storage } = mounted({ left: 300, right: 400, bottom: 300 });
    layout.saveRows({ main: 60, bottom: 40 });
    layout.toggle('bottom');
    layout.saveRows({ main: 97, bottom: 3 });
    expect(createLayout(storage).rows()).toEqual({ main: 60, bottom: 40 });
  });
});
