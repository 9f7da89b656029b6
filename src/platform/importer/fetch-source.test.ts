import { describe, expect, it } from 'vitest';
import { sha256 } from '../../base/hash.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { writeZip } from '../fs/zip.ts';
import { fetchSource, readGithubAddress, SOURCE_LIMITS, type FetchOptions } from './fetch-source.ts';
import { CACHE_SECONDS, createMemoryCache } from './source-cache.ts';

const SKILL = '---\nname: tides\ndescription: Tides.\n---\n\nText.\n';

interface Reply {
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** A net with these addresses, that counts. */
const createNet = (replies: Readonly<Record<string, Reply>>) => {
  const asked: string[] = [];
  let now = 0;
  const cache = createMemoryCache(() => now);
  const get = ((target: string | URL) => {
    const url = String(target);
    asked.push(url);
    const reply = replies[url];
    if (!reply) return Promise.reject(new TypeError('fetch failed'));
    return Promise.resolve(
      new Response((reply.body ?? '') as BodyInit, { status: reply.status ?? 200, headers: reply.headers ?? {} }),
    );
  }) as typeof fetch;
  return {
    asked,
    wait: (ms: number) => (now += ms),
    fetch: (url: string, options: FetchOptions = {}) => fetchSource({ get, cache }, url, options),
  };
};

const tree = (...paths: readonly string[]): Reply => ({
  body: JSON.stringify({
    truncated: false,
    tree: paths.map((path) => ({ path, type: 'blob', mode: path.endsWith('.link') ? '120000' : '100644', size: 10 })),
  }),
  headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1000' },
});
const API = 'https://api.github.com/repos/o/r/git/trees/HEAD?recursive=1';
const raw = (path: string): string => `https://raw.githubusercontent.com/o/r/HEAD/${path}`;

describe('addresses', () => {
  it('SO1: GitHub, in all spellings', () => {
    const read = (url: string) => readGithubAddress(new URL(url));
    expect(read('https://github.com/o/r')).toEqual({ owner: 'o', repo: 'r', ref: 'HEAD', path: '' });
    expect(read('https://github.com/o/r.git')).toMatchObject({ repo: 'r' });
    expect(read('https://github.com/o/r/tree/main/skills/a')).toEqual({
      owner: 'o',
      repo: 'r',
      ref: 'main',
      path: 'skills/a',
    });
    expect(read('https://github.com/o/r/blob/main/skills/a/SKILL.md')).toMatchObject({ ref: 'main', path: 'skills/a' });
    expect(read('https://raw.githubusercontent.com/o/r/main/skills/a/SKILL.md')).toEqual({
      owner: 'o',
      repo: 'r',
      ref: 'main',
      path: 'skills/a',
    });
    expect(read('https://example.org/o/r')).toBeUndefined();
  });

  it('SO1: all files of the skill, with the rate limit; links are left out', async () => {
    const net = createNet({
      [API]: tree('README.md', 'skills/tides/SKILL.md', 'skills/tides/scripts/t.py', 'skills/tides/x.link'),
      [raw('skills/tides/SKILL.md')]: { body: SKILL },
      [raw('skills/tides/scripts/t.py')]: { body: 'print(1)' },
    });
    const got = await net.fetch('https://github.com/o/r');
    expect(
      got.ok && {
        name: got.value.name,
        from: got.value.from,
        files: [...got.value.files.keys()],
        rate: got.value.rateLimit?.remaining,
      },
    ).toEqual({
      name: 'tides',
      from: 'github.com/o/r/skills/tides',
      files: ['SKILL.md', 'scripts/t.py'],
      rate: 59,
    });
  });

  it('SO5: several skills are a choice', async () => {
    const net = createNet({ [API]: tree('a/SKILL.md', 'b/SKILL.md'), [raw('b/SKILL.md')]: { body: SKILL } });
    expect(await net.fetch('https://github.com/o/r')).toMatchObject({
      ok: false,
      error: { code: 'ambiguous', choices: ['a', 'b'] },
    });
    expect(await net.fetch('https://github.com/o/r', { path: 'b' })).toMatchObject({ ok: true, value: { name: 'b' } });
  });

  it('SO1: a used-up rate limit says when', async () => {
    const net = createNet({
      [API]: {
        status: 403,
        headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3600' },
      },
    });
    expect(await net.fetch('https://github.com/o/r')).toMatchObject({
      ok: false,
      error: { code: 'rate-limit', rateLimit: { remaining: 0 } },
    });
  });

  it('SO3: seven days without a request', async () => {
    const net = createNet({ [API]: tree('SKILL.md'), [raw('SKILL.md')]: { body: SKILL } });
    await net.fetch('https://github.com/o/r');
    const before = net.asked.length;
    net.wait(CACHE_SECONDS * 1000);
    expect(await net.fetch('https://github.com/o/r')).toMatchObject({ ok: true, value: { name: 'r', cachedAt: 0 } });
    expect(net.asked.length).toBe(before);
    await net.fetch('https://github.com/o/r', { refresh: true });
    expect(net.asked.length).toBe(before * 2);
    net.wait(CACHE_SECONDS * 1000 + 1);
    await net.fetch('https://github.com/o/r');
    expect(net.asked.length).toBe(before * 3);
  });

  it('SO4: limits and paths', async () => {
    const many = Array.from({ length: SOURCE_LIMITS.files + 1 }, (_, index) => `f${index}`);
    expect(await createNet({ [API]: tree('SKILL.md', ...many) }).fetch('https://github.com/o/r')).toMatchObject({
      ok: false,
      error: { code: 'too-large' },
    });
    const huge = createNet({
      'https://x.example/a.zip': { body: 'x', headers: { 'content-length': String(SOURCE_LIMITS.bytes + 1) } },
    });
    expect(await huge.fetch('https://x.example/a.zip')).toMatchObject({ ok: false, error: { code: 'too-large' } });
    expect(await createNet({ [API]: tree('SKILL.md', 'a/../../b') }).fetch('https://github.com/o/r')).toMatchObject({
      ok: false,
    });
    expect(await createNet({}).fetch('http://x.example/a')).toMatchObject({ ok: false, error: { code: 'address' } });
    expect(await createNet({}).fetch('https://me:pw@x.example/a')).toMatchObject({
      ok: false,
      error: { code: 'address' },
    });
  });

  it('SO2: a lone file, an archive, an index with digests', async () => {
    const zip = await writeZip(createMemoryTree({ 'SKILL.md': SKILL, 'a.txt': 'x' }), '');
    const bytes = zip.ok ? zip.value : new Uint8Array();
    const index = (digest: string): Reply => ({
      body: JSON.stringify({ skills: [{ name: 'tides', type: 'archive', url: '/tides.zip', digest }] }),
    });
    const home = 'https://x.example/.well-known/agent-skills/index.json';
    const net = createNet({
      'https://x.example/tides/SKILL.md': { body: SKILL },
      'https://x.example/tides.zip': { body: bytes },
      [home]: index(`sha256:${sha256(bytes)}`),
    });
    expect(await net.fetch('https://x.example/tides/SKILL.md')).toMatchObject({ ok: true, value: { name: 'tides' } });
    expect(await net.fetch('https://x.example/tides.zip')).toMatchObject({ ok: true, value: { name: 'tides' } });
    const listed = await net.fetch(home);
    expect(listed.ok && [...listed.value.files.keys()]).toEqual(['SKILL.md', 'a.txt']);
    const wrong = createNet({
      'https://x.example/tides.zip': { body: bytes },
      [home]: index(`sha256:${'0'.repeat(64)}`),
    });
    expect(await wrong.fetch(home)).toMatchObject({ ok: false, error: { code: 'digest' } });
    expect(await createNet({ 'https://x.example/a': { body: '<html>' } }).fetch('https://x.example/a')).toMatchObject({
      ok: false,
      error: { code: 'no-skill' },
    });
    const cors = await createNet({}).fetch('https://x.example/a');
    expect(cors.ok ? '' : cors.error.message).toContain('lathe import');
  });
});
