/** Reads Markdown away from the page: its parser compares marks with each other, and a stranger decides how many there are. */
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { toMarkdownNodes } from '../../model/preview/markdown-nodes.ts';
import { remarkSkillLinks } from '../../model/preview/skill-links.ts';
import { serveRpc } from './rpc-server.ts';
import { scopePort } from './scope-port.ts';

/** Anyone who draws a link judges its address; nothing else does anything with one. */
const keepUrl = (url: string): string => url;

serveRpc(scopePort(self), {
  start: () => true,
  read: (text) =>
    toMarkdownNodes(
      Markdown({
        children: String(text),
        remarkPlugins: [remarkGfm, remarkSkillLinks],
        urlTransform: keepUrl,
      }),
    ),
});
