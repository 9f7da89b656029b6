import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { demoPlugin } from './scripts/demo-plugin.ts';
import { policyPlugin } from './scripts/policy-plugin.ts';
import { policy } from './scripts/policy.ts';

export default defineConfig({
  // Relative addresses: the build works below any path of any static server.
  base: './',
  // A missing file is a 404, never index.html.
  appType: 'mpa',
  plugins: [react(), policyPlugin(), demoPlugin()],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // The oldest browsers with light-dark(), which tokens.css is written with.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  preview: { headers: { 'Content-Security-Policy': policy } },
});
