// Who may import what. The two tables here say it for the layers, ORDER says it inside of them; everything below reads the
// imports and compares.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  circlesOf,
  orderObjection,
  tableFaults,
  type Import,
  type Order,
} from '../scripts/architecture/check-order.ts';
import { importsOf } from '../scripts/architecture/imports.ts';
import { ORDER, RESERVED } from '../scripts/architecture/order.ts';

/** The folders below `src/` that a layer may import from, beside its own. */
const layers: Record<string, readonly string[]> = {
  base: [],
  model: ['base'],
  platform: ['base', 'model'],
  stores: ['base', 'model', 'platform'],
  ui: ['base'],
  features: ['base', 'model', 'platform', 'stores', 'ui'],
  app: ['base', 'model', 'platform', 'stores', 'ui', 'features'],
  cli: ['base', 'model', 'platform'],
  // The library: what the terminal does, as functions.
  api: ['base', 'model', 'platform', 'cli'],
  // Any `*.worker.ts`, wherever it lies: its folder's rights do not count.
  worker: ['base', 'model', 'platform/worker', 'platform/fs', 'platform/store', 'platform/sandbox', 'app/offline'],
  // The composition root.
  'main.tsx': ['base', 'model', 'platform', 'stores', 'ui', 'features', 'app'],
};

/** The npm packages that a layer may import. A new package is a new word here. */
const packages: Record<string, readonly string[]> = {
  base: [],
  model: ['@lezer/common', '@lezer/javascript', '@lezer/python', 'fflate', 'smol-toml', 'unbash', 'yaml', 'zod'],
  platform: [
    '@anthropic-ai/sdk',
    '@noble/ed25519',
    'buffer',
    'fflate',
    'gpt-tokenizer',
    'idb',
    'isomorphic-git',
    'just-bash',
    'openai',
    'pyodide',
    'zod',
  ],
  stores: ['zod', 'zustand'],
  ui: ['@tanstack/react-virtual', 'react', 'react-aria-components', 'react-resizable-panels'],
  features: ['monaco-editor', 'react', 'react-markdown', 'remark-gfm', 'zustand'],
  app: ['react', 'react-aria-components', 'react-resizable-panels', 'zustand'],
  cli: ['yaml', 'zod'],
  api: [],
  worker: ['gpt-tokenizer', 'pyodide', 'react-markdown', 'remark-gfm'],
  'main.tsx': ['react', 'react-dom'],
};

/** What tests may import in addition. They are free to use Node, and keep the direction of their layer. */
const testPackages = new Set([
  '@anthropic-ai/sdk',
  'fast-check',
  'openai',
  'vite',
  'vitest',
  'vitest-browser-react',
  'yaml',
]);

const isTest = (path: string) => /\.test\.tsx?$|\/testing\//.test(path);
/** The files of `platform/` that run in Node only; a page that imported one would not build. */
const isNodeAdapter = (path: string) => /^platform\/(?:.*\/)?node[^/]*\.ts$/.test(path);
const mayUseNode = (path: string) =>
  isTest(path) || isNodeAdapter(path) || path.startsWith('cli/') || path.startsWith('api/');

const layerOf = (path: string): string => {
  if (path.endsWith('.worker.ts')) return 'worker';
  return path.split('/')[0] ?? path;
};

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The path below `src/` that a relative specifier leads to. */
const targetOf = (path: string, specifier: string): string =>
  posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''));

/** Why a file (path below `src/`) may not name a module; undefined when it may. */
const objection = (path: string, specifier: string | undefined): string | undefined => {
  const layer = layerOf(path);
  const test = isTest(path);
  if (specifier === undefined) return test ? undefined : 'names a module that only running it would tell: write it out';

  // Data is not a module: what a test reads, the engine and the wheels that the terminal loads, the pages of help.
  if (test && /\.(?:json|md|jsonl|yaml)$/.test(specifier)) return undefined;
  if (path === 'cli/shipped.ts' && specifier.endsWith('/')) return undefined;
  if (path.startsWith('features/help/') && specifier.endsWith('/docs/help/*.md')) return undefined;

  if (!specifier.startsWith('.')) {
    if (packages[layer]?.includes(packageOf(specifier))) return undefined;
    if (isBuiltin(specifier)) {
      return mayUseNode(path) ? undefined : `${specifier}: Node is for cli/, api/, platform/**/node*.ts and tests`;
    }
    if (test && testPackages.has(packageOf(specifier))) return undefined;
    return `${specifier}: ${layer} may import the packages [${packages[layer]?.join(', ')}]`;
  }

  const target = targetOf(path, specifier);
  if (target.startsWith('..')) return test ? undefined : `${specifier}: lies outside src/`;
  if (!test && isTest(target)) return `${specifier}: is for tests only`;
  // The in-memory twins of platform/ are what tests of the model run on.
  if (test && /^platform\/(?:.*\/)?memory[^/]*\.ts$/.test(target)) return undefined;
  if (isNodeAdapter(target) && !mayUseNode(path)) return `${specifier}: runs in Node only`;
  const own = layer === 'worker' ? [] : [layer];
  if ([...own, ...(layers[layer] ?? [])].some((allowed) => target.startsWith(`${allowed}/`))) return undefined;
  return `${specifier}: ${layer} may import from [${layers[layer]?.join(', ')}]`;
};

