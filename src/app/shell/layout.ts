/** The sizes of the regions: remembered, reset, and regions that can be put away. */

export const FOLDABLE = ['library', 'session', 'instruments'] as const;
/** The regions that can be put away; the editor is what remains. */
export type Foldable = (typeof FOLDABLE)[number];
export const isFoldable = (region: string): region is Foldable => FOLDABLE.some((name) => name === region);

/** Per cent of the window, by region. */
export type Sizes = Readonly<Record<string, number>>;

interface SavedLayout {
  readonly columns?: Sizes;
  readonly rows?: Sizes;
}

/** What a mounted panel can do; the shell hands it in. */
export interface PanelHandle {
  readonly collapse: () => void;
  readonly expand: () => void;
  readonly isCollapsed: () => boolean;
  readonly resize: (size: number | string) => void;
  readonly getSize: () => { readonly inPixels: number };
}

/** Pixels, or a share of the height. */
export const DEFAULT_SIZES = { library: 280, session: 400, instruments: '41%' } as const;
export const MIN_SIZES = { library: 180, editor: 280, session: 260, instruments: 120, top: 160 } as const;

const KEY = 'lathe.layout';
const VERSION = 1;

export interface Layout {
  readonly saved: SavedLayout;
  readonly save: (group: 'columns' | 'rows', sizes: Sizes) => void;
  /** Called when a panel is mounted (with its handle) and unmounted (without). */
  readonly attach: (name: Foldable | 'top', handle: PanelHandle | null) => void;
  /** Called when a panel's size has changed, however that came. */
  readonly refresh: () => void;
  readonly folded: () => ReadonlySet<Foldable>;
  /** The instruments have the whole window. */
  readonly isEnlarged: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  readonly toggle: (name: Foldable) => void;
  /** Makes sure that a region can be seen. */
  readonly unfold: (name: Foldable) => void;
  /** Gives the instruments the whole window, or back what they had. */
  readonly enlarge: () => void;
  readonly reset: () => void;
}

const isSizes = (value: unknown): value is Sizes =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).length > 0 &&
  Object.values(value).every((size) => typeof size === 'number' && size >= 0 && size <= 100);

const read = (storage: Pick<Storage, 'getItem'>): SavedLayout => {
  try {
    const value = JSON.parse(storage.getItem(KEY) ?? 'null') as Record<string, unknown> | null;
    if (value?.['version'] !== VERSION) return {};
    const { columns, rows } = value;
    return { ...(isSizes(columns) && { columns }), ...(isSizes(rows) && { rows }) };
  } catch {
    // Blocked or broken storage: the default sizes.
    return {};
  }
};

export const createLayout = (storage: Pick<Storage, 'getItem' | 'setItem'>): Layout => {
  let saved = read(storage);
  const handles = new Map<Foldable | 'top', PanelHandle>();
  const listeners = new Set<() => void>();
  let folded: ReadonlySet<Foldable> = new Set();
  let isEnlarged = false;

  const refresh = (): void => {
    const now = FOLDABLE.filter((name) => handles.get(name)?.isCollapsed() ?? folded.has(name));
    const isTopFolded = handles.get('top')?.isCollapsed() ?? isEnlarged;
    if (isTopFolded === isEnlarged && now.length === folded.size && now.every((name) => folded.has(name))) return;
    isEnlarged = isTopFolded;
    folded = new Set(now);
    for (const listener of listeners) listener();
  };

  const unfold = (name: Foldable): void => {
    const handle = handles.get(name);
    if (!handle?.isCollapsed()) return;
    handle.expand();
    // After a reload nobody knows how large it was.
    if (handle.getSize().inPixels <= MIN_SIZES[name] + 1) handle.resize(DEFAULT_SIZES[name]);
    refresh();
  };

  /** The three regions above the instruments. */
  const expandTop = (): void => {
    const top = handles.get('top');
    top?.expand();
    if (top && top.getSize().inPixels <= MIN_SIZES.top + 1)
      handles.get('instruments')?.resize(DEFAULT_SIZES.instruments);
  };

  return {
    get saved() {
      return saved;
    },
    save: (group, sizes) => {
      saved = { ...saved, [group]: sizes };
      try {
        storage.setItem(KEY, JSON.stringify({ version: VERSION, ...saved }));
      } catch {
        // As above.
      }
    },
    attach: (name, handle) => {
      if (handle) handles.set(name, handle);
      else handles.delete(name);
    },
    refresh,
    folded: () => folded,
    isEnlarged: () => isEnlarged,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    toggle: (name) => {
      const handle = handles.get(name);
      if (!handle) return;
      if (handle.isCollapsed()) return unfold(name);
      handle.collapse();
      refresh();
    },
    unfold,
    enlarge: () => {
      const top = handles.get('top');
      if (!top) return;
      unfold('instruments');
      if (top.isCollapsed()) expandTop();
      else top.collapse();
      refresh();
    },
    reset: () => {
      if (handles.get('top')?.isCollapsed()) expandTop();
      for (const name of FOLDABLE) {
        const handle = handles.get(name);
        if (handle?.isCollapsed()) handle.expand();
        handle?.resize(DEFAULT_SIZES[name]);
      }
      refresh();
    },
  };
};
