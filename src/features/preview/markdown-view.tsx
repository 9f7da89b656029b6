import { memo, useMemo, useState } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { plural } from '../../base/text.ts';
import { linkTarget } from '../../model/skill/language/links.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Scroll } from '../../ui/panel.tsx';
import { LocalPicture, RemotePicture } from './markdown-pictures.tsx';
import { markdownPieces, remarkSkillLinks, SKILL_URL } from './markdown-blocks.ts';
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

/** Ours go through; everything else is made safe by `linkTarget`, which knows three kinds and drops the rest. */
const keepUrl = (url: string): string => url;

const Block = memo(({ text, components }: { readonly text: string; readonly components: Components }) => (
  <Markdown remarkPlugins={[remarkGfm, remarkSkillLinks]} components={components} urlTransform={keepUrl}>
    {text}
  </Markdown>
));

/**
 * Markdown from anywhere: no HTML, no script, no picture from outside unless somebody asks for it. A link out says where
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
  const pieces = useMemo(() => markdownPieces(text), [text]);
  const close = (): void => setLeaving(undefined);
  return (
    <div className={styles['view']}>
      {pieces.map((piece, index) =>
        piece.isLeftOut ? (
          // oxlint-disable-next-line react/no-array-index-key -- a piece keeps its place while another one is typed in
          <p key={index}>{plural(piece.text.length, 'character')} not rendered. This part is too large or complex.</p>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <Block key={index} text={piece.text} components={components} />
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
        <p>This link leaves Lathe. Its address is part of the skill, not ours:</p>
        <p className={styles['address']}>{leaving}</p>
      </Dialog>
    </div>
  );
};
