import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './code-pane.module.css';
import type { Editor } from './editor.ts';

export type CodePaneProps = {
  readonly editor: Editor;
  /** Shown until Monaco is there, so that there is something to read immediately. */
  readonly text: string;
  /** Changes with the page's theme. */
  readonly theme: string;
};

const useAttached = (editor: Editor, theme: string) => {
  const place = useRef<HTMLDivElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const parent = place.current;
    let isHere = true;
    const attach = async (): Promise<void> => {
      const owner = await editor.owner();
      if (!isHere || !parent || !owner) return;
      owner.attach(parent);
      setReady(true);
    };
    const detach = async (): Promise<void> => {
      const owner = await editor.owner();
      if (parent && owner?.isIn(parent) === true) owner.detach();
    };
    void attach();
    return () => {
      isHere = false;
      void detach();
    };
  }, [editor]);
  useEffect(() => {
    const show = async (): Promise<void> => (await editor.owner())?.setTheme(theme);
    // After the style sheet has taken the new theme.
    const frame = requestAnimationFrame(() => void show());
    return () => cancelAnimationFrame(frame);
  }, [editor, theme]);
  return { place, isReady };
};

const Place = ({ editor, text, theme }: CodePaneProps) => {
  const { place, isReady } = useAttached(editor, theme);
  return (
    <div className={styles['pane']} ref={place}>
      {!isReady && (
        <pre className={styles['waiting']} aria-hidden="true">
          {text}
        </pre>
      )}
    </div>
  );
};

/** The place where Monaco is. Until it has loaded, the text is there in the same lines. */
export const CodePane = (props: CodePaneProps) => {
  const { editor } = props;
  const { failure } = useSyncExternalStore(editor.subscribe, editor.getView);
  if (failure === undefined) return <Place {...props} />;
  return (
    <EmptyState
      title="Can’t load the code editor"
      actions={<Button onPress={() => void editor.owner()}>Try again</Button>}
    >
      {failure}. The preview works without it, and nothing you typed is lost.
    </EmptyState>
  );
};
