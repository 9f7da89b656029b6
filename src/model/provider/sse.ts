/** Server-sent events from text, for recordings. Follows the HTML standard, apart from `id` and `retry`, which say nothing here. */

export interface SseEvent {
  /** Undefined if the stream did not name it. */
  readonly event: string | undefined;
  readonly data: string;
}

export interface SseParser {
  readonly push: (text: string) => readonly SseEvent[];
  /** An event whose closing blank line never came; the standard drops it, and a reader of broken streams wants it. */
  readonly finish: () => readonly SseEvent[];
}

export const createSseParser = (): SseParser => {
  let rest = '';
  let isFirst = true;
  let event: string | undefined;
  let data: string[] = [];

  const dispatch = (): SseEvent[] => {
    const ready = data.length > 0 ? [{ event, data: data.join('\n') }] : [];
    event = undefined;
    data = [];
    return ready;
  };

  const takeLine = (line: string): SseEvent[] => {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    return [];
  };

  const push = (text: string): SseEvent[] => {
    if (text === '') return [];
    rest += isFirst ? text.replace(/^\uFEFF/, '') : text;
    isFirst = false;
    // A CR at the end may be half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    return lines.flatMap(takeLine);
  };

  return {
    push,
    finish: () => {
      const last = rest.replace(/\r$/, '');
      rest = '';
      return [...(last === '' ? [] : takeLine(last)), ...dispatch()];
    },
  };
};

/** All events of a string. */
export const parseSse = (text: string): readonly SseEvent[] => {
  const parser = createSseParser();
  return [...parser.push(text), ...parser.finish()];
};
