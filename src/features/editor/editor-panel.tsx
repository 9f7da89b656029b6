import { type KeyboardEvent, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import type { PreviewSettings } from '../preview/preview-settings.ts';
import { CodePane } from './code-pane.tsx';
import { ComparePane } from './compare-pane.tsx';
import { DocumentTabs } from './document-tabs.tsx';
import styles from './editor-panel.module.css';
import { type Editor, type EditorMode, type EditorView, MODES } from './editor.ts';
import { isDirty, isMarkdown, isProgram, isSkillFile, type DocumentView, type OpenText } from './needs.ts';
import { ImageView } from './image-view.tsx';
import { Notices } from './notices.tsx';
import { hasSafeFix, StatusLine } from './status-line.tsx';

// The preview needs the model and Markdown; the shell does not wait for them.
const loadPreview = () => import('../preview/preview-pane.tsx');
const PreviewPane = lazy(async () => ({ default: (await loadPreview()).PreviewPane }));
// It is the first that a newcomer sees: on its way while the folder is read, in a task of its own. What goes wrong is told where it
// is shown.
setTimeout(() => void loadPreview().catch(() => {}));

const PANEL_ID = 'editor-file';
const MODE_LABELS: Readonly<Record<EditorMode, string>> = { preview: 'Preview', edit: 'Edit', split: 'Split' };

const useEditor = (editor: Editor) => {
  const documents = useSyncExternalStore(editor.needs.subscribe, () => editor.needs.getState().documents);
  const active = useSyncExternalStore(editor.needs.subscribe, () => editor.needs.getState().active);
  const view = useSyncExternalStore(editor.subscribe, editor.getView);
  return { documents, active, document: documents.find(({ path }) => path === active), view };
};

const isMac = (): boolean => /Mac|iP(?:hone|ad)/.test(navigator.userAgent);

/** The keys of the editor. Ctrl-Tab reaches a page only where it runs in a window of its own; Alt-PageDown always does. */
const onEditorKey = (editor: Editor, event: KeyboardEvent): void => {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = event;
  const mod = isMac() ? metaKey : ctrlKey;
  const is = (wanted: boolean, run: () => void): boolean => {
    if (!wanted) return false;
    event.preventDefault();
    event.stopPropagation();
    run();
    return true;
  };
  if (is(mod && !altKey && !shiftKey && key.toLowerCase() === 's', () => void editor.save())) return;
  if (is(altKey && !ctrlKey && !metaKey && code === 'KeyW', () => editor.close())) return;
  if (is(ctrlKey && key === 'Tab', () => editor.step(shiftKey ? -1 : 1))) return;
  if (is(altKey && !ctrlKey && key === 'PageDown', () => editor.step(1))) return;
  if (is(altKey && !ctrlKey && key === 'PageUp', () => editor.step(-1))) return;
  is(altKey && shiftKey && !ctrlKey && code === 'KeyV', () => editor.setMode(nextMode(editor.getView().mode)));
};

const nextMode = (mode: EditorMode): EditorMode => MODES[(MODES.indexOf(mode) + 1) % MODES.length] ?? 'edit';

const moreEntries = (editor: Editor, document: OpenText, view: EditorView): readonly MenuEntry[] => {
  const { path } = document;
  const isCode = view.mode !== 'preview' || !isMarkdown(path);
  return [
    { id: 'save', label: 'Save', keys: [isMac() ? '⌘' : 'Ctrl', 'S'], onAction: () => void editor.save() },
    {
      id: 'compare',
      label: 'Compare with disk',
      onAction: editor.compareWithDisk,
      ...(!isDirty(document) && { disabledReason: 'The file is the same on disk.' }),
    },
    {
      id: 'fix-all',
      label: 'Fix all safe problems',
      onAction: () => void editor.fixAll(),
      ...(!hasSafeFix(view.checked.get(path)) && { disabledReason: 'No problem has a safe fix.' }),
    },
    ...(isProgram(path)
      ? [
          { id: 'format', label: 'Format', onAction: () => void editor.format() },
          { id: 'definition', label: 'Go to definition', keys: ['F12'], onAction: () => void editor.goToDefinition() },
        ]
      : []),
    ...((isSkillFile(path) || isProgram(path)) && isCode
      ? [{ id: 'outline', label: 'Outline', keys: ['Ctrl', 'Shift', 'O'], onAction: () => void editor.showOutline() }]
      : []),
    { id: 'close', label: 'Close', keys: ['Alt', 'W'], onAction: () => editor.close(path) },
  ];
};

export type EditorHeadProps = {
  readonly editor: Editor;
  /** Buttons of others, such as the debugger's, before our own. */
  readonly actions?: ReactNode;
  /** Stands at the very end. */
  readonly end?: ReactNode;
};

/** The tabs of the open files and what can be done with the one in front. Serves as the head of the region. */
export const EditorHead = ({ editor, actions, end }: EditorHeadProps) => {
  const { documents, active, document, view } = useEditor(editor);
  const { needs } = editor;
  return (
    <div className={styles['head']} role="presentation" onKeyDownCapture={(event) => onEditorKey(editor, event)}>
      {documents.length === 0 ? (
        <h2 className={styles['title']}>Editor</h2>
      ) : (
        <DocumentTabs
          documents={documents}
          active={active}
          onActivate={needs.open}
          onClose={(path) => editor.close(path)}
          panelId={PANEL_ID}
        />
      )}
      <div
        className={styles['actions']}
        role="presentation"
        // Monaco takes a third of a second to start: that begins when somebody is about to ask for it, never by itself.
        onPointerEnter={() => void editor.owner()}
        onFocus={() => void editor.owner()}
      >
        {actions}
        {document?.kind === 'text' && isDirty(document) && document.readOnly === undefined && (
          <Button look="primary" tip={`${isMac() ? '⌘' : 'Ctrl+'}S`} onPress={() => void editor.save()}>
            Save
          </Button>
        )}
        {document?.kind === 'text' && isMarkdown(document.path) && (
          <div className={styles['modes']} role="group" aria-label="View">
            {MODES.map((mode) => (
              <ToggleChip key={mode} isOn={view.mode === mode} onChange={() => editor.setMode(mode)}>
                {MODE_LABELS[mode]}
              </ToggleChip>
            ))}
          </div>
        )}
        {document?.kind === 'text' && isProgram(document.path) && needs.runMetaskill && (
          <Button look="primary" onPress={editor.runMetaskill} disabledReason={needs.runObjection?.(document.path)}>
            Run metaskill
          </Button>
        )}
        {document?.kind === 'text' && (
          <MenuButton label="File actions" groups={[{ entries: moreEntries(editor, document, view) }]}>
            <IconButton label="File actions" icon="more" />
          </MenuButton>
        )}
        {end}
      </div>
    </div>
  );
};

export type EditorBodyProps = {
  readonly editor: Editor;
  /** Changes whenever the page's theme does: `light`, `dark`, `contrast`, `system`. */
  readonly theme: string;
  readonly preview: PreviewSettings;
};

const waiting = <div className={styles['waiting']} role="status" aria-label="Rendering preview" />;

const TextBody = ({
  editor,
  document,
  view,
  theme,
  preview,
}: EditorBodyProps & { readonly document: OpenText; readonly view: EditorView }) => {
  const { path } = document;
  const mode = isMarkdown(path) ? view.mode : 'edit';
  const checked = view.checked.get(path);
  if (view.compare?.path === path) return <ComparePane editor={editor} document={document} compare={view.compare} />;
  return (
    <div className={styles['panes']} data-mode={mode}>
      {mode !== 'preview' && (
        <div className={styles['code']}>
          <CodePane editor={editor} text={document.text} theme={theme} />
        </div>
      )}
      {mode !== 'edit' && (
        <div className={styles['preview']}>
          <Suspense fallback={waiting}>
            <PreviewPane
              key={path}
              path={path}
              // What was typed last is shown once the hands rest.
              text={checked?.text ?? document.text}
              saved={document.saved}
              needs={editor.needs}
              settings={preview}
              onOpen={editor.open}
            />
          </Suspense>
        </div>
      )}
    </div>
  );
};

const FileBody = (props: EditorBodyProps & { readonly document: DocumentView; readonly view: EditorView }) => {
  const { editor, document, view } = props;
  switch (document.kind) {
    case 'text':
      return (
        <>
          <Notices editor={editor} document={document} />
          <TextBody {...props} document={document} />
          <StatusLine
            document={document}
            checked={view.checked.get(document.path)}
            onFixAll={() => void editor.fixAll(document.path)}
          />
        </>
      );
    case 'image':
      return <ImageView key={document.path} image={document} />;
    case 'refused':
      return <EmptyState title="Can’t show this file">{document.reason}</EmptyState>;
    case 'loading':
      return <div className={styles['waiting']} role="status" aria-label={`Reading ${document.path}`} />;
  }
};

/** The file in front: as a preview, as code, or both. */
export const EditorBody = (props: EditorBodyProps) => {
  const { editor } = props;
  const { document, view } = useEditor(editor);
  return (
    <div
      id={PANEL_ID}
      className={styles['body']}
      {...(document ? { role: 'tabpanel', 'aria-label': document.path } : { role: 'presentation' })}
      onKeyDownCapture={(event) => onEditorKey(editor, event)}
    >
      {document ? (
        <FileBody {...props} document={document} view={view} />
      ) : (
        <EmptyState title="No open file">Select a skill in the Library to view its files.</EmptyState>
      )}
    </div>
  );
};

export type EditorPanelProps = EditorBodyProps & Pick<EditorHeadProps, 'actions' | 'end'>;

/** Head and body, for a place that has no head of its own. */
export const EditorPanel = ({ actions, end, ...body }: EditorPanelProps) => (
  <div className={styles['panel']}>
    <EditorHead editor={body.editor} actions={actions} end={end} />
    <EditorBody {...body} />
  </div>
);
