import type { TextRange } from '../skill/types.ts';
import type { SourceRange } from './messages.ts';

/** Turns the engine's lines and columns into offsets. LF, CRLF and a lone CR end a line, as in Starlark. */
export class SourceLines {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit === 10 || (unit === 13 && text.charCodeAt(index + 1) !== 10)) this.#starts.push(index + 1);
    }
  }

  offset(line: number, column: number): number {
    const start = this.#starts[line - 1] ?? this.text.length;
    return Math.min(start + column - 1, this.text.length);
  }

  range(range: SourceRange): TextRange {
    const start = this.offset(range.line, range.column);
    return { start, end: Math.max(start, this.offset(range.endLine, range.endColumn)) };
  }

  textAt(range: SourceRange): string {
    const { start, end } = this.range(range);
    return this.text.slice(start, end);
  }
}
