/** TOML that we write ourselves: fixed order, one form for every value, so that the same plan gives the same bytes. */

const tomlText = (text: string): string =>
  `"${text.replace(/["\\\u0000-\u001F\u007F]/g, (char) => {
    if (char === '"' || char === '\\') return `\\${char}`;
    if (char === '\n') return '\\n';
    if (char === '\t') return '\\t';
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
  })}"`;

const tomlList = (items: readonly string[]): string => `[${items.map(tomlText).join(', ')}]`;

export type TomlValue = string | number | boolean | readonly string[];

const tomlLine = (key: string, value: TomlValue): string => {
  if (typeof value === 'string') return `${key} = ${tomlText(value)}`;
  return `${key} = ${typeof value === 'number' || typeof value === 'boolean' ? String(value) : tomlList(value)}`;
};

/** Lines of one table; undefined values are left out. */
export const tomlTable = (header: string, values: Readonly<Record<string, TomlValue | undefined>>): string =>
  [
    ...(header === '' ? [] : [header]),
    ...Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [tomlLine(key, value)])),
  ].join('\n');
