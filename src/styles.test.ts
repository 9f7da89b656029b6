// TypeScript sees a CSS module as any word to any class. This finds the words that its file does not have.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { htmlPage } from './model/report/page.ts';

const src = dirname(fileURLToPath(import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(src, file), 'utf8');

const uses = files
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) =>
    [...read(file).matchAll(/import (\w+) from '(.+\.module\.css)'/g)].map(([, name, css = '']) => ({
      file,
      css: join(dirname(file), css),
      used: new Set([...read(file).matchAll(new RegExp(`\\b${name}\\['([\\w-]+)'\\]`, 'g'))].map((match) => match[1])),
    })),
  );

describe('styles', () => {
  const definedIn = (css: string) =>
    new Set([...read(css).matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map((match) => match[1]));

  it.each(uses)('$file uses only classes that $css has', ({ css, used }) => {
    const defined = definedIn(css);
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  });

  // The parts of one panel may share a file.
  it.each([...new Set(uses.map(({ css }) => css))])('every class of %s is used', (css) => {
    const used = new Set(uses.filter((use) => use.css === css).flatMap((use) => Array.from(use.used)));
    expect([...definedIn(css)].filter((name) => !used.has(name))).toEqual([]);
  });

  it.each(files.filter((file) => file.endsWith('.css')))('%s has no text smaller than 12 px', (file) => {
    const sizes = [...read(file).matchAll(/(?:font|font-size|--size-[\w-]+):[^;]*?\b([\d.]+)px/g)];
    expect(sizes.map((match) => Number(match[1])).filter((size) => size < 12)).toEqual([]);
  });

  it('REP7: a report has the colors of the page', () => {
    const [page, tokens] = [htmlPage({ title: '', body: '' }), read('ui/tokens.css')];
    for (const name of ['read', 'write', 'uncached', 'output', 'error', 'accent']) {
      const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
      expect(page, name).toContain(`--${name}:light-dark(${light},${dark})`);
    }
  });
});
