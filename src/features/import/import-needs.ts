/** What the panel needs from outside, made of the page's services. */
import { createSmoke } from '../../model/executor/smoke.ts';
import type { PythonRunner } from '../../model/executor/types.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { readSkillArchive } from '../../platform/fs/archive.ts';
import { createVerify } from '../../platform/importer/ed25519.ts';
import { fetchSource } from '../../platform/importer/fetch-source.ts';
import { readSourceFolder } from '../../platform/importer/read-source-folder.ts';
import { createSigningKeys, type SigningKeys } from '../../platform/importer/signing-keys.ts';
import type { SourceCache } from '../../platform/importer/source-cache.ts';
import type { Settings } from '../../platform/store/settings.ts';
import type { Vault } from '../../platform/store/vault.ts';
import type { ImportStoreDeps, SourceAnswer } from './import-store.ts';

export interface ImportNeedsDeps {
  readonly fetch: typeof fetch;
  readonly crypto: Crypto;
  readonly settings: Settings;
  readonly vault?: Vault;
  readonly cache: SourceCache;
  readonly tree: () => FileTree | undefined;
  /** `public/demo-import/`. */
  readonly demoUrl: URL;
  /** A folder that a person picks; nothing if they do not. */
  readonly pickTree?: () => Promise<FileTree | undefined>;
  readonly python?: PythonRunner;
  readonly model?: ImportStoreDeps['model'];
  readonly scan?: ImportStoreDeps['scan'];
  readonly onInstalled: ImportStoreDeps['onInstalled'];
  readonly pause?: ImportStoreDeps['pause'];
  readonly now: () => number;
}

const DEMO = 'harbour-desk';
const DEMO_FILES = ['SKILL.md', 'scripts/harbour.py', 'evals/eval_queries.json'];

const fail = (message: string, choices?: readonly string[]): SourceAnswer => ({
  ok: false,
  message,
  ...(choices && { choices }),
});

const readTree = async (tree: FileTree): Promise<SourceAnswer> => {
  if ((await tree.size('SKILL.md')) === undefined) return fail('No SKILL.md in this folder. Choose a skill’s folder.');
  const read = await readSourceFolder(tree);
  return read.ok ? { ok: true, source: { name: tree.name, from: tree.name, ...read.value } } : fail(read.error);
};

export interface ImportNeeds {
  readonly deps: ImportStoreDeps;
  readonly keys: SigningKeys;
}

export const createImportNeeds = (needs: ImportNeedsDeps): ImportNeeds => {
  const keys = createSigningKeys({
    settings: needs.settings,
    crypto: needs.crypto,
    ...(needs.vault && { vault: needs.vault }),
  });
  const { pickTree } = needs;
  return {
    keys,
    deps: {
      fetch: async (address, path) => {
        const fetched = await fetchSource(
          { get: needs.fetch, cache: needs.cache },
          address,
          path === undefined ? {} : { path },
        );
        if (!fetched.ok) return fail(fetched.error.message, fetched.error.choices);
        const { name, from, files, leftOut, cachedAt, rateLimit } = fetched.value;
        const note =
          cachedAt === undefined
            ? rateLimit && `GitHub: ${rateLimit.remaining} of ${rateLimit.limit} requests left this hour.`
            : `Cached copy from ${new Date(cachedAt).toISOString().slice(0, 10)}. No request was made.`;
        return { ok: true, source: { name, from, files, leftOut, ...(note !== undefined && { note }) } };
      },
      readArchive: async (bytes, name) => {
        const read = await readSkillArchive(bytes, name);
        return read.ok ? { ok: true, source: { ...read.value, from: name } } : fail(read.error.message);
      },
      ...(pickTree && {
        pickFolder: async () => {
          const tree = await pickTree();
          return tree && readTree(tree);
        },
      }),
      demo: async () => {
        const files = new Map<string, Uint8Array>();
        for (const path of DEMO_FILES) {
          const response = await needs.fetch(new URL(`${DEMO}/${path}`, needs.demoUrl));
          if (!response.ok) return fail(`Can’t load the demo skill: status ${response.status}.`);
          files.set(path, new Uint8Array(await response.arrayBuffer()));
        }
        return { ok: true, source: { name: DEMO, from: 'demo', files } };
      },
      signer: keys.own,
      trusted: keys.trusted,
      verify: createVerify(needs.crypto.subtle),
      tree: needs.tree,
      onInstalled: needs.onInstalled,
      person: () => 'the person at this browser',
      now: needs.now,
      ...(needs.python && { smoke: createSmoke(needs.python, new AbortController().signal) }),
      ...(needs.model && { model: needs.model }),
      ...(needs.pause && { pause: needs.pause }),
      ...(needs.scan && { scan: needs.scan }),
    },
  };
};
