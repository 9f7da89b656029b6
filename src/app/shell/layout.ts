/** The sizes of the columns of each view and of the panel below: remembered, reset, and parts that can be put away. */
import { isObject } from '../../base/json.ts';

export const FOLDABLE = ['left', 'right', 'bottom'] as const;
/** The parts that can be put away; the center is what remains. */
export type Foldable = (typeof FOLDABLE)[number];
export const isFoldable = (part: string): part is Foldable => FOLDABLE.some((name) => name === part);

/** Percent of the window, by part. */
export type Sizes = Readonly<Record<string, number>>;

/** What a mounted part can do; the shell hands it in. */
export interface PanelHandle {
  readonly collapse: () => void;
  readonly expand: () => void;
  readonly isCollapsed: () => boolean;
  readonly resize: (size: number | string) => void;
  readonly getSize: () => { readonly inPixels: number };
}

/** Pixels, or a share of the height. */
export interface PartSize {
  readonly size: number | string;
  readonly minSize: number;
}

/** Of the panel below. Put away, its tabs are left. */
export const BOTTOM_SIZE = { size: '30%', minSize: 120, folded: 34 } as const;
export const MAIN_MIN = 200;

const KEY = 'lathe.layout';
const VERSION = 2;

interface SavedView {
  readonly columns?: Sizes;
  /** Whether the panel below is put away in this view. */
  readonly isPanelFolded?: boolean;
}

interface SavedLayout {
  readonly views: Readonly<Record<string, SavedView>>;
  readonly rows?: Sizes;
}

export interface Layout {
  readonly columnsOf: (view: string) => Sizes | undefined;
  readonly rows: () => Sizes | undefined;
  readonly saveColumns: (view: string, sizes: Sizes) => void;
  readonly saveRows: (sizes: Sizes) => void;
  /** Whether the panel below is put away in a view: as it was left there, else as the view starts. */
  readonly isFoldedIn: (view: string, startsWithPanel: boolean) => boolean;
  /** Another view comes to the front: its panel below is as it was left there. */
  readonly enter: (view: string, startsWithPanel: boolean) => void;
  /** Going to a view from the panel below: it is open there, too. */
  readonly openIn: (view: string) => void;
  /** Called when a part is mounted (with its handle) and unmounted (without). */
  readonly attach: (name: Foldable | 'main', handle: PanelHandle | null, size?: PartSize) => void;
  /** Called when the size of a part has changed, however that came. */
  readonly refresh: () => void;
  readonly folded: () => ReadonlySet<Foldable>;
  /** The panel below has the whole window. */
  readonly isEnlarged: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  readonly toggle: (name: Foldable) => void;
  /** Makes sure that a part can be seen. */
  readonly unfold: (name: Foldable) => void;
  /** Gives the panel below the whole window, or back what it had. */
  readonly enlarge: () => void;
  readonly reset: () => void;
}

const isSizes = (value: unknown): value is Sizes =>
  isObject(value) &&
  Object.values(value).length > 0 &&
  Object.values(value).every((size) => typeof size === 'number' && size >= 0 && size <= 100);

const NOTHING: SavedLayout = { views: {} };

const readView = (value: unknown): SavedView => {
  if (!isObject(value)) return {};
  const { columns, isPanelFolded } = value;
  return { ...(isSizes(columns) && { columns }), ...(typeof isPanelFolded === 'boolean' && { isPanelFolded }) };
};

const read = (storage: Pick<Storage, 'getItem'>): SavedLayout => {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    if (!isObject(value) || value['version'] !== VERSION || !isObject(value['views'])) return NOTHING;
    const { views, rows } = value;
    return {
      views: Object.fromEntries(Object.entries(views as object).map(([id, view]) => [id, readView(view)])),
      ...(isSizes(rows) && { rows }),
    };
  } catch {
    // Blocked or broken storage: the default sizes.
    return NOTHING;
  }
};

interface Attached {
  readonly handle: PanelHandle;
  readonly size: PartSize;
}