const violations = (path: string, specifiers: readonly (string | undefined)[]): string[] => {
  if (path === posix.basename(path) && isTest(path)) return [];
  if (!Object.hasOwn(layers, layerOf(path))) return [`${path} is in no layer`];
  return specifiers
    .map((specifier) => objection(path, specifier))
    .filter((reason) => reason !== undefined)
    .map((reason) => `${path}: ${reason}`);
};
const violationsIn = (path: string, text: string): string[] => violations(path, importsOf(path, text));

/** Tests are free inside their layer: they put what they prove together with what is on it, and nothing imports them. */
const orderedImports = (path: string, specifiers: readonly (string | undefined)[]): Import[] =>
  isTest(path)
    ? []
    : specifiers
        .filter((specifier) => specifier?.startsWith('.') === true)
        .map((specifier = '') => ({ from: path, to: targetOf(path, specifier) }));
const backwards = (order: Order, imports: readonly Import[]): string[] =>
  imports.map((item) => orderObjection(order, item)).filter((reason) => reason !== undefined);

const src = dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('/fixtures/'));
const modules = sources.map((path) => ({ path, specifiers: importsOf(path, readFileSync(join(src, path), 'utf8')) }));

describe('the layers of src/', () => {
  it('hold in every file', () => {
    expect(sources).toContain('main.tsx');
    expect(modules.flatMap(({ path, specifiers }) => violations(path, specifiers))).toEqual([]);
  });

  it('have a row in both tables', () => {
    expect(Object.keys(packages)).toEqual(Object.keys(layers));
  });
});

const imports = modules.flatMap(({ path, specifiers }) => orderedImports(path, specifiers));

describe('the order inside the layers', () => {
  it('has a place for every folder', () => {
    const paths = sources.filter((path) => !isTest(path));
    expect(tableFaults(ORDER, RESERVED, paths)).toEqual([]);
    for (const [layer, row] of Object.entries(ORDER)) console.log(`${layer}: ${row.join(' → ')}`);
  });

  it('holds in every file', () => {
    expect(imports).toContainEqual({ from: 'model/session/start.ts', to: 'model/prompt/assemble.ts' });
    expect(backwards(ORDER, imports)).toEqual([]);
  });

  it('no files import each other in a circle', () => {
    expect(circlesOf(imports)).toEqual([]);
  });
});

