import { describe, expect, it } from 'vitest';
import { addressOf, cacheName, fileFor, staleCaches } from './cache-plan.ts';

const scope = new URL('https://example.com/tools/lathe/');
const files = new Set(['index.html', 'assets/main-1.js', 'demo/skills/a b/SKILL.md']);
const get = (url: string, method = 'GET') => fileFor({ url, method }, scope, files);

describe('the service worker', () => {
  it('OF1: answers for files of the build below its own path', () => {
    expect(get('https://example.com/tools/lathe/assets/main-1.js')).toBe('assets/main-1.js');
    expect(get('https://example.com/tools/lathe/demo/skills/a%20b/SKILL.md')).toBe('demo/skills/a b/SKILL.md');
    expect(addressOf('demo/skills/a b/SKILL.md', scope)).toBe(
      'https://example.com/tools/lathe/demo/skills/a%20b/SKILL.md',
    );
  });

  it.each([
    ['a provider', 'https://api.anthropic.com/v1/messages', 'POST'],
    ['a provider that is asked for a list', 'https://api.anthropic.com/v1/models', 'GET'],
    ['a local server', 'http://localhost:11434/assets/main-1.js', 'GET'],
    ['another path of the same host', 'https://example.com/assets/main-1.js', 'GET'],
    ['a path that only begins alike', 'https://example.com/tools/lathe2/index.html', 'GET'],
    ['a file that is not of the build', 'https://example.com/tools/lathe/assets/main-2.js', 'GET'],
    ['a query', 'https://example.com/tools/lathe/index.html?x=1', 'GET'],
    ['another method', 'https://example.com/tools/lathe/index.html', 'HEAD'],
    ['a broken address', 'https://example.com/tools/lathe/%E0%A4%A', 'GET'],
  ])('OF1: leaves %s alone', (_what, url, method) => {
    expect(get(url, method)).toBeUndefined();
  });

  it('OF2: the folder is the page, with and without a place in it', () => {
    expect(get('https://example.com/tools/lathe/')).toBe('index.html');
    expect(get('https://example.com/tools/lathe/#skill=a')).toBe('index.html');
    expect(get('https://example.com/tools/lathe/index.html')).toBe('index.html');
  });

  it('OF3: keeps the newest two versions of its path, and what belongs to others', () => {
    const name = (path: string, version: string) => cacheName(`https://example.com${path}`, version);
    const names = [name('/', '1'), name('/a/', '1'), 'someone else', name('/', '2'), name('/', '4'), name('/', '3')];
    expect(staleCaches(names, 'https://example.com/', '4')).toEqual([name('/', '1'), name('/', '2')]);
    expect(staleCaches(names, 'https://example.com/a/', '1')).toEqual([]);
  });
});
