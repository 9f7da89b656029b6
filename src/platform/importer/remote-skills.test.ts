import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { sha256 } from '../../base/hash.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { writeZip } from '../fs/zip.ts';
import { createRemoteSkills, remoteUrls } from './remote-skills.ts';

const skill = (name: string, body = 'Body.'): string =>
  `---\nname: ${name}\ndescription: "Does it. Use when it has to be done."\n---\n\n${body}\n`;

const LIST = 'https://skills.example/.well-known/agent-skills/index.json';

const setup = () => {
  const pages = new Map<string, string | Uint8Array<ArrayBuffer>>();
  const asked: string[] = [];
  const { log, lines } = collectLog();
  const get: typeof fetch = (input) => {
    const url = input instanceof Request ? input.url : String(input);
    asked.push(url);
    const page = pages.get(url);
    // What a browser throws where there is no network, and where another page may not be read.
    return page === undefined ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(new Response(page));
  };
  const remote = createRemoteSkills({ get, cache: createMemoryTree({}, 'cache'), log });
  return { pages, asked, lines, remote };
};

const textOf = async (trees: Awaited<ReturnType<ReturnType<typeof setup>['remote']['fetch']>>, path: string) => {
  for (const tree of trees) {
    const bytes = await tree.read(path);
    if (bytes) return new TextDecoder().decode(bytes);
  }
  return undefined;
};

describe('remote skills', () => {
  it('RS1: a SKILL.md and an archive are fetched, each into a folder of its name', async () => {
    const { pages, remote, lines } = setup();
    const packed = await writeZip(createMemoryTree({ 'ropes/SKILL.md': skill('ropes') }, 'ropes'), '');
    pages.set('https://a.example/knots/SKILL.md', skill('knots'));
    pages.set('https://b.example/ropes.skill', packed.ok ? new Uint8Array(packed.value) : '');
    const trees = await remote.fetch(['https://a.example/knots/SKILL.md', 'https://b.example/ropes.skill']);
    expect(await textOf(trees, 'knots/SKILL.md')).toBe(skill('knots'));
    expect(await textOf(trees, 'ropes/SKILL.md')).toBe(skill('ropes'));
    expect(lines).toEqual([]);
  });

  it('RS2: without a network the copy serves, and the log says so; without a copy it says why', async () => {
    const { pages, remote, lines } = setup();
    const url = 'https://a.example/knots/SKILL.md';
    expect(await remote.fetch([url])).toEqual([]);
    expect(lines.at(-1)?.text).toMatch(/a\.example cannot be read from a page.*\(CORS\)/);
    pages.set(url, skill('knots'));
    await remote.fetch([url]);
    pages.delete(url);
    expect(await textOf(await remote.fetch([url]), 'knots/SKILL.md')).toBe(skill('knots'));
    expect(lines.at(-1)?.text).toMatch(/The copy of the last visit is used\.$/);
  });

  it('RS3: a skill of a list is fetched again only when its digest changes', async () => {
    const { pages, remote, asked } = setup();
    const at = 'https://skills.example/knots/SKILL.md';
    const publish = (body: string): void => {
      const digest = `sha256:${sha256(new TextEncoder().encode(skill('knots', body)))}`;
      pages.set(at, skill('knots', body));
      pages.set(
        LIST,
        JSON.stringify({ skills: [{ name: 'knots', type: 'skill-md', url: '/knots/SKILL.md', digest }] }),
      );
    };
    const asks = (): number => asked.filter((url) => url === at).length;
    publish('One.');
    expect(await textOf(await remote.fetch([LIST]), 'knots/SKILL.md')).toContain('One.');
    expect(await textOf(await remote.fetch([LIST]), 'knots/SKILL.md')).toContain('One.');
    expect(asks()).toBe(1);
    publish('Two.');
    expect(await textOf(await remote.fetch([LIST]), 'knots/SKILL.md')).toContain('Two.');
    expect(asks()).toBe(2);
    pages.clear();
    expect(await textOf(await remote.fetch([LIST]), 'knots/SKILL.md')).toContain('Two.');
  });

  it('RS4: what is kept is read without asking anybody', async () => {
    const { pages, remote, asked } = setup();
    const url = 'https://a.example/knots/SKILL.md';
    expect(await remote.kept([url, LIST])).toEqual([]);
    pages.set(url, skill('knots'));
    await remote.fetch([url]);
    asked.length = 0;
    expect(await textOf(await remote.kept([url]), 'knots/SKILL.md')).toBe(skill('knots'));
    expect(asked).toEqual([]);
  });

  it('RS5: the addresses are those of the folder’s configuration', async () => {
    const config = 'skills:\n  urls: [https://a.example/knots/SKILL.md]\n';
    expect(await remoteUrls(createMemoryTree({ '.agents/config.yaml': config }, 'top'))).toEqual([
      'https://a.example/knots/SKILL.md',
    ]);
    expect(await remoteUrls(createMemoryTree({}, 'top'))).toEqual([]);
    expect(await remoteUrls(createMemoryTree({ '.agents/config.yaml': 'skills: 3' }, 'top'))).toEqual([]);
  });
});
