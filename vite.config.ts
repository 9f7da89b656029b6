import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { ariaEnglishOnly } from './scripts/aria-english-plugin.ts';
import { demoPlugin } from './scripts/demo-plugin.ts';
import { noticesPlugin } from './scripts/notices.ts';
import { offlinePlugin } from './scripts/offline-plugin.ts';
import { policyPlugin } from './scripts/policy-plugin.ts';
import { serverHeaders } from './scripts/policy.ts';
import { quietBuild } from './scripts/quiet-build.ts';
import { sandboxPlugin } from './scripts/sandbox-plugin.ts';
import { workerAlias } from './scripts/worker-alias.ts';

export default defineConfig({
  // Relative addresses: the build works below any path of any static server.
  base: './',
  // A missing file is a 404, never index.html.
  appType: 'mpa',
  plugins: [
    react(),
    ariaEnglishOnly(),
    policyPlugin(),
    demoPlugin(),
    sandboxPlugin(),
    noticesPlugin(),
    offlinePlugin(),
  ],
  resolve: { alias: workerAlias },
  worker: { format: 'es', rolldownOptions: quietBuild },
  // Named here, or the dev server finds them late and reloads the page.
  optimizeDeps: {
    include: ['gpt-tokenizer/encoding/o200k_base', 'react-markdown', 'remark-gfm', 'yaml', 'zod', 'zustand/vanilla'],
  },
  build: {
    target: 'es2023',
    // The oldest browsers with light-dark(), which tokens.css is written with.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    reportCompressedSize: false,
    // Sizes have their limits in e2e/bundle.spec.ts, gzipped and by part.
    chunkSizeWarningLimit: Infinity,
    rolldownOptions: quietBuild,
    modulePreload: { polyfill: false },
  },
  preview: { headers: serverHeaders, cors: false },
});
