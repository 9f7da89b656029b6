import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { sha256 } from '../../base/hash.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { writeZip } from '../fs/zip.ts';
import { configOf } from '../../model/library/config.ts';
import { createRemoteSkills, sourceName, type RemoteAddress } from './remote-skills.ts';

const skill = (name: string, body = 'Body.'): string =>
  `---\nname: ${name}\ndescription: "Does it. Use when it has to be done."\n---\n\n${body}\n`;

const LIST = 'https://skills.example/.well-known/agent-skills/index.json';

const KNOTS = 'https://skills.example/knots/SKILL.md';

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
  const cache = createMemoryTree({}, 'cache');
  const remote = createRemoteSkills({ get, cache, log });
  /** A list with one skill. */
  const publish = (body: string): void => {
    const digest = `sha256:${sha256(new TextEncoder().encode(skill('knots', body)))}`;
    pages.set(KNOTS, skill('knots', body));
    pages.set(LIST, JSON.stringify({ skills: [{ name: 'knots', type: 'skill-md', url: '/knots/SKILL.md', digest }] }));
  };
  return { pages, asked, lines, remote, cache, publish };
};

const textOf = async ({ tree }: RemoteAddress, path: string) => {
  const bytes = await tree?.read(path);
  return bytes && new TextDecoder().decode(bytes);
};

