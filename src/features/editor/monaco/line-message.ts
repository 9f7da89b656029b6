import styles from './breakpoints.module.css';
import type { CurrentLine } from './breakpoints.ts';
import type { monaco } from './setup.ts';

/** One line of words below a line of the program: what is being waited for, or why the run ended there. */
export class LineMessage {
  readonly #editor: monaco.editor.ICodeEditor;
  #shown: { readonly id: string; readonly line: number; readonly node: HTMLElement } | undefined;

  constructor(editor: monaco.editor.ICodeEditor) {
    this.#editor = editor;
  }

  show(current: CurrentLine | undefined): void {
    const message = current?.message;
    const known = this.#shown;
    if (message !== undefined && known && known.line === current?.line) {
      known.node.textContent = message;
      known.node.dataset['tone'] = current.tone ?? 'now';
      return;
    }
    if (message === undefined && !known) return;
    this.#editor.changeViewZones((zones) => {
      if (known) zones.removeZone(known.id);
      this.#shown = undefined;
      if (message === undefined || !current) return;
      const node = document.createElement('div');
      node.className = styles['zone'] ?? '';
      node.dataset['tone'] = current.tone ?? 'now';
      node.textContent = message;
      const id = zones.addZone({ afterLineNumber: current.line, heightInPx: 24, domNode: node });
      this.#shown = { id, line: current.line, node };
    });
  }

  /** Another text came to the front, and took the space with it. */
  forget(): void {
    this.#shown = undefined;
  }
}
