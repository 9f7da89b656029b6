import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { firstLoad, lazyLoad } from '../scripts/offline-plugin.ts';
import { expect, test } from './fixtures/test.ts';

const gzipped = (file: string): number => gzipSync(readFileSync(join('dist', file)), { level: 9 }).length;
const sum = (files: readonly string[]): number => files.reduce((total, file) => total + gzipped(file), 0);
const assets = readdirSync('dist/assets').map((name) => `assets/${name}`);

test('the first load is at most 280 KB gzipped, without fonts', () => {
  const files = [...firstLoad('dist')].filter((file) => !file.endsWith('.woff2'));
  expect(files.length).toBeGreaterThan(2);
  const total = sum(files);
  test.info().annotations.push({ type: 'size', description: `first load ${(total / 1000).toFixed(1)} kB` });
  expect(total).toBeLessThanOrEqual(280_000);
});

/** Workers are not part of the manifest; their files begin with their names. */
const worker = (name: string): readonly string[] =>
  assets.filter((file) => file.startsWith(`assets/${name}.worker-`) && file.endsWith('.js'));

/** Monaco's budget is in `editor.spec.ts`. */
const budgets: [part: string, files: readonly string[], limit: number][] = [
  ['tokenizer ranks', worker('tokenizer'), 1_150_000],
  ['Anthropic SDK', lazyLoad('dist', '@anthropic-ai/sdk'), 90_000],
  ['OpenAI SDK', lazyLoad('dist', 'openai'), 90_000],
  ['sandbox shell', worker('shell'), 360_000],
  ['git', worker('git'), 90_000],
  ['Starlark', ['starlark.wasm'], 1_750_000],
];
for (const [part, files, limit] of budgets) {
  test(`${part} is within its budget`, () => {
    // A budget that finds no file would hold for ever.
    expect(files).not.toEqual([]);
    const total = sum(files);
    test.info().annotations.push({ type: 'size', description: `${part} ${(total / 1000).toFixed(1)} kB` });
    expect(total).toBeLessThanOrEqual(limit);
  });
}

test('yaml and zod are not part of the first load', () => {
  const text = [...firstLoad('dist')]
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join('dist', file), 'utf8'));
  expect(text.join('\n')).not.toMatch(/ZodError|YAMLParseError/);
});
