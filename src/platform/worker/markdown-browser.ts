/** The page's one reader of Markdown, made when the first text is shown. */
import { openBrowserWorker } from './browser-worker.ts';
import { createMarkdownReader, type MarkdownReader } from './markdown-reader.ts';
import markdownWorker from './markdown.worker.ts?worker&url';

let reader: MarkdownReader | undefined;

export const markdownReader = (): MarkdownReader =>
  (reader ??= createMarkdownReader({
    open: () => openBrowserWorker(markdownWorker, 'markdown'),
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  }));
