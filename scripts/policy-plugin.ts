import type { Plugin } from 'vite';
import { policy, sandboxPolicy } from './policy.ts';

/**
 * Writes the policy as the first tag of `<head>`, so that it holds on every static host, also one that sends no header.
 * Only in the build: the dev server needs an inline script of its own.
 */
export const policyPlugin = (): Plugin => ({
  name: 'lathe-policy',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { path }) => [
      {
        tag: 'meta',
        attrs: {
          'http-equiv': 'Content-Security-Policy',
          content: path.endsWith('sandbox.html') ? sandboxPolicy : policy,
        },
        injectTo: 'head-prepend',
      },
    ],
  },
});
