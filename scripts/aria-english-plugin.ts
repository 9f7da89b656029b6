import type { Plugin } from 'vite';

/**
 * Leaves out the words of other languages that react-aria brings (14 kB). The page is in English, and says so to
 * react-aria by an `I18nProvider`: without it a browser in another language would find no words at all.
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
});
