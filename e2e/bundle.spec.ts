import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { firstLoad } from '../scripts/offline-plugin.ts';
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

/** Chunks are named after the module that they begin with. A part that is not built yet weighs nothing. */
const budgets: [part: string, pattern: RegExp, limit: number][] = [
  ['Monaco js and css', /^assets\/(?:monaco|editor\.main|setup|editor-api)[^/]*\.(?:js|css)$/, 1_050_000],
  ['tokenizer ranks', /^assets\/(?:o200k|cl100k|tokenizer)[^/]*\.js$/, 1_150_000],
  ['Anthropic SDK', /^assets\/anthropic[^/]*\.js$/, 90_000],
  ['OpenAI SDK', /^assets\/openai[^/]*\.js$/, 90_000],
  ['sandbox shell', /^assets\/(?:shell\.worker|bash|just-bash)[^/]*\.js$/, 360_000],
  ['git', /^assets\/git[^/]*\.js$/, 90_000],
];
for (const [part, pattern, limit] of budgets) {
  test(`${part} is within its budget`, () => {
    expect(sum(assets.filter((file) => pattern.test(file)))).toBeLessThanOrEqual(limit);
  });
}

test('Starlark is within its budget', () => {
  expect(gzipped('starlark.wasm')).toBeLessThanOrEqual(1_750_000);
});

test('yaml and zod are not part of the first load', () => {
  const text = [...firstLoad('dist')]
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join('dist', file), 'utf8'));
  expect(text.join('\n')).not.toMatch(/ZodError|YAMLParseError/);
});
