/** Python's view of text, where a peer's verdict or message depends on it. */

const PYTHON_SPACE = /[^\S\uFEFF]|[\x1C-\x1F\x85]/;

/** `str.strip()`: unlike JavaScript's trim it knows the separators U+001C–U+001F and U+0085, and not U+FEFF. */
export const pythonStrip = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && PYTHON_SPACE.test(text.charAt(start))) start++;
  while (end > start && PYTHON_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
};

const escapeFor = (char: string, quote: string): string => {
  switch (char) {
    case '\\':
      return '\\\\';
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    case quote:
      return `\\${quote}`;
    default: {
      const code = char.codePointAt(0) ?? 0;
      if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
      // What Python calls not printable: other, separators (but the space), unassigned.
      if (code > 0x7f && /[\p{C}\p{Z}]/u.test(char)) {
        if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
        if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
        return `\\U${code.toString(16).padStart(8, '0')}`;
      }
      return char;
    }
  }
};

/** `repr()` of a string: single quotes, unless only double quotes avoid an escape. */
export const pythonRepr = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + Array.from(text, (char) => escapeFor(char, quote)).join('') + quote;
};
