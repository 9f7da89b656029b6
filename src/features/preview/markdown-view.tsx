import { createElement, memo, startTransition, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Components } from 'react-markdown';
import { plural } from '../../base/text.ts';
import { countNodes, type MarkdownNode } from '../../model/preview/markdown-nodes.ts';
import { SKILL_URL } from '../../model/preview/skill-links.ts';
import { linkTarget } from '../../model/skill/language/links.ts';
import { markdownReader } from '../../platform/worker/markdown-browser.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Scroll } from '../../ui/panel.tsx';
import { LocalPicture, RemotePicture } from './markdown-pictures.tsx';
import { markdownPieces } from './markdown-blocks.ts';
import styles from './markdown-view.module.css';

export interface MarkdownActions {
  /** A path inside the folder that the text belongs to; without it such links are plain text. */
  readonly onOpenFile?: (path: string) => void;
  readonly onOpenSkill?: (name: string) => void;
  readonly readFile?: (path: string) => Promise<Uint8Array | undefined>;
  readonly loadImage?: (url: string) => Promise<Blob>;
}

export type MarkdownViewProps = MarkdownActions & {
  readonly text: string;
};

const hostOf = (url: string): string => {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
};

const elements = (
  { onOpenFile, onOpenSkill, readFile, loadImage }: MarkdownActions,
  onLeave: (url: string) => void,
): Components => {
  const link: Components['a'] = ({ href = '', children }) => {
    if (href.startsWith(SKILL_URL)) {
      const name = decodeURIComponent(href.slice(SKILL_URL.length));
      return onOpenSkill ? (
        <button type="button" className={styles['link']} onClick={() => onOpenSkill(name)}>
          {children}
        </button>
      ) : (
        <span>{children}</span>
      );
    }
    const target = linkTarget(href);
    if (target?.kind === 'file' && onOpenFile) {
      return (
        <button type="button" className={styles['link']} title={target.path} onClick={() => onOpenFile(target.path)}>
          {children}
        </button>
      );
    }
    if (target?.kind !== 'address') return <span>{children}</span>;
    return (
      <a
        href={target.url}
        title={target.url}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          event.preventDefault();
          onLeave(target.url);
        }}
      >
        {children}
      </a>
    );
  };
  return {
    // The page has headings of its own above these.
    h1: ({ children }) => <h3 className={styles['h1']}>{children}</h3>,
    h2: ({ children }) => <h4 className={styles['h2']}>{children}</h4>,
    h3: ({ children }) => <h5 className={styles['h3']}>{children}</h5>,
    h4: ({ children }) => <h6 className={styles['h3']}>{children}</h6>,
    h5: ({ children }) => <h6 className={styles['h3']}>{children}</h6>,
    a: link,
    img: ({ src, alt = '' }) => {
      const target = typeof src === 'string' ? linkTarget(src) : undefined;
      if (target?.kind === 'address') return <RemotePicture url={target.url} alt={alt} load={loadImage} />;
      return target?.kind === 'file' && readFile ? (
        <LocalPicture path={target.path} alt={alt} read={readFile} />
      ) : (
        <span>{alt}</span>
      );
    },
    pre: ({ children }) => (
      <div className={styles['code']}>
        <CodeText block="Code">{children}</CodeText>
      </div>
    ),
    table: ({ children }) => (
      <div className={styles['table']}>
        <Scroll label="Table">
          <table>{children}</table>
        </Scroll>
      </div>
    ),
    input: ({ checked, type }) =>
      type === 'checkbox' ? (
        <span aria-label={checked === true ? 'done' : 'to do'} role="img">
          {checked === true ? '☑' : '☐'}
        </span>
      ) : null,
  };
};

type Drawn = Readonly<Partial<Record<string, Components[keyof Components]>>>;

