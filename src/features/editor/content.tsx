import { type ReactNode, useSyncExternalStore } from 'react';
import { EditorBody, type EditorBodyProps, EditorHead } from './editor-panel.tsx';

interface Needs extends Pick<EditorBodyProps, 'editor' | 'preview'> {
  readonly theme: {
    readonly subscribe: (listener: () => void) => () => void;
    readonly get: () => EditorBodyProps['theme'];
  };
}

const Content = ({ editor, theme, preview }: Needs) => (
  <EditorBody editor={editor} theme={useSyncExternalStore(theme.subscribe, theme.get)} preview={preview} />
);

const Head = ({ editor, end }: Pick<Needs, 'editor'> & { readonly end: ReactNode }) => (
  <EditorHead editor={editor} end={end} />
);

export const editorContent = { Content, Head };
