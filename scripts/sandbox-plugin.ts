import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Of the package `pyodide`; they are fetched when the first program of Python runs. */
const PYTHON_FILES = ['pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json'] as const;
const TYPES: Readonly<Record<string, string>> = {
  wasm: 'application/wasm',
  zip: 'application/zip',
  json: 'application/json',
};
const WHEELS = 'sandbox/wheels';

/**
 * Packages that just-bash names for what is not used here: its `diff` is replaced, `html-to-markdown` is not needed, and `ls`
 * matches patterns itself only over files in memory.
 */
const UNUSED = /^(?:diff|minimatch|turndown)$/;

/** Commands of just-bash that the shell's own stand for (`platform/sandbox/shell`), or that are not there at all. */
const REPLACED =
  'cat ls head tail wc grep fgrep egrep sort uniq cut env xargs diff tac gzip gunzip zcat curl html-to-markdown'.split(
    ' ',
  );

/**
 * In its registry a command is `{name:"cat",load:async()=>(await Promise.resolve().then(()=>(start(),module))).catCommand}`, and
 * `start` is made by a call that the bundler cannot know to be without effects. Told so, it leaves out what nobody loads.
 */
export const withoutReplaced = (code: string): string =>
  code
    .replace(
      /\{name:"([^"]+)",load:async\(\)=>\(await Promise\.resolve\(\)\.then\([^}]*?\)\)\.\w+\}/g,
      (entry, name: string) =>
        REPLACED.includes(name) ? `{name:"${name}",load:async()=>{throw new Error("replaced")}}` : entry,
    )
    .replace(/(?<=[,\s;]\w+=)L\(\(\)=>\{/g, '/*#__PURE__*/L(()=>{');

/** Keeps the worker of the shell within its budget. */
const lightShell = (): Plugin => ({
  name: 'lathe-light-shell',
  enforce: 'pre',
  transform: {
    filter: { id: /just-bash\/dist\/bundle\/browser\.js/ },
    handler: (code) => ({ code: withoutReplaced(code), map: null }),
  },
  resolveId: {
    filter: { id: UNUSED },
    handler: (id, importer) => (importer !== undefined && /just-bash/.test(importer) ? `\0unused:${id}` : null),
  },
  load: {
    filter: { id: /^\0unused:/ },
    handler: () =>
      'const none = () => { throw new Error("not available in the sandbox"); };\nexport default none;\nexport { none as createTwoFilesPatch, none as minimatch };',
  },
});

/**
 * Python's script names its engine twice: by the folder that it is started with, which is what happens here, and beside itself,
 * which would put a second copy of 9 MB into the build.
 */
export const withoutOwnEngine = (code: string): string =>
  code.replace('new URL("pyodide.asm.wasm",import.meta.url).href', '"pyodide.asm.wasm"');

const oneEngine = (): Plugin => ({
  name: 'lathe-one-python',
  enforce: 'pre',
  transform: {
    filter: { id: /pyodide\/pyodide\.asm\.mjs/ },
    handler: (code) => ({ code: withoutOwnEngine(code), map: null }),
  },
});

/**
 * Puts what the sandbox needs beside the page: `sandbox.html` as a second page, Python's files, and a list of the wheels,
 * because a static server cannot list a folder.
 */
export const sandboxPlugin = (root = ''): Plugin => {
  const python = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  let publicDir = '';
  const wheels = (): string =>
    JSON.stringify(readdirSync(join(publicDir, WHEELS)).filter((name) => name.endsWith('.whl')));
  return {
    name: 'lathe-sandbox',
    config: () => ({
      worker: { plugins: () => [lightShell(), oneEngine()] },
      build: { rolldownOptions: { input: { index: join(root, 'index.html'), sandbox: join(root, 'sandbox.html') } } },
      optimizeDeps: { include: ['just-bash/browser', 'isomorphic-git', 'buffer', 'fflate'], exclude: ['pyodide'] },
    }),
    configResolved(config) {
      publicDir = config.publicDir;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? '').replace(/[?#].*$/, '');
        const name = PYTHON_FILES.find((file) => path.endsWith(`/pyodide/${file}`) && !path.includes('node_modules'));
        if (name !== undefined) {
          response.setHeader('Content-Type', TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
          createReadStream(join(python, name)).pipe(response);
        } else if (path.endsWith(`/${WHEELS}/index.json`)) {
          response.setHeader('Content-Type', 'application/json');
          response.end(wheels());
        } else next();
      });
    },
    generateBundle() {
      for (const name of PYTHON_FILES)
        this.emitFile({ type: 'asset', fileName: `pyodide/${name}`, source: readFileSync(join(python, name)) });
      this.emitFile({ type: 'asset', fileName: `${WHEELS}/index.json`, source: wheels() });
    },
  };
};