const draw = (nodes: readonly MarkdownNode[], components: Drawn): readonly ReactNode[] =>
  nodes.map((node, index) =>
    typeof node === 'string'
      ? node
      : createElement(
          // Names of elements come from our own reader: Markdown has about thirty, and HTML in it is text.
          (components[node.tag] ?? node.tag) as string,
          { ...node.props, key: index },
          ...draw(node.children, components),
        ),
  );

const Block = memo(({ nodes, components }: { readonly nodes: readonly MarkdownNode[]; readonly components: Drawn }) => (
  <>{draw(nodes, components)}</>
));

interface Shown {
  readonly text: string;
  /** Nothing for a piece that stays unrendered. */
  readonly nodes: readonly MarkdownNode[] | undefined;
}

/** Elements of one view. */
const MOST_NODES = 12_000;
/** Elements that are drawn in one go. */
const AT_ONCE = 1500;

const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    // A page in the background has no frames, and nobody who waits for one.
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Reads the pieces one after the other, and shows them as they come; what was in their places stays until then. */
const readPieces = async (
  text: string,
  signal: AbortSignal,
  show: (shown: readonly Shown[], isAll: boolean) => void,
): Promise<void> => {
  const done: Shown[] = [];
  let [count, isNew] = [0, 0];
  for (const piece of markdownPieces(text)) {
    const read = piece.isLeftOut || count > MOST_NODES ? undefined : await markdownReader().read(piece.text, signal);
    if (signal.aborted) return;
    const size = read ? countNodes(read) : 0;
    count += size;
    isNew += size;
    const nodes = count > MOST_NODES ? undefined : read;
    const before = done.at(-1);
    // One sentence for neighbors that are left out.
    if (!nodes && before && !before.nodes) done[done.length - 1] = { text: before.text + piece.text, nodes };
    else done.push({ text: piece.text, nodes });
    if (isNew < AT_ONCE) continue;
    isNew = 0;
    show([...done], false);
    await nextFrame();
    if (signal.aborted) return;
  }
  show(done, true);
};

const useShown = (text: string): readonly Shown[] => {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    void readPieces(text, stop.signal, (next, isAll) =>
      startTransition(() => setShown((before) => (isAll ? next : [...next, ...before.slice(next.length)]))),
    );
    return () => stop.abort();
  }, [text]);
  return shown;
};

/**
 * Markdown from anywhere: no HTML, no script, no image from outside unless somebody asks for it. A link out says where
 * it goes before it goes there.
 */
export const MarkdownView = ({ text, onOpenFile, onOpenSkill, readFile, loadImage }: MarkdownViewProps) => {
  const [leaving, setLeaving] = useState<string>();
  const components = useMemo(
    () =>
      elements(
        {
          ...(onOpenFile && { onOpenFile }),
          ...(onOpenSkill && { onOpenSkill }),
          ...(readFile && { readFile }),
          ...(loadImage && { loadImage }),
        },
        setLeaving,
      ),
    [onOpenFile, onOpenSkill, readFile, loadImage],
  );
  const shown = useShown(text);
  const close = (): void => setLeaving(undefined);
  return (
    <div className={styles['view']}>
      {shown.map((piece, index) =>
        piece.nodes ? (
          // oxlint-disable-next-line react/no-array-index-key -- a piece keeps its place while another one is typed in
          <Block key={index} nodes={piece.nodes} components={components} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <p key={index}>
            {plural(piece.text.length, 'character')} not rendered because this part is too large or complex.
          </p>
        ),
      )}
      <Dialog
        title={`Open ${hostOf(leaving ?? '')}?`}
        isOpen={leaving !== undefined}
        onClose={close}
        size="small"
        footer={
          <>
            <Button onPress={close}>Stay here</Button>
            <Button
              look="primary"
              onPress={() => {
                window.open(leaving, '_blank', 'noopener,noreferrer');
                close();
              }}
            >
              Open in a new tab
            </Button>
          </>
        }
      >
        <p>This link leaves Lathe. The skill provides its URL:</p>
        <p className={styles['address']}>{leaving}</p>
      </Dialog>
    </div>
  );
};
