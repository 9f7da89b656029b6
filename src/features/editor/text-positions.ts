import type { TextRange } from '../../model/skill/types.ts';

/** Lines and columns from 1, columns in UTF-16 units. */
export interface Place {
  readonly lineNumber: number;
  readonly column: number;
}

export interface PlaceRange {
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

/**
 * Offsets into the text as it is on disk, as places in an editor. The editor gives every line one ending and drops a byte
 * order mark, so only lines and columns mean the same in both.
 */
export class TextPositions {
  readonly #text: string;
  readonly #starts: number[] = [0];
  readonly #mark: number;

  constructor(text: string) {
    this.#text = text;
    this.#mark = text.startsWith('\uFEFF') ? 1 : 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit === 10 || (unit === 13 && text.charCodeAt(index + 1) !== 10)) this.#starts.push(index + 1);
    }
  }

  placeAt(offset: number): Place {
    const at = Math.max(0, Math.min(offset, this.#text.length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const column = at - (this.#starts[low] ?? 0) + 1;
    return { lineNumber: low + 1, column: low === 0 ? Math.max(1, column - this.#mark) : column };
  }

  range({ start, end }: TextRange): PlaceRange {
    const [from, to] = [this.placeAt(start), this.placeAt(end)];
    return {
      startLineNumber: from.lineNumber,
      startColumn: from.column,
      endLineNumber: to.lineNumber,
      endColumn: to.column,
    };
  }

  offsetAt({ lineNumber, column }: Place): number {
    const start = this.#starts[lineNumber - 1];
    if (start === undefined) return this.#text.length;
    return Math.min(start + column - 1 + (lineNumber === 1 ? this.#mark : 0), this.#text.length);
  }
}
