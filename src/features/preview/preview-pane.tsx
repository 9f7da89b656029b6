import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { baseName, dirName, joinPath } from '../../base/paths.ts';
import { editLibrary, type PreviewContext } from '../../model/preview/edited.ts';
import { Scroll } from '../../ui/panel.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import type { MarkdownActions } from './markdown-view.tsx';
import { NotLoaded } from './not-loaded.tsx';
import styles from './preview-pane.module.css';
import type { PreviewNeeds, PreviewSettings } from './preview-settings.ts';
import { RenderedFace } from './rendered-face.tsx';
import { SeenFace } from './seen-face.tsx';

export type PreviewPaneProps = {
  readonly path: string;
  /** As it is typed; not saved, perhaps. */
  readonly text: string;
  readonly saved: string | undefined;
  readonly needs: PreviewNeeds;
  readonly settings: PreviewSettings;
  readonly onOpen: (path: string) => void;
};

/** The chosen face stays when another file comes to the front. */
let lastFace = 'rendered';

const useActions = ({ path, needs, settings, onOpen }: PreviewPaneProps): MarkdownActions => {
  const { readFile, openSkill } = needs;
  const { loadImage } = settings;
  const folder = dirName(path);
  const onOpenFile = useCallback((target: string) => onOpen(joinPath(folder, target)), [folder, onOpen]);
  const readInFolder = useCallback(async (target: string) => readFile?.(joinPath(folder, target)), [folder, readFile]);
  return useMemo(
    () => ({
      onOpenFile,
      onOpenSkill: openSkill,
      ...(readFile && { readFile: readInFolder }),
      ...(loadImage && { loadImage }),
    }),
    [onOpenFile, openSkill, readFile, readInFolder, loadImage],
  );
};

const SkillFaces = ({
  text,
  context,
  actions,
  settings,
}: PreviewPaneProps & { readonly context: PreviewContext | undefined; readonly actions: MarkdownActions }) => {
  const [face, setFace] = useState(lastFace);
  // The record keeps up with the keys; the numbers may come a moment later.
  const shown = useDeferredValue(text);
  const edited = useMemo(() => context && editLibrary(context, shown), [context, shown]);

  const page = (label: string, content: React.ReactNode) => (
    <Scroll label={label}>
      <div className={styles['page']}>{content}</div>
    </Scroll>
  );
  const loaded = (label: string, content: (library: NonNullable<typeof edited>) => React.ReactNode) =>
    page(label, edited?.name === undefined ? <NotLoaded edited={edited} /> : content(edited));

  const tabs: readonly Tab[] = [
    {
      id: 'rendered',
      label: 'Rendered',
      content: page(
        'Rendered',
        <RenderedFace
          text={shown}
          isSkill
          hasProgram={edited?.item?.skill.metaskill !== undefined}
          actions={actions}
        />,
      ),
    },
    {
      id: 'seen',
      label: 'What the model sees',
      content: loaded('What the model sees', (library) => <SeenFace edited={library} listing={settings.listing} />),
    },
  ];
  return (
    <Tabs
      label="Preview tabs"
      tabs={tabs}
      selected={face}
      onSelect={(id) => {
        lastFace = id;
        setFace(id);
      }}
    />
  );
};

/** A Markdown file as it is read; of a SKILL.md also what the model sees. */
export const PreviewPane = memo((props: PreviewPaneProps) => {
  const { path, text, needs } = props;
  const actions = useActions(props);
  const isSkill = baseName(path) === 'SKILL.md';
  return (
    <section className={styles['preview']} aria-label="Preview">
      {isSkill ? (
        <SkillFaces {...props} context={needs.previewContext(path)} actions={actions} />
      ) : (
        <Scroll label="Rendered">
          <div className={styles['page']}>
            <RenderedFace text={text} isSkill={false} hasProgram={false} actions={actions} />
          </div>
        </Scroll>
      )}
    </section>
  );
});
