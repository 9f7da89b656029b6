import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import styles from './compare-pane.module.css';
import type { CompareSide, Editor, EditorView } from './editor.ts';
import type { OpenText } from './needs.ts';

const LABELS: Readonly<Record<CompareSide, string>> = {
  base: 'Before both changes',
  disk: 'On disk',
  mine: 'Yours',
};

const textOf = (document: OpenText, side: CompareSide): string => {
  if (side === 'mine') return document.text;
  if (side === 'base') return document.conflict?.base ?? document.saved ?? '';
  return document.conflict?.disk ?? document.saved ?? '';
};

export type ComparePaneProps = {
  readonly editor: Editor;
  readonly document: OpenText;
  readonly compare: NonNullable<EditorView['compare']>;
};

/** Two versions of a file, side by side. */
export const ComparePane = ({ editor, document, compare }: ComparePaneProps) => {
  const place = useRef<HTMLDivElement>(null);
  const { path } = document;
  const [left, right] = [textOf(document, compare.left), textOf(document, compare.right)];

  useEffect(() => {
    const parent = place.current;
    let view: Disposable | undefined;
    let isHere = true;
    const show = async (): Promise<void> => {
      const owner = await editor.owner();
      if (isHere && parent && owner) view = owner.compare(parent, { path, left, right });
    };
    void show();
    return () => {
      isHere = false;
      view?.[Symbol.dispose]();
    };
  }, [editor, path, left, right]);

  const sides: readonly CompareSide[] = document.conflict ? ['base', 'disk', 'mine'] : ['disk', 'mine'];
  const options = sides.map((value) => ({ value, label: LABELS[value] }));
  return (
    <div className={styles['compare']} role="group" aria-label={`Comparison of ${path}`}>
      <div className={styles['head']}>
        {document.conflict ? (
          <>
            <Choice
              label="Left"
              options={options}
              value={compare.left}
              onChange={(side) => editor.setCompare({ ...compare, left: side })}
            />
            <Choice
              label="Right"
              options={options}
              value={compare.right}
              onChange={(side) => editor.setCompare({ ...compare, right: side })}
            />
          </>
        ) : (
          <p className={styles['sides']}>
            Left: {LABELS[compare.left].toLowerCase()} · Right: {LABELS[compare.right].toLowerCase()}
            {left === right && '. They are the same.'}
          </p>
        )}
        <Button onPress={() => editor.setCompare(undefined)}>Close comparison</Button>
      </div>
      <div className={styles['place']} ref={place} />
    </div>
  );
};
