import type { HtmlTagDescriptor, Plugin } from 'vite';

/** What the page imports as soon as its shell is drawn. */
const NEXT = ['src/app/desk.ts', 'src/app/desk-slots.tsx', 'src/features/preview/preview-pane.tsx'];

/**
 * The desk is evaluated after the first paint, so that it does not hold it up. The browser learns of its files from the page, and
 * fetches them behind those of the shell; without this they would only be asked for after the first paint. As scripts, not as
 * modules: those would be compiled at once, while the shell needs the processor.
 */
export const deskPreloadPlugin = (): Plugin => ({
  name: 'lathe-desk-preload',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {}, filename }) {
      if (!filename.endsWith('/index.html')) return html;
      const files = new Set<string>();
      const visit = (file: string): void => {
        const chunk = bundle[file];
        if (chunk?.type !== 'chunk' || files.has(file) || html.includes(file)) return;
        files.add(file);
        chunk.imports.forEach(visit);
      };
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && NEXT.some((path) => chunk.facadeModuleId?.endsWith(`/${path}`) === true))
          visit(chunk.fileName);
      if (files.size === 0) throw new Error('The build has no chunk for the desk.');
      const tags = [...files].map((file): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'script', crossorigin: true, fetchpriority: 'low', href: `./${file}` },
        injectTo: 'head',
      }));
      return { html, tags };
    },
  },
});