describe('a fault in the order is found', () => {
  const order = { model: ['zod.ts', 'event', 'tool', 'later'], stores: ['files.ts', 'session.ts'] };
  const fault = (from: string, to: string) => orderObjection(order, { from, to });

  it('an import of what comes behind', () => {
    expect(fault('model/event/a.ts', 'model/tool/b.ts')).toBe(
      'model/event/a.ts imports model/tool/b.ts: in model/, event stands before tool; if tool can do without event, turn them round in ORDER in scripts/architecture/order.ts; if not, move what both need to a place before both',
    );
    expect(fault('model/zod.ts', 'model/event/a.ts')).toContain('zod.ts stands before event');
    expect(fault('stores/files.ts', 'stores/session.ts')).toContain('files.ts stands before session.ts');
    expect(fault('model/event/deep/a.ts', 'model/tool/deep/b.ts')).toContain('event stands before tool');
  });

  it('a circle of two folders, whatever their order', () => {
    for (const row of [
      ['event', 'tool'],
      ['tool', 'event'],
    ]) {
      const there = { from: 'model/event/a.ts', to: 'model/tool/b.ts' };
      const back = { from: 'model/tool/c.ts', to: 'model/event/d.ts' };
      expect(backwards({ model: row }, [there, back])).toHaveLength(1);
    }
  });

  it('an import of a folder without a place', () => {
    expect(fault('model/tool/a.ts', 'model/news/b.ts')).toContain('model/news has no place');
    expect(fault('model/news/a.ts', 'model/tool/b.ts')).toContain('model/news has no place');
  });

  it('imports that keep it pass, as do those of another layer and of the own folder', () => {
    expect(fault('model/tool/a.ts', 'model/event/b.ts')).toBeUndefined();
    expect(fault('model/later/a.ts', 'model/zod.ts')).toBeUndefined();
    expect(fault('model/event/a.ts', 'model/event/b.ts')).toBeUndefined();
    expect(fault('stores/files.ts', 'model/later/a.ts')).toBeUndefined();
    expect(fault('ui/a.tsx', 'ui/b.tsx')).toBeUndefined();
  });

  it('a folder that the table does not name, names twice, or names although it is gone', () => {
    const paths = ['model/zod.ts', 'model/event/a.ts', 'model/tool/a.ts', 'stores/files.ts', 'stores/session.ts'];
    expect(tableFaults(order, ['model/later'], paths)).toEqual([]);
    expect(tableFaults(order, ['model/later'], [...paths, 'model/news/a.ts', 'ui/a.tsx'])).toEqual([
      "model/news has no place in the order of model/: add 'news' to the row 'model' of ORDER in scripts/architecture/order.ts, behind everything that it imports",
    ]);
    expect(tableFaults(order, [], paths)).toEqual([
      'model/later is gone: remove it from ORDER in scripts/architecture/order.ts',
    ]);
    expect(tableFaults({ model: ['a', 'a'] }, [], ['model/a/b.ts'])).toEqual([
      'model/a has two places in ORDER in scripts/architecture/order.ts: remove one',
    ]);
  });

  it('a circle of files, once, and what hangs on it is none', () => {
    const edges = (...pairs: string[]) => pairs.map((pair) => ({ from: pair[0] ?? '', to: pair[1] ?? '' }));
    expect(circlesOf(edges('ab', 'bc', 'ca', 'xa', 'cy'))).toEqual(['a → b → c → a']);
    expect(circlesOf(edges('ab', 'ba', 'cd', 'dc', 'bc'))).toEqual(['a → b → a', 'c → d → c']);
    expect(circlesOf(edges('aa'))).toEqual(['a → a']);
    expect(circlesOf(edges('ab', 'ac', 'bd', 'cd'))).toEqual([]);
  });
});

