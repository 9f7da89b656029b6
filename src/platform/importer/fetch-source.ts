/**
 * Skills from an address, with all their files:
 *
 *   github.com/OWNER/REPO[/tree/REF/PATH], raw.githubusercontent.com/…/SKILL.md → tree API, then raw files
 *   …/.well-known/agent-skills/index.json → the listed skill (file or archive, digest checked)
 *   any other address → an archive, or a lone SKILL.md
 *
 * Other hosts must allow the page to read them (CORS); the terminal has no such limit.
 */
import { sha256 } from '../../base/hash.ts';
import { baseName } from '../../base/paths.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { isBelow } from '../../model/files/file-tree.ts';
import { admitFiles, linkLeftOut, submoduleLeftOut, type LeftOut } from '../../model/files/write-rules.ts';
import { z } from '../../model/zod.ts';
import { isArchive, readSkillArchive } from '../fs/archive.ts';
import { readBounded } from './bounded-body.ts';
import { LIST_PATH, listedAddress, readListResponse, type ListedSkill } from './skill-list.ts';
import type { CachedSource, SourceCache } from './source-cache.ts';

export const SOURCE_LIMITS = { files: 500, bytes: 20 * 1024 * 1024, fileBytes: 5 * 1024 * 1024 } as const;

export interface FetchedSource {
  readonly name: string;
  readonly from: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What may not be written, and is not in `files`. */
  readonly leftOut: readonly LeftOut[];
  /** Milliseconds since 1970, if it came from the cache. */
  readonly cachedAt?: number;
  readonly rateLimit?: RateLimit;
}

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970. */
  readonly reset: number;
}

export interface SourceProblem {
  readonly code:
    | 'address'
    | 'not-found'
    | 'rate-limit'
    | 'cors'
    | 'network'
    | 'too-large'
    | 'unsafe'
    | 'no-skill'
    | 'ambiguous'
    | 'digest';
  readonly message: string;
  /** Skills to choose from. */
  readonly choices?: readonly string[];
  readonly rateLimit?: RateLimit;
}

export interface FetchDeps {
  readonly get: typeof fetch;
  readonly cache: SourceCache;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
  /** A page can read only what other hosts allow it to; a terminal reads everything that can be reached. */
  readonly isTerminal?: boolean;
}

export interface FetchOptions {
  /** Which of several skills. */
  readonly path?: string;
  readonly refresh?: boolean;
  /** Of the list at the address, which was read already. */
  readonly listed?: ListedSkill;
}

type Fetched = Result<FetchedSource, SourceProblem>;
const problem = (
  code: SourceProblem['code'],
  message: string,
  more: Partial<SourceProblem> = {},
): Result<never, SourceProblem> => err({ code, message, ...more });

interface GithubPlace {
  readonly owner: string;
  readonly repo: string;
  readonly ref: string;
  readonly path: string;
}

/** Nothing for an address of another host. */
export const readGithubAddress = (url: URL): GithubPlace | undefined => {
  const parts = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const [owner, repo, third, fourth, ...rest] = parts;
  if (owner === undefined || repo === undefined) return undefined;
  if (url.hostname === 'github.com' || url.hostname === 'www.github.com') {
    const isPlace = third === 'tree' || third === 'blob';
    const path = isPlace ? rest.join('/') : '';
    return {
      owner,
      repo: repo.replace(/\.git$/, ''),
      ref: isPlace ? (fourth ?? 'HEAD') : 'HEAD',
      path: path.replace(/\/?SKILL\.md$/, ''),
    };
  }
  if (url.hostname !== 'raw.githubusercontent.com') return undefined;
  const isRefs = third === 'refs';
  const [ref, path] = isRefs ? [rest[0] ?? 'HEAD', rest.slice(1)] : [third ?? 'HEAD', [fourth ?? '', ...rest]];
  return { owner, repo, ref, path: path.join('/').replace(/\/?SKILL\.md$/, '') };
};

const rateOf = (headers: Headers): RateLimit | undefined => {
  const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
  const remaining = Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  return Number.isNaN(limit) || Number.isNaN(remaining)
    ? undefined
    : { limit, remaining, reset: Number.isNaN(reset) ? 0 : reset };
};

const treeSchema = z.object({
  truncated: z.boolean(),
  tree: z.array(z.object({ path: z.string(), type: z.string(), mode: z.string(), size: z.number().exactOptional() })),
});

/** Why nothing came from a host, and what to do: a browser does not tell a host that is down from one that refuses pages. */
export const unreachable = (thrown: TypeError, host: string, address: string, isTerminal = false): string => {
  if (!isTerminal)
    return `${host} can’t be read from a page. It may be down, or it blocks browser requests (CORS). To read it anyway, run lathe import ${address} --out DIR in a terminal.`;
  const { cause } = thrown;
  const why = cause instanceof Error && cause.message !== '' ? cause.message : thrown.message;
  return `${host} can’t be reached (${why}). Check the URL and your network.`;
};

