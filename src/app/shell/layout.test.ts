import { describe, expect, it } from 'vitest';
import { createLayout, type Foldable, type PanelHandle } from './layout.ts';

const storageWith = (value: string | null) => {
  const kept = { value };
  return { kept, getItem: () => kept.value, setItem: (_key: string, next: string) => void (kept.value = next) };
};

/** A panel as the library has it: what it was before it collapsed is what expand brings back. */
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

const mounted = (sizes: Record<Foldable, number>, top = 500) => {
  const layout = createLayout(storageWith(null));
  const panels = {
    library: panel(sizes.library, 180),
    session: panel(sizes.session, 260),
    instruments: panel(sizes.instruments, 120),
    top: panel(top, 160),
  };
  for (const name of ['library', 'session', 'instruments', 'top'] as const) layout.attach(name, panels[name]);
  layout.refresh();
  return { layout, panels };
};

describe('the sizes of the regions', () => {
  it('LY1: are kept, with a version', () => {
    const storage = storageWith(null);
    createLayout(storage).save('columns', { library: 20, editor: 50, session: 30 });
    expect(JSON.parse(storage.kept.value ?? '')).toEqual({
      version: 1,
      columns: { library: 20, editor: 50, session: 30 },
    });
    expect(createLayout(storage).saved).toEqual({ columns: { library: 20, editor: 50, session: 30 } });
  });

  it.each([
    ['no value', null],
    ['another version', '{"version":2,"columns":{"a":50}}'],
    ['no JSON', '{'],
    ['no sizes', '{"version":1,"columns":{"a":"50"},"rows":{"a":140}}'],
    ['an empty layout', '{"version":1,"columns":{}}'],
  ])('LY1: %s means the default sizes', (_what, value) => {
    expect(createLayout(storageWith(value)).saved).toEqual({});
  });

  it('LY2: a region is put away and comes back as it was', () => {
    const { layout, panels } = mounted({ library: 300, session: 400, instruments: 300 });
    let told = 0;
    layout.subscribe(() => void (told += 1));
    layout.toggle('library');
    expect([...layout.folded()]).toEqual(['library']);
    layout.toggle('library');
    expect(layout.folded().size).toBe(0);
    expect(panels.library.size()).toBe(300);
    expect(told).toBe(2);
  });

  it('LY2: after a reload it comes back in its default size', () => {
    const { layout, panels } = mounted({ library: 300, session: 0, instruments: 300 });
    expect([...layout.folded()]).toEqual(['session']);
    layout.unfold('session');
    expect(panels.session.size()).toBe(400);
    layout.unfold('session');
    expect(panels.session.size()).toBe(400);
  });

  it('LY4: the instruments take the whole window, and give it back', () => {
    const { layout, panels } = mounted({ library: 300, session: 400, instruments: 0 });
    layout.enlarge();
    expect(panels.top.size()).toBe(0);
    expect(layout.isEnlarged()).toBe(true);
    expect(layout.folded().size).toBe(0);
    layout.enlarge();
    expect(panels.top.size()).toBe(500);
    expect(layout.isEnlarged()).toBe(false);
  });

  it('LY4: also after a reload', () => {
    const { layout, panels } = mounted({ library: 300, session: 400, instruments: 900 }, 0);
    layout.enlarge();
    expect(panels.top.size()).toBe(160);
    expect(panels.instruments.size()).toBe('41%');
  });

  it('LY3: reset brings all back', () => {
    const { layout, panels } = mounted({ library: 0, session: 500, instruments: 0 });
    layout.reset();
    expect([panels.library.size(), panels.session.size(), panels.instruments.size()]).toEqual([280, 400, '41%']);
    expect(layout.folded().size).toBe(0);
  });
});
