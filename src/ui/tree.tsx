import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Collection } from 'react-aria-components/Collection';
import { Button, Tree as AriaTree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { useRowHeight } from './density.ts';
import { Icon } from './icon.tsx';
import styles from './tree.module.css';

export type TreeNode = {
  readonly id: string;
  /** What is typed to find the row. */
  readonly text: string;
  /** The accessible name, where it says more than the text. */
  readonly name?: string;
  readonly look: 'group' | 'item' | 'leaf';
  /** Set back: it is there but does not count. */
  readonly isMuted?: boolean;
  readonly children?: readonly TreeNode[];
};

export type TreeHandle = {
  /** Moves the focus into the tree. */
  readonly focus: () => void;
};

export type TreeProps<T extends TreeNode> = {
  readonly label: string;
  readonly nodes: readonly T[];
  readonly expanded: ReadonlySet<string>;
  readonly onExpand: (ids: ReadonlySet<string>) => void;
  readonly selected: string | undefined;
  /** Not called for groups: choosing one opens or closes it. */
  readonly onSelect: (id: string) => void;
  /** What is in a row beside its arrow. */
  readonly renderRow: (node: T) => ReactNode;
  /** Right click, the menu key, or the button at the end of a row. */
  readonly onMenu?: (id: string, row: Element) => void;
  readonly handle?: Ref<TreeHandle>;
};

const rowOf = (element: Element | null): { readonly id: string; readonly row: HTMLElement } | undefined => {
  const row = element?.closest<HTMLElement>('[role=row]');
  const id = row?.dataset['key'];
  return row && id !== undefined ? { id, row } : undefined;
};

/**
 * A node as the tree is given it. Below a closed one only the first is given, by which the tree knows that it can be opened: rows
 * of all that nobody sees would take most of the time.
 */
type Shown<T> = { readonly id: string; readonly node: T; readonly children: readonly Shown<T>[] };

/** The same object for the same closed node: rows whose object is the same are not made again. */
const createShow = <T extends TreeNode>() => {
  const closed = new WeakMap<TreeNode, Shown<T>>();
  const childrenOf = ({ children = [] }: T): readonly T[] => children as readonly T[];
  const showClosed = (node: T): Shown<T> => {
    const shown = closed.get(node) ?? { id: node.id, node, children: childrenOf(node).slice(0, 1).map(showClosed) };
    closed.set(node, shown);
    return shown;
  };
  const show = (node: T, expanded: ReadonlySet<string>): Shown<T> =>
    // A group stays whole: there are few, and taking thousands of rows out and in again would make closing one slow.
    expanded.has(node.id) || node.look === 'group'
      ? { id: node.id, node, children: childrenOf(node).map((child) => show(child, expanded)) }
      : showClosed(node);
  return show;
};

const treeItem = <T extends TreeNode>(
  { node, children }: Shown<T>,
  renderRow: (node: T) => ReactNode,
  openMenu: ((element: Element) => void) | undefined,
): ReactNode => (
  <TreeItem id={node.id} textValue={node.text} aria-label={node.name ?? node.text} className={styles['row'] ?? ''}>
    <TreeItemContent>
      {({ level, hasChildItems }) => (
        <div
          className={styles['line']}
          data-look={node.look}
          data-muted={node.isMuted}
          style={{ paddingLeft: 6 + (level - 1) * 10 }}
        >
          {hasChildItems ? (
            <Button slot="chevron" className={styles['chevron'] ?? ''}>
              <Icon name="chevron-right" />
            </Button>
          ) : (
            <span className={styles['chevron']} />
          )}
          {renderRow(node)}
          {openMenu && node.look !== 'group' && (
            <Button
              className={styles['menu'] ?? ''}
              aria-label={`Actions for ${node.text}`}
              onPress={({ target }) => openMenu(target)}
            >
              <Icon name="more" />
            </Button>
          )}
        </div>
      )}
    </TreeItemContent>
    {node.children && (
      <Collection items={children}>{(child: Shown<T>) => treeItem(child, renderRow, openMenu)}</Collection>
    )}
  </TreeItem>
);

/** For how many frames a list may measure itself before a row is brought into view. */
const MOST_FRAMES = 60;

/** How many rows stand above the one with the id; nothing where it is not shown. */
const rowsAbove = <T extends TreeNode>(
  rows: readonly Shown<T>[],
  id: string,
  expanded: ReadonlySet<string>,
): number | undefined => {
  let above = 0;
  const look = (list: readonly Shown<T>[]): boolean =>
    list.some((row) => {
      if (row.id === id) return true;
      above += 1;
      return expanded.has(row.id) && look(row.children);
    });
  return look(rows) ? above : undefined;
};

/** A tree for thousands of rows; only those in view are in the page. It is a `treegrid` with `row`s. */
export const Tree = <T extends TreeNode>(props: TreeProps<T>) => {
  const { label, nodes, expanded, onExpand, selected, onSelect, renderRow, onMenu, handle } = props;
  const box = useRef<HTMLDivElement>(null);
  const rowSize = useRowHeight();
  const [show] = useState(() => createShow<T>());
  const shown = useMemo(() => nodes.map((node) => show(node, expanded)), [show, nodes, expanded]);

  // A row that was chosen elsewhere comes into view, once: anyone who scrolls away afterwards is left alone.
  const revealed = useRef<string>(undefined);
  useEffect(() => {
    if (selected === undefined || revealed.current === selected) return undefined;
    const tree = box.current?.querySelector('[role=treegrid]');
    const above = rowsAbove(shown, selected, expanded);
    if (!tree || above === undefined) return undefined;
    const top = above * rowSize;
    const isInView = (): boolean => top >= tree.scrollTop && top + rowSize <= tree.scrollTop + tree.clientHeight;
    let frame = 0;
    // Before the list has measured itself it has no height, and cannot be scrolled.
    const reveal = (tries: number): void => {
      if (!isInView()) tree.scrollTop = top - (tree.clientHeight - rowSize) / 2;
      if (isInView() || tries === 0) revealed.current = selected;
      else frame = requestAnimationFrame(() => reveal(tries - 1));
    };
    reveal(MOST_FRAMES);
    return () => cancelAnimationFrame(frame);
  }, [selected, shown, expanded, rowSize]);

  useImperativeHandle(handle, () => ({
    focus: () =>
      (
        box.current?.querySelector<HTMLElement>('[role=row][aria-selected=true]') ??
        box.current?.querySelector<HTMLElement>('[role=row]:has([data-look=item])') ??
        box.current?.querySelector<HTMLElement>('[role=row]')
      )?.focus(),
  }));

  const toggle = (id: string): void => {
    const next = new Set(expanded);
    if (!next.delete(id)) next.add(id);
    onExpand(next);
  };

  const find = (list: readonly TreeNode[], id: string): TreeNode | undefined => {
    for (const node of list) {
      const found = node.id === id ? node : find(node.children ?? [], id);
      if (found) return found;
    }
    return undefined;
  };

  const openMenu = useCallback(
    (element: Element): void => {
      const found = rowOf(element);
      if (found) onMenu?.(found.id, found.row);
    },
    [onMenu],
  );

  const renderItem = useCallback(
    (item: Shown<T>): ReactNode => treeItem(item, renderRow, onMenu && openMenu),
    [renderRow, onMenu, openMenu],
  );

  return (
    <div
      ref={box}
      className={styles['box']}
      role="presentation"
      onContextMenu={(event) => {
        if (!onMenu || !rowOf(event.target as Element)) return;
        event.preventDefault();
        openMenu(event.target as Element);
      }}
    >
      <Virtualizer layout={ListLayout} layoutOptions={{ rowSize }}>
        <AriaTree
          aria-label={label}
          className={styles['tree'] ?? ''}
          items={shown}
          dependencies={[renderItem]}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={selected === undefined ? [] : [selected]}
          onSelectionChange={(keys) => {
            const key = keys === 'all' ? undefined : [...keys][0];
            if (key === undefined) return;
            const node = find(nodes, String(key));
            if (node?.look === 'group') toggle(node.id);
            else if (node) onSelect(node.id);
          }}
          expandedKeys={expanded}
          onExpandedChange={(keys) => onExpand(new Set([...keys].map(String)))}
        >
          {renderItem}
        </AriaTree>
      </Virtualizer>
    </div>
  );
};