describe('remote skills', () => {
  it('RS1: a SKILL.md and an archive are fetched, each into a folder of its name', async () => {
    const { pages, remote, lines } = setup();
    const packed = await writeZip(createMemoryTree({ 'ropes/SKILL.md': skill('ropes') }, 'ropes'), '');
    pages.set('https://a.example/knots/SKILL.md', skill('knots'));
    pages.set('https://b.example/ropes.skill', packed.ok ? new Uint8Array(packed.value) : '');
    const knots = await remote.fetch('https://a.example/knots/SKILL.md');
    expect(await textOf(knots, 'knots/SKILL.md')).toBe(skill('knots'));
    expect(knots.tree?.name).toBe('a.example/knots');
    expect(await textOf(await remote.fetch('https://b.example/ropes.skill'), 'ropes/SKILL.md')).toBe(skill('ropes'));
    expect(lines).toEqual([]);
  });

  it('RS1: an address is called by its host and what is its own', () => {
    expect(sourceName(LIST)).toBe('skills.example');
    expect(sourceName('https://a.example/knots/SKILL.md')).toBe('a.example/knots');
    expect(sourceName('https://b.example/x/ropes.skill?v=2')).toBe('b.example/x/ropes.skill?v=2');
  });

  it('RS2: without a network the copy serves, and the log says so; without a copy it says why', async () => {
    const { pages, remote, lines } = setup();
    const url = 'https://a.example/knots/SKILL.md';
    const none = await remote.fetch(url);
    expect(none.tree).toBeUndefined();
    expect(none.problem).toMatch(/a\.example can’t be read from a page.*\(CORS\)/);
    expect(lines.at(-1)?.text).toBe(`${url}: ${none.problem}`);
    pages.set(url, skill('knots'));
    expect(await remote.fetch(url)).not.toHaveProperty('problem');
    pages.delete(url);
    const copy = await remote.fetch(url);
    expect(await textOf(copy, 'knots/SKILL.md')).toBe(skill('knots'));
    expect(copy.problem).toMatch(/Lathe uses the saved copy\.$/);
    expect(lines.at(-1)?.text).toMatch(/Lathe uses the saved copy\.$/);
  });

  it('RS2: a list that cannot be reached, and one that is none', async () => {
    const { pages, remote } = setup();
    expect((await remote.fetch(LIST)).problem).toMatch(/skills\.example can’t be read from a page.*\(CORS\)/);
    pages.set(LIST, 'no list');
    expect((await remote.fetch(LIST)).problem).toBe('The skill list isn’t valid JSON.');
    pages.set(LIST, '{"skills": 3}');
    expect((await remote.fetch(LIST)).problem).toBe('The skill list doesn’t have the right format.');
  });

  it('RS3: a skill of a list is fetched again only when its digest changes', async () => {
    const { pages, remote, asked, publish } = setup();
    const asks = (): number => asked.filter((url) => url === KNOTS).length;
    publish('One.');
    expect(await textOf(await remote.fetch(LIST), 'knots/SKILL.md')).toContain('One.');
    expect(await textOf(await remote.fetch(LIST), 'knots/SKILL.md')).toContain('One.');
    expect(asks()).toBe(1);
    publish('Two.');
    expect(await textOf(await remote.fetch(LIST), 'knots/SKILL.md')).toContain('Two.');
    expect(asks()).toBe(2);
    pages.clear();
    expect(await textOf(await remote.fetch(LIST), 'knots/SKILL.md')).toContain('Two.');
  });

  it('RS4: what is kept is read without asking anybody', async () => {
    const { pages, remote, asked } = setup();
    const url = 'https://a.example/knots/SKILL.md';
    expect((await remote.kept(url)).tree).toBeUndefined();
    expect((await remote.kept(LIST)).tree).toBeUndefined();
    pages.set(url, skill('knots'));
    await remote.fetch(url);
    asked.length = 0;
    expect(await textOf(await remote.kept(url), 'knots/SKILL.md')).toBe(skill('knots'));
    expect(asked).toEqual([]);
  });

  it('RS5: the addresses are those of the folder’s configuration', async () => {
    const config = 'skills:\n  urls: [https://a.example/knots/SKILL.md]\n';
    expect((await configOf(createMemoryTree({ '.agents/config.yaml': config }, 'top'))).urls).toEqual([
      'https://a.example/knots/SKILL.md',
    ]);
    expect((await configOf(createMemoryTree({}, 'top'))).urls).toEqual([]);
    expect((await configOf(createMemoryTree({ '.agents/config.yaml': 'skills: 3' }, 'top'))).urls).toEqual([]);
  });

  it('RS6: nothing is left of what is forgotten, nor of an older version', async () => {
    const { pages, remote, cache, publish } = setup();
    const url = 'https://a.example/knots/SKILL.md';
    pages.set(url, skill('knots'));
    await remote.fetch(url);
    publish('One.');
    await remote.fetch(LIST);
    publish('Two.');
    await remote.fetch(LIST);
    // A head and a body for each of the two skills, and the list.
    expect([...cache.files.keys()]).toHaveLength(5);
    await remote.forget(url);
    await remote.forget(LIST);
    expect([...cache.files.keys()]).toEqual([]);
    await remote.forget(LIST);
  });

  describe('a hostile list', () => {
    const listOf = (skills: readonly unknown[]): string => JSON.stringify({ skills });
    const entry = (name: string, url = '/knots/SKILL.md') => ({ name, type: 'skill-md', url });

    it('RS8: a list that is larger than 1 MiB is not read to its end', async () => {
      const { remote, pages } = setup();
      pages.set(LIST, listOf([{ ...entry('knots'), note: 'x'.repeat(1024 * 1024) }]));
      expect(await remote.fetch(LIST)).toMatchObject({
        tree: undefined,
        problem: 'The skill list is larger than 1 MB.',
      });
    });

    it('RS8: of a list with more than 200 skills the first 200 are fetched, and it says so', async () => {
      const { remote, pages, asked } = setup();
      pages.set(KNOTS, skill('knots'));
      pages.set(LIST, listOf(Array.from({ length: 5000 }, (_, index) => entry(`s${index}`))));
      const { tree, problem } = await remote.fetch(LIST);
      expect((await tree?.list(''))?.length).toBe(200);
      expect(problem).toMatch(/^The list has 5,000 skills\. Lathe reads the first 200\./);
      expect(asked.filter((url) => url === LIST)).toHaveLength(1);
      expect(asked.filter((url) => url === KNOTS)).toHaveLength(200);
    });

    it.each(['../../.git/hooks', 'a/b', '..', '', 'con', 'a\u0000b', 'x'.repeat(300), '.git'])(
      'RS9: refuses a skill with the name %j and fetches the others',
      async (name) => {
        const { remote, pages } = setup();
        pages.set(KNOTS, skill('knots'));
        pages.set(LIST, listOf([entry(name), entry('knots')]));
        const { tree, problem } = await remote.fetch(LIST);
        expect((await tree?.list(''))?.map((item) => item.name)).toEqual(['knots']);
        expect(problem).toMatch(/isn't a valid name/);
      },
    );

    it.each([
      'http://skills.example/x',
      'file:///etc/passwd',
      'https://localhost/x',
      'https://127.0.0.1:8080/x',
      'https://[::1]/x',
      'https://192.168.1.1/x',
      'https://10.0.0.1/x',
      'https://169.254.169.254/latest',
      'https://router.local/x',
      'https://me:pw@skills.example/x',
      '//',
    ])('RS10: a list on the internet never makes Lathe ask %s', async (url) => {
      const { remote, pages, asked } = setup();
      pages.set(KNOTS, skill('knots'));
      pages.set(LIST, listOf([entry('bad', url), entry('knots')]));
      const { tree, problem } = await remote.fetch(LIST);
      expect((await tree?.list(''))?.map((item) => item.name)).toEqual(['knots']);
      expect(problem).toMatch(/^bad: /);
      expect(asked).toEqual([LIST, KNOTS]);
    });

    it('RS9: two skills of one name are one, the first', async () => {
      const { remote, pages } = setup();
      pages.set(KNOTS, skill('knots', 'First.'));
      pages.set('https://skills.example/other/SKILL.md', skill('knots', 'Second.'));
      pages.set(LIST, listOf([entry('knots'), entry('knots', '/other/SKILL.md'), entry('KNOTS', '/other/SKILL.md')]));
      const found = await remote.fetch(LIST);
      expect(await textOf(found, 'knots/SKILL.md')).toContain('First.');
      expect((await found.tree?.list(''))?.length).toBe(1);
    });

    it('RS9: a broken entry does not hide the others', async () => {
      const { remote, pages } = setup();
      pages.set(KNOTS, skill('knots'));
      pages.set(LIST, listOf([{ name: 3 }, null, 'x', { name: 'knots', type: 'program', url: '/x' }, entry('knots')]));
      const { tree, problem } = await remote.fetch(LIST);
      expect((await tree?.list(''))?.map((item) => item.name)).toEqual(['knots']);
      expect(problem).toBe('Lathe ignored 4 entries of the list because they are not skills.');
    });
  });
});
