/** Foreign text with everything invisible written out. */
export const visible = (text: string): string =>
  text.replace(
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g,
    (char) => `\\u{${char.charCodeAt(0).toString(16)}}`,
  );
