/** Breakpoints of one program: dots in the margin that move with their lines, and the line that is being executed. */
import { monaco } from './setup.ts';
import styles from './breakpoints.module.css';

export interface CurrentLine {
  readonly line: number;
  /** Shown behind the line, such as the values of its names. */
  readonly note?: string;
}

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
            glyphMarginHoverMessage: { value: 'Breakpoint. Click or F9 to remove it.' },
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
    this.#current = this.#model.deltaDecorations(
      this.#current,
      line === undefined
        ? []
        : [
            {
              range: {
                startLineNumber: line,
                startColumn: 1,
                endLineNumber: line,
                endColumn: this.#model.getLineMaxColumn(line),
              },
              options: {
                isWholeLine: true,
                className: styles['current'] ?? '',
                glyphMarginClassName: styles['arrow'] ?? '',
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
