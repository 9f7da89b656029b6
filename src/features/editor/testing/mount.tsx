import { render } from 'vitest-browser-react';
import '../../../ui/base.css';
import { createEditor, type Editor, type EditorMode } from '../editor.ts';
import { EditorPanel } from '../editor-panel.tsx';
import { monaco } from '../monaco/setup.ts';
import type { PreviewSettings } from '../../preview/preview-settings.ts';
import { createMemoryNeeds, type MemoryNeeds, type MemoryNeedsOptions } from './memory-needs.ts';
import { FILES } from './samples.ts';

export interface Mounted extends Disposable {
  readonly needs: MemoryNeeds;
  readonly editor: Editor;
}

export interface MountOptions extends Partial<MemoryNeedsOptions> {
  readonly mode?: EditorMode;
  readonly preview?: PreviewSettings;
  readonly theme?: string;
  readonly width?: number;
}

/** The panel in a page, over files in memory. */
export const mount = async ({
  mode = 'edit',
  preview = {},
  theme = 'light',
  width = 1000,
  ...options
}: MountOptions): Promise<Mounted> => {
  const needs = await createMemoryNeeds({ files: FILES, ...options });
  const editor = createEditor({ needs });
  editor.setMode(mode);
  document.documentElement.dataset['theme'] = theme;
  const view = await render(
    <div style={{ display: 'flex', width, height: 640 }}>
      <EditorPanel editor={editor} theme={theme} preview={preview} />
    </div>,
  );
  return {
    needs,
    editor,
    [Symbol.dispose]: () => {
      void view.unmount();
      editor[Symbol.dispose]();
    },
  };
};

/** The widget that is on the page. */
export const widget = (): monaco.editor.ICodeEditor => {
  const found = monaco.editor
    .getEditors()
    .find((one) => one.getDomNode()?.isConnected === true && one.getModel() !== null);
  if (!found) throw new Error('no editor is shown');
  return found;
};

export const markersOf = (path: string): readonly monaco.editor.IMarker[] =>
  monaco.editor.getModelMarkers({}).filter(({ resource }) => resource.path === `/${path}`);

/** Puts the cursor after the first occurrence of a text. */
export const goBehind = (text: string): monaco.Position => {
  const model = widget().getModel();
  const at = model?.getValue().indexOf(text) ?? -1;
  if (!model || at === -1) throw new Error(`${text} is not there`);
  const position = model.getPositionAt(at + text.length);
  widget().setPosition(position);
  widget().focus();
  return position;
};
