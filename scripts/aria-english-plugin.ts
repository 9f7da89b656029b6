import type { Plugin } from 'vite';

interface Change {
  readonly file: RegExp;
  readonly from: RegExp | string;
  readonly to: string;
}

/** Both ask the browser for tables of languages when the page starts, which costs it 30 to 60 ms; for English the answers are known. */
const CHANGES: readonly Change[] = [
  {
    file: /react-aria\/dist\/private\/i18n\/useDefaultLocale\.mjs$/,
    from: /let locale = typeof window[\s\S]*?locale = 'en-US';\s*\}/,
    to: "const locale = 'en-US';",
  },
  {
    file: /react-aria\/dist\/private\/i18n\/utils\.mjs$/,
    from: 'if (Intl.Locale) {',
    to: "if (localeString === 'en-US') return false;\n    if (Intl.Locale) {",
  },
];

/**
 * The page is in English, and says so to react-aria by an `I18nProvider`. So the words of other languages that react-aria brings
 * (14 kB) are left out, and it does not look for the language of the browser.
 */
export const ariaEnglishOnly = (): Plugin => ({
  name: 'lathe-aria-english-only',
  enforce: 'pre',
  resolveId: {
    filter: { id: /[a-z]{2}-[A-Z]{2}\.m?js$/ },
    handler: (id, importer) =>
      importer !== undefined && /react-(?:aria|stately)/.test(importer) && !id.includes('en-US')
        ? '\0empty-locale'
        : null,
  },
  load: { filter: { id: /empty-locale$/ }, handler: () => 'export default {}' },
  transform: {
    filter: { id: CHANGES.map(({ file }) => file) },
    handler: (code, id) => {
      const change = CHANGES.find(({ file }) => file.test(id));
      if (!change) return null;
      const changed = code.replace(change.from, change.to);
      if (changed === code) throw new Error(`${id} is another one now: see what it does with the locale.`);
      return changed;
    },
  },
});
