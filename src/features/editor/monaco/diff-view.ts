import { sharedOptions } from './options.ts';
import { monaco } from './setup.ts';

/** Two texts side by side, both read only. Owns its widget and its two models. */
export class DiffView implements Disposable {
  readonly #editor: monaco.editor.IStandaloneDiffEditor;
  readonly #view: monaco.editor.IDiffEditorViewModel;
  readonly #models: readonly monaco.editor.ITextModel[];

  constructor(parent: Element, sides: { readonly left: string; readonly right: string; readonly language: string }) {
    if (!(parent instanceof HTMLElement)) throw new Error('a comparison needs an HTML element');
    this.#editor = monaco.editor.createDiffEditor(parent, {
      ...sharedOptions(),
      readOnly: true,
      // A description is one long line, and what changed is often at its end.
      wordWrap: 'on',
      diffWordWrap: 'on',
      originalEditable: false,
      renderOverviewRuler: false,
      hideUnchangedRegions: { enabled: true },
      renderSideBySideInlineBreakpoint: 560,
      originalAriaLabel: 'Before',
      modifiedAriaLabel: 'After',
      theme: 'lathe',
    });
    const original = monaco.editor.createModel(sides.left, sides.language);
    const modified = monaco.editor.createModel(sides.right, sides.language);
    this.#models = [original, modified];
    for (const model of this.#models)
      model.updateOptions({
        bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
      });
    this.#view = this.#editor.createViewModel({ original, modified });
    this.#editor.setModel(this.#view);
  }

  [Symbol.dispose](): void {
    this.#editor.dispose();
    // It stops comparing; the widget does not see to that, and a comparison whose texts are gone fails.
    this.#view.dispose();
    for (const model of this.#models) model.dispose();
  }
}