/** GitHub gives commits of forks and of pull requests under the repository's own address, so such a ref says nothing about who wrote it. */
const isAnybodys = (ref: string): boolean => /^[0-9a-f]{7,64}$/i.test(ref) || /(?:^|\/)pull\//i.test(ref);

export const fetchSource = async (deps: FetchDeps, address: string, options: FetchOptions = {}): Promise<Fetched> => {
  const { get, cache, signal, onProgress } = deps;
  const full = address.startsWith('agentskills.io/')
    ? `https://github.com/${address.slice('agentskills.io/'.length)}`
    : address;
  if (!URL.canParse(full)) return problem('address', `${address} isn’t a valid URL. It must start with https://.`);
  const url = new URL(full);
  if (url.protocol !== 'https:' && !/^(?:localhost|127\.0\.0\.1)$/.test(url.hostname))
    return problem('address', 'Lathe imports only from https URLs.');
  if (url.username !== '' || url.password !== '')
    return problem('address', 'The URL contains a user name or password. Remove it.');
  const key = `${url.href}#${options.path ?? ''}`;
  const cached: CachedSource | undefined = options.refresh === true ? undefined : await cache.get(key);
  if (cached)
    return ok({
      name: cached.name,
      from: cached.from,
      files: cached.files,
      leftOut: cached.leftOut,
      cachedAt: cached.fetchedAt,
    });

  const ask = async (target: URL | string): Promise<Result<Response, SourceProblem>> => {
    try {
      const response = await get(target, {
        redirect: 'follow',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        ...(signal && { signal }),
      });
      const rateLimit = rateOf(response.headers);
      if (response.ok) return ok(response);
      if ((response.status === 403 || response.status === 429) && rateLimit?.remaining === 0) {
        const at = new Date(rateLimit.reset * 1000).toISOString().slice(11, 16);
        return problem(
          'rate-limit',
          `GitHub allows ${rateLimit.limit} requests an hour, and you have used them all. Try again after ${at} UTC, or import a zip.`,
          { rateLimit },
        );
      }
      return problem(
        response.status === 404 ? 'not-found' : 'network',
        `${new URL(target).hostname} answered ${response.status}.`,
      );
    } catch (thrown) {
      if (!(thrown instanceof TypeError)) throw thrown;
      return problem('cors', unreachable(thrown, new URL(target).hostname, address, deps.isTerminal));
    }
  };

  const bytesOf = async (response: Response, limit: number): Promise<Result<Uint8Array, SourceProblem>> => {
    const bytes = await readBounded(response, limit);
    return bytes.ok ? bytes : problem('too-large', `It is larger than ${Math.floor(limit / 1024 / 1024)} MB.`);
  };

  const keep = async (source: FetchedSource): Promise<Fetched> => {
    await cache.put(key, source);
    return ok(source);
  };

  const fromGithub = async ({ owner, repo, ref, path }: GithubPlace): Promise<Fetched> => {
    const listed = await ask(
      `https://api.github.com/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/git/trees/${encodeURIComponent(ref)}?recursive=1`,
    );
    if (!listed.ok) return listed;
    const rateLimit = rateOf(listed.value.headers);
    const parsed = treeSchema.safeParse(await listed.value.json());
    if (!parsed.success) return problem('network', 'GitHub’s response isn’t a list of files.');
    const wanted = options.path ?? path;
    const skills = parsed.data.tree
      .filter(({ path: file, type }) => type === 'blob' && baseName(file) === 'SKILL.md')
      .map(({ path: file }) => file.replace(/\/?SKILL\.md$/, ''));
    const inside = skills.filter((folder) => wanted === '' || folder === wanted || folder.startsWith(`${wanted}/`));
    const folder = inside.includes(wanted) ? wanted : inside.length === 1 ? inside[0] : undefined;
    if (inside.length === 0)
      return problem(
        'no-skill',
        `There is no SKILL.md in ${owner}/${repo}${wanted === '' ? '' : `/${wanted}`}${parsed.data.truncated ? ', as far as GitHub listed it' : ''}.`,
      );
    if (folder === undefined)
      return problem('ambiguous', `There are ${inside.length} skills. Choose one.`, { choices: inside });
    const within = parsed.data.tree.filter(({ path: file }) => isBelow(folder, file));
    const rows = within.filter(({ type }) => type === 'blob');
    const isLink = ({ mode }: { readonly mode: string }): boolean => mode === '120000';
    const regular = rows.filter((row) => !isLink(row));
    const inner = (file: string): string => (folder === '' ? file : file.slice(folder.length + 1));
    const admitted = admitFiles(new Map(regular.map((row) => [inner(row.path), row])));
    if (!admitted.ok) return problem('unsafe', admitted.error);
    const files = [...admitted.value.files.values()];
    const size = files.reduce((sum, item) => sum + (item.size ?? 0), 0);
    if (files.length > SOURCE_LIMITS.files)
      return problem('too-large', `The skill has ${files.length} files; the limit is ${SOURCE_LIMITS.files}.`);
    if (size > SOURCE_LIMITS.bytes)
      return problem(
        'too-large',
        `The skill has ${Math.ceil(size / 1024 / 1024)} MB; the limit is ${SOURCE_LIMITS.bytes / 1024 / 1024} MB.`,
      );
    const contents = new Map<string, Uint8Array>();
    for (const { path: file } of files) {
      const target = `https://raw.githubusercontent.com/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/${encodeURIComponent(ref)}/${file.split('/').map(encodeURIComponent).join('/')}`;
      const response = await ask(target);
      if (!response.ok) return response;
      const bytes = await bytesOf(response.value, SOURCE_LIMITS.fileBytes);
      if (!bytes.ok) return bytes;
      contents.set(inner(file), bytes.value);
      onProgress?.({ done: contents.size, total: files.length });
    }
    return keep({
      name: baseName(folder) || repo,
      from: `github.com/${owner}/${repo}${folder === '' ? '' : `/${folder}`}${isAnybodys(ref) ? `@${ref}` : ''}`,
      files: contents,
      leftOut: [
        ...admitted.value.leftOut,
        ...rows.filter(isLink).map((row) => linkLeftOut(inner(row.path))),
        ...within.filter(({ type }) => type === 'commit').map((row) => submoduleLeftOut(inner(row.path))),
      ],
      ...(rateLimit && { rateLimit }),
    });
  };

  const fromBytes = async (bytes: Uint8Array, name: string, from: string): Promise<Fetched> => {
    if (isArchive(bytes)) {
      const read = await readSkillArchive(bytes, name);
      return read.ok ? keep({ ...read.value, from }) : problem('unsafe', read.error.message);
    }
    const start = new TextDecoder().decode(bytes.subarray(0, 64));
    if (!/^\uFEFF?---\s*\n/.test(start))
      return problem('no-skill', 'The URL’s content isn’t a SKILL.md. It doesn’t start with ---.');
    return keep({
      name: name
        .replace(/\.md$/i, '')
        .replace(/^SKILL$/, baseName(url.pathname.replace(/\/SKILL\.md$/, '')) || 'skill'),
      from,
      files: new Map([['SKILL.md', bytes]]),
      leftOut: [],
    });
  };

  const fromList = async (listed: ListedSkill): Promise<Fetched> => {
    const target = listedAddress(listed, url);
    if (!target.ok) return problem('unsafe', target.error);
    const file = await ask(target.value);
    if (!file.ok) return file;
    const bytes = await bytesOf(file.value, SOURCE_LIMITS.bytes);
    if (!bytes.ok) return bytes;
    if (listed.digest !== undefined && listed.digest !== `sha256:${sha256(bytes.value)}`)
      return problem('digest', `${listed.name} doesn’t match the list: its digest differs.`);
    return fromBytes(bytes.value, `${listed.name}${listed.type === 'archive' ? '.zip' : '.md'}`, target.value.href);
  };

  const fromIndex = async (): Promise<Fetched> => {
    const response = await ask(url);
    if (!response.ok) return response;
    const list = await readListResponse(response.value);
    if (!list.ok) return problem('no-skill', list.error);
    const { skills, note } = list.value;
    const chosen =
      options.path === undefined
        ? skills.length === 1
          ? skills[0]
          : undefined
        : skills.find(({ name }) => name === options.path);
    if (chosen) return fromList(chosen);
    if (skills.length === 0) return problem('no-skill', note ?? 'The list has no skills.');
    return problem('ambiguous', `The list has ${skills.length} skills. Choose one.`, {
      choices: skills.map(({ name }) => name),
    });
  };

  if (options.listed) return fromList(options.listed);
  const place = readGithubAddress(url);
  if (place) return fromGithub(place);
  if (url.pathname.endsWith(LIST_PATH)) return fromIndex();
  const response = await ask(url);
  if (!response.ok) return response;
  const bytes = await bytesOf(response.value, SOURCE_LIMITS.bytes);
  return bytes.ok ? fromBytes(bytes.value, baseName(url.pathname) || 'skill', url.href) : bytes;
};