export const createLayout = (storage: Pick<Storage, 'getItem' | 'setItem'>): Layout => {
  let saved = read(storage);
  let inFront: string | undefined;
  const parts = new Map<Foldable | 'main', Attached>();
  const listeners = new Set<() => void>();
  let folded: ReadonlySet<Foldable> = new Set();
  let isEnlarged = false;

  const keep = (next: SavedLayout): void => {
    saved = next;
    try {
      storage.setItem(KEY, JSON.stringify({ version: VERSION, ...saved }));
    } catch {
      // As above.
    }
  };
  const keepView = (id: string, view: SavedView): void =>
    keep({ ...saved, views: { ...saved.views, [id]: { ...saved.views[id], ...view } } });

  const refresh = (): void => {
    const now = FOLDABLE.filter((name) => parts.get(name)?.handle.isCollapsed() ?? false);
    const isMainFolded = parts.get('main')?.handle.isCollapsed() ?? isEnlarged;
    if (isMainFolded === isEnlarged && now.length === folded.size && now.every((name) => folded.has(name))) return;
    const isPanelFolded = now.includes('bottom');
    if (inFront !== undefined && parts.has('bottom') && isPanelFolded !== folded.has('bottom'))
      keepView(inFront, { isPanelFolded });
    isEnlarged = isMainFolded;
    folded = new Set(now);
    for (const listener of listeners) listener();
  };

  const bringBack = ({ handle, size }: Attached): void => {
    handle.expand();
    // After a reload nobody knows how large it was.
    if (handle.getSize().inPixels <= size.minSize + 1) handle.resize(size.size);
  };

  const unfold = (name: Foldable): void => {
    const part = parts.get(name);
    if (!part?.handle.isCollapsed()) return;
    bringBack(part);
    refresh();
  };

  const expandMain = (): void => {
    const main = parts.get('main');
    const bottom = parts.get('bottom');
    main?.handle.expand();
    if (main && bottom && main.handle.getSize().inPixels <= MAIN_MIN + 1) bottom.handle.resize(bottom.size.size);
  };

  const foldAsLeft = (): void => {
    const bottom = parts.get('bottom');
    if (!bottom || inFront === undefined) return;
    const isFolded = saved.views[inFront]?.isPanelFolded;
    if (isFolded === true && !bottom.handle.isCollapsed()) bottom.handle.collapse();
    else if (isFolded === false && bottom.handle.isCollapsed()) bringBack(bottom);
  };

  return {
    columnsOf: (view) => saved.views[view]?.columns,
    rows: () => saved.rows,
    saveColumns: (view, columns) => keepView(view, { columns }),
    saveRows: (rows) => {
      // Put away, its size is not a choice of anybody.
      if (!(parts.get('bottom')?.handle.isCollapsed() ?? false)) keep({ ...saved, rows });
    },
    isFoldedIn: (view, startsWithPanel) => saved.views[view]?.isPanelFolded ?? !startsWithPanel,
    openIn: (view) => keepView(view, { isPanelFolded: false }),
    enter: (view, startsWithPanel) => {
      if (view === inFront) return;
      if (isEnlarged) expandMain();
      inFront = view;
      if (saved.views[view]?.isPanelFolded === undefined) keepView(view, { isPanelFolded: !startsWithPanel });
      foldAsLeft();
      refresh();
    },
    attach: (name, handle, size = BOTTOM_SIZE) => {
      if (handle) parts.set(name, { handle, size });
      else parts.delete(name);
    },
    refresh,
    folded: () => folded,
    isEnlarged: () => isEnlarged,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    toggle: (name) => {
      const part = parts.get(name);
      if (!part) return;
      if (part.handle.isCollapsed()) return unfold(name);
      if (name === 'bottom' && isEnlarged) expandMain();
      part.handle.collapse();
      refresh();
    },
    unfold,
    enlarge: () => {
      const main = parts.get('main');
      if (!main) return;
      unfold('bottom');
      if (main.handle.isCollapsed()) expandMain();
      else main.handle.collapse();
      refresh();
    },
    reset: () => {
      if (isEnlarged) expandMain();
      for (const name of FOLDABLE) {
        const part = parts.get(name);
        if (part?.handle.isCollapsed()) part.handle.expand();
        part?.handle.resize(part.size.size);
      }
      refresh();
    },
  };
};