describe('a wrong import is found', () => {
  const forms: [form: string, write: (specifier: string) => string][] = [
    ['static', (to) => `import { a } from '${to}';`],
    ['side effect', (to) => `import '${to}';`],
    ['namespace', (to) => `import * as a from '${to}';`],
    ['type', (to) => `import type { A } from '${to}';`],
    ['inline type', (to) => `import { type A } from '${to}';`],
    ['re-export', (to) => `export { a } from '${to}';`],
    ['re-export of all', (to) => `export * from '${to}';`],
    ['re-export of a type', (to) => `export type { A } from '${to}';`],
    ['dynamic', (to) => `const a = await import('${to}');`],
    ['dynamic, as a template', (to) => `const a = await import(\`${to}\`);`],
    ['import type expression', (to) => `type A = import('${to}').A;`],
    ['new URL', (to) => `new Worker(new URL('${to}', import.meta.url), { type: 'module' });`],
  ];
  it.each(forms)('as %s', (_form, write) => {
    expect(violationsIn('model/skill/a.ts', write('../../platform/fs/memory.ts'))).toEqual([
      'model/skill/a.ts: ../../platform/fs/memory.ts: model may import from [base]',
    ]);
    expect(violationsIn('platform/fs/a.ts', write('../../model/skill/a.ts'))).toEqual([]);

    const planted = (path: string, to: string) => backwards(ORDER, orderedImports(path, importsOf(path, write(to))));
    expect(planted('model/event/a.ts', '../tool/b.ts')).toEqual([expect.stringContaining('event stands before tool')]);
    expect(planted('features/preview/a.tsx', '../editor/b.tsx')).toHaveLength(1);
    expect(planted('model/tool/a.ts', '../event/b.ts')).toEqual([]);
  });

  const wrong: [from: string, to: string][] = [
    ['base/a.ts', '../model/skill/a.ts'],
    ['model/skill/a.ts', '../../stores/a.ts'],
    ['model/skill/a.ts', '../../ui/cx.ts'],
    ['platform/fs/a.ts', '../../stores/a.ts'],
    ['stores/a.ts', '../features/library/a.tsx'],
    ['features/library/a.tsx', '../../app/shell.tsx'],
    ['features/library/a.tsx', '../../cli/main.ts'],
    ['ui/a.tsx', '../model/skill/a.ts'],
    ['ui/a.tsx', '../app/shell.module.css'],
    ['app/a.tsx', '../main.tsx'],
    ['app/a.tsx', '../cli/main.ts'],
    ['cli/main.ts', '../features/library/a.tsx'],
    ['cli/main.ts', '../stores/a.ts'],
    ['main.tsx', './cli/main.ts'],
    ['platform/worker/a.worker.ts', '../provider/a.ts'],
    ['platform/worker/a.worker.ts', '../../stores/a.ts'],
    ['features/sandbox/a.worker.ts', './view.tsx'],
    // queries and node adapters do not hide a direction
    ['model/skill/a.ts', '../../platform/worker/a.worker.ts?worker&url'],
    ['stores/a.ts', '../platform/fs/node.ts'],
    ['platform/fs/memory.ts', './node-files.ts'],
    // tests keep the direction of their layer, and are not a library for the rest
    ['model/skill/a.test.ts', '../../platform/fs/opfs-tree.ts'],
    ['model/skill/a.ts', './testing/samples.ts'],
    ['model/skill/a.ts', './b.test.ts'],
    // packages
    ['base/a.ts', 'zod'],
    ['model/skill/a.ts', 'react'],
    ['model/skill/a.test.ts', 'react'],
    ['features/library/a.tsx', 'react-dom/client'],
    ['features/library/a.tsx', '@scope/name/part'],
    ['model/skill/a.ts', 'vitest'],
    ['model/skill/a.ts', '#alias'],
    ['model/skill/a.ts', '/src/base/text.ts'],
    ['model/skill/a.ts', '../../../scripts/policy.ts'],
    // Node
    ['base/a.ts', 'node:fs'],
    ['model/skill/a.ts', 'fs'],
    ['model/skill/node.ts', 'node:fs'],
    ['platform/fs/memory.ts', 'node:path'],
    ['main.tsx', 'node:fs'],
  ];
  it.each(wrong)('from %s to %s', (from, to) => {
    expect(violationsIn(from, `import '${to}';`)).toHaveLength(1);
  });

  it.each(['const a = await import(name);', "const all = import.meta.glob('../**/*.ts');"])('hidden in %s', (text) => {
    expect(violationsIn('model/skill/a.ts', text)).toHaveLength(1);
  });

  it('in a file that is in no layer', () => {
    expect(violationsIn('helpers/a.ts', '')).toEqual(['helpers/a.ts is in no layer']);
    expect(violationsIn('helpers.ts', '')).toEqual(['helpers.ts is in no layer']);
  });
});

describe('a right import passes', () => {
  const right: [from: string, to: string][] = [
    ['base/a.ts', './text.ts'],
    ['model/library/a.ts', '../skill/skill.ts'],
    ['model/skill/a.ts', 'yaml'],
    ['model/skill/a.test.ts', 'fast-check'],
    ['model/skill/a.test.ts', 'node:fs'],
    ['model/skill/a.test.ts', './testing/samples.ts'],
    ['model/skill/testing/samples.ts', 'node:fs'],
    ['model/skill/a.test.ts', '../../../public/demo/skills/x/SKILL.md'],
    ['platform/fs/node.ts', 'node:fs/promises'],
    ['platform/fs/node-files.ts', './node.ts'],
    ['platform/worker/spawn.ts', './a.worker.ts?worker&url'],
    ['platform/worker/a.worker.ts', '../fs/memory.ts'],
    ['platform/worker/a.worker.ts', './rpc.ts'],
    ['platform/worker/a.worker.ts', '../../model/skill/a.ts'],
    ['features/library/a.tsx', '../../ui/panel.module.css'],
    ['features/editor/a.tsx', '../preview/a.tsx'],
    ['cli/commands/check.ts', '../../platform/fs/node.ts'],
    ['cli/main.ts', 'node:process'],
    ['main.tsx', './app/shell/shell.tsx'],
    ['main.tsx', 'react-dom/client'],
  ];
  it.each(right)('from %s to %s', (from, to) => {
    expect(violationsIn(from, `import '${to}';`)).toEqual([]);
    expect(backwards(ORDER, orderedImports(from, [to]))).toEqual([]);
  });
});
