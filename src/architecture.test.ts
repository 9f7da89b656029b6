// Who may import what. The two tables are the rule; everything below reads the imports and compares.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ESTree, parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';

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
  // Any `*.worker.ts`, wherever it lies: its folder's rights do not count.
  worker: ['base', 'model', 'platform/worker', 'platform/fs', 'platform/sandbox', 'app/offline'],
  // The composition root.
  'main.tsx': ['base', 'model', 'platform', 'stores', 'ui', 'features', 'app'],
};

/** The npm packages that a layer may import. A new package is a new word here. */
const packages: Record<string, readonly string[]> = {
  base: [],
  model: ['@lezer/common', '@lezer/javascript', '@lezer/python', 'smol-toml', 'unbash', 'yaml', 'zod'],
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
  worker: ['gpt-tokenizer', 'pyodide'],
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
const mayUseNode = (path: string) => isTest(path) || isNodeAdapter(path) || path.startsWith('cli/');

const layerOf = (path: string): string => {
  if (path.endsWith('.worker.ts')) return 'worker';
  return path.split('/')[0] ?? path;
};

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The value of a string or of a template without holes; undefined for anything else. */
const literal = (node: ESTree.Node | null | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
};

const isImportMeta = (node: ESTree.Node | undefined, property: string): boolean =>
  node?.type === 'MemberExpression' &&
  node.object.type === 'MetaProperty' &&
  node.property.type === 'Identifier' &&
  node.property.name === property;

/** Every module that a file names, in all forms; undefined stands for one that cannot be read from the text. */
const importsOf = (path: string, text: string): (string | undefined)[] => {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: (string | undefined)[] = [
    ...module.staticImports.map((item) => item.moduleRequest.value),
    ...module.staticExports.flatMap((item) => item.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ];
  new Visitor({
    ImportExpression: (node) => void found.push(literal(node.source)),
    TSImportType: (node) => void found.push(literal(node.source)),
    NewExpression: (node) => {
      const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL';
      if (isUrl && isImportMeta(node.arguments[1], 'url')) found.push(literal(node.arguments[0]));
    },
    CallExpression: (node) => {
      if (isImportMeta(node.callee, 'glob')) found.push(undefined);
    },
  }).visit(program);
  return found;
};

/** Why a file (path below `src/`) may not name a module; undefined when it may. */
const objection = (path: string, specifier: string | undefined): string | undefined => {
  const layer = layerOf(path);
  const test = isTest(path);
  if (specifier === undefined) return test ? undefined : 'names a module that only running it would tell: write it out';

  // Data is no module: what a test reads, the engine and the wheels that the terminal loads, the pages of help.
  if (test && /\.(?:json|md|jsonl|yaml)$/.test(specifier)) return undefined;
  if (layer === 'cli' && /\.wasm$|\/wheels\/$/.test(specifier)) return undefined;
  if (path.startsWith('features/help/') && /\/docs\/help\/[\w-]+\.md\?raw$/.test(specifier)) return undefined;

  if (!specifier.startsWith('.')) {
    if (packages[layer]?.includes(packageOf(specifier))) return undefined;
    if (isBuiltin(specifier)) {
      return mayUseNode(path) ? undefined : `${specifier}: Node is for cli/, platform/**/node*.ts and tests`;
    }
    if (test && testPackages.has(packageOf(specifier))) return undefined;
    return `${specifier}: ${layer} may import the packages [${packages[layer]?.join(', ')}]`;
  }

  const target = posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''));
  if (target.startsWith('..')) return test ? undefined : `${specifier}: lies outside src/`;
  if (!test && isTest(target)) return `${specifier}: is for tests only`;
  // The in-memory twins of platform/ are what tests of the model run on.
  if (test && /^platform\/(?:.*\/)?memory[^/]*\.ts$/.test(target)) return undefined;
  if (isNodeAdapter(target) && !mayUseNode(path)) return `${specifier}: runs in Node only`;
  const own = layer === 'worker' ? [] : [layer];
  if ([...own, ...(layers[layer] ?? [])].some((allowed) => target.startsWith(`${allowed}/`))) return undefined;
  return `${specifier}: ${layer} may import from [${layers[layer]?.join(', ')}]`;
};

const violations = (path: string, text: string): string[] => {
  if (path === posix.basename(path) && isTest(path)) return [];
  if (!Object.hasOwn(layers, layerOf(path))) return [`${path} is in no layer`];
  return importsOf(path, text)
    .map((specifier) => objection(path, specifier))
    .filter((reason) => reason !== undefined)
    .map((reason) => `${path}: ${reason}`);
};

const src = dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('/fixtures/'));

describe('the layers of src/', () => {
  it('hold in every file', () => {
    expect(sources).toContain('main.tsx');
    expect(sources.flatMap((path) => violations(path, readFileSync(join(src, path), 'utf8')))).toEqual([]);
  });

  it('have a row in both tables', () => {
    expect(Object.keys(packages)).toEqual(Object.keys(layers));
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
    expect(violations('model/skill/a.ts', write('../../platform/fs/memory.ts'))).toEqual([
      'model/skill/a.ts: ../../platform/fs/memory.ts: model may import from [base]',
    ]);
    expect(violations('platform/fs/a.ts', write('../../model/skill/a.ts'))).toEqual([]);
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
    // tests keep the direction of their layer, and are no library for the rest
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
    expect(violations(from, `import '${to}';`)).toHaveLength(1);
  });

  it.each(['const a = await import(name);', "const all = import.meta.glob('../**/*.ts');"])('hidden in %s', (text) => {
    expect(violations('model/skill/a.ts', text)).toHaveLength(1);
  });

  it('in a file that is in no layer', () => {
    expect(violations('helpers/a.ts', '')).toEqual(['helpers/a.ts is in no layer']);
    expect(violations('helpers.ts', '')).toEqual(['helpers.ts is in no layer']);
  });
});

describe('a right import passes', () => {
  const right: [from: string, to: string][] = [
    ['base/a.ts', './text.ts'],
    ['model/skill/a.ts', '../library/index.ts'],
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
    ['features/library/a.tsx', '../problems/a.tsx'],
    ['cli/commands/check.ts', '../../platform/fs/node.ts'],
    ['cli/main.ts', 'node:process'],
    ['main.tsx', './app/shell/shell.tsx'],
    ['main.tsx', 'react-dom/client'],
  ];
  it.each(right)('from %s to %s', (from, to) => {
    expect(violations(from, `import '${to}';`)).toEqual([]);
  });
});
