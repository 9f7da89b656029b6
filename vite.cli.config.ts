import { defineConfig } from 'vite';

/** The terminal: one flat folder of readable modules that needs no node_modules, one chunk per command. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    minify: false,
    outDir: 'dist-cli/manual',
    rolldownOptions: {
      input: {
        lathe: 'src/cli/main.ts',
        api: 'src/api/index.ts',
        'starlark-thread': 'src/platform/worker/node-starlark-thread.ts',
        'sandbox-shell-thread': 'src/platform/sandbox/node-shell-thread.ts',
        'sandbox-git-thread': 'src/platform/sandbox/node-git-thread.ts',
        'sandbox-python-thread': 'src/platform/sandbox/node-python-thread.ts',
      },
      // Flat, because Vite leaves `new URL('./thread.js', import.meta.url)` as it is in a build for Node.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true },
});
