/** Breakpoints of one program: dots in the margin that move with their lines, and the line that is being executed. */
import { monaco } from './setup.ts';
import styles from './breakpoints.module.css';

export interface CurrentLine {
  readonly line: number;
  /** Shown after the line, such as the values of its names. */
  readonly note?: string;
  /** `past`: it is looked at again; `failed`: the run ended there. */
  readonly tone?: 'now' | 'past' | 'failed';
  /** Behind other lines. */
  readonly values?: readonly { readonly line: number; readonly text: string }[];
  /** Below the line, in a space of its own. */
  readonly message?: string;
}

const CLASSES = { now: 'current', past: 'past', failed: 'failed' } as const;

export class Breakpoints implements Disposable {
  readonly #model: monaco.editor.ITextModel;
  #dots: string[] = [];
  #current: string[] = [];

  constructor(model: monaco.editor.ITextModel) {
    this.#model = model;
  }

  set(lines: readonly number[]): void {
    if (this.lines().join() === lines.join()) return;
    const last = this.#model.getLineCount();
    this.#dots = this.#model.deltaDecorations(
      this.#dots,
      lines
        .filter((line) => line >= 1 && line <= last)
        .map((line) => ({
          range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
          options: {
            isWholeLine: true,
            stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
            glyphMarginClassName: styles['dot'] ?? '',
            glyphMarginHoverMessage: { value: 'Breakpoint. Select it or press F9 to remove it.' },
            overviewRuler: { color: { id: 'editorError.foreground' }, position: monaco.editor.OverviewRulerLane.Left },
          },
        })),
    );
  }

  /** Where they are now, after whatever was typed. */
  lines(): readonly number[] {
    const lines = this.#dots.flatMap((id) => this.#model.getDecorationRange(id)?.startLineNumber ?? []);
    return [...new Set(lines)].toSorted((a, b) => a - b);
  }

  show(current: CurrentLine | undefined): void {
    const line = current && Math.min(Math.max(1, current.line), this.#model.getLineCount());
    const last = this.#model.getLineCount();
    const values = (current?.values ?? []).filter((value) => value.line >= 1 && value.line <= last);
    this.#current = this.#model.deltaDecorations(
      this.#current,
      line === undefined
        ? []
        : [
            ...values.map((value) => ({
              range: {
                startLineNumber: value.line,
                startColumn: this.#model.getLineMaxColumn(value.line),
                endLineNumber: value.line,
                endColumn: this.#model.getLineMaxColumn(value.line),
              },
              options: {
                after: { content: value.text, inlineClassName: styles['value'] ?? '' },
                showIfCollapsed: true,
              },
            })),
            {
              range: {
                startLineNumber: line,
                startColumn: 1,
                endLineNumber: line,
                endColumn: this.#model.getLineMaxColumn(line),
              },
              options: {
                isWholeLine: true,
                className: styles[CLASSES[current?.tone ?? 'now']] ?? '',
                glyphMarginClassName: styles[current?.tone === 'failed' ? 'cross' : 'arrow'] ?? '',
                ...(current?.note !== undefined && {
                  after: { content: `      ${current.note}`, inlineClassName: styles['note'] ?? '' },
                  showIfCollapsed: true,
                }),
              },
            },
          ],
    );
  }

  [Symbol.dispose](): void {
    this.#model.deltaDecorations([...this.#dots, ...this.#current], []);
  }
}
