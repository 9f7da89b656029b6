/**
 * Everything that Lathe keeps in the browser: tables, their rows and keys. The shape of the tables is versioned in `database.ts`; rows
 * are checked when they are read, because an older version of the page may have written them.
 */
import { z } from '../../model/zod.ts';
import type { LatheEvent } from '../../model/event/types.ts';

const time = z.number().nonnegative();

/** A folder that a person opened. The handle is the browser's own object. */
export interface HandleRow {
  readonly id: string;
  readonly role: 'project' | 'user' | 'config' | 'watched';
  /** The folder's name; for `config` the name in the configuration. */
  readonly name: string;
  readonly handle: FileSystemDirectoryHandle;
  readonly usedAt: number;
}

const handleSchema = z.object({
  id: z.string(),
  role: z.enum(['project', 'user', 'config', 'watched']),
  name: z.string(),
  handle: z.custom<FileSystemDirectoryHandle>(
    (value) => typeof value === 'object' && value !== null && 'kind' in value,
  ),
  usedAt: time,
});

const settingSchema = z.object({ key: z.string(), value: z.unknown() });

const draftSchema = z.object({
  workspace: z.string(),
  path: z.string(),
  text: z.string(),
  /** The text on disk that it was made of, for a merge, and its hash. */
  base: z.string(),
  baseHash: z.string(),
  savedAt: time,
});
export type DraftRow = z.infer<typeof draftSchema>;

const totalsSchema = z.object({
  turns: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** In US dollars; absent where a price is unknown. */
  cost: z.number().exactOptional(),
});

/** A folder that can be open. */
export const folderIdentitySchema = z.object({
  /** The same for the same folder at every visit. */
  id: z.string(),
  name: z.string(),
  kind: z.enum(['demo', 'disk', 'private', 'copy']),
});
export type FolderIdentity = z.infer<typeof folderIdentitySchema>;

const sessionSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** The folder's name. */
  workspace: z.string(),
  /** The folder that it belongs to (D41). Absent in rows from before that was known. */
  folder: folderIdentitySchema.exactOptional(),
  model: z.string(),
  createdAt: time,
  updatedAt: time,
  totals: totalsSchema,
  events: z.number(),
  /** How many rows of `events` it has; the next one gets this number. */
  chunks: z.number(),
});
export type SessionRow = z.infer<typeof sessionSchema>;

/** Events in the order in which they happened; never changed once written. */
const chunkSchema = z.object({
  session: z.string(),
  chunk: z.number(),
  events: z.array(z.custom<LatheEvent>((value) => typeof value === 'object' && value !== null && 'type' in value)),
});

const consentSchema = z.object({ hash: z.string(), skill: z.string(), givenAt: time });
export type ConsentRow = z.infer<typeof consentSchema>;

/** Where a skill folder came from that is not the person's own. */
const originSchema = z.object({
  workspace: z.string(),
  path: z.string(),
  kind: z.enum(['share-link', 'zip', 'url', 'drop', 'import']),
  /** An address or a file's name. */
  from: z.string(),
  at: time,
});
export type OriginRow = z.infer<typeof originSchema>;

const bytesSchema = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array);

/** Keys of providers, encrypted together. `vault.ts` says how. */
const vaultSchema = z.object({
  id: z.literal('keys'),
  version: z.literal(1),
  iterations: z.number(),
  salt: bytesSchema,
  iv: bytesSchema,
  data: bytesSchema,
});
export type VaultRow = z.infer<typeof vaultSchema>;

/** What a large folder was when it was read last: its listings and the files that were read. `kept-folders.ts` says how. */
const keptSchema = z.object({ folder: z.string(), savedAt: time, index: z.string(), content: bytesSchema });

/** A result of a run of a suite; the run is the digest of its plan. */
const evalSchema = z.object({ run: z.string(), key: z.string(), record: z.unknown() });

export const TABLES = {
  handles: { key: ['id'], schema: handleSchema },
  settings: { key: ['key'], schema: settingSchema },
  drafts: { key: ['workspace', 'path'], schema: draftSchema },
  sessions: { key: ['id'], schema: sessionSchema },
  events: { key: ['session', 'chunk'], schema: chunkSchema },
  consents: { key: ['hash'], schema: consentSchema },
  origins: { key: ['workspace', 'path'], schema: originSchema },
  vault: { key: ['id'], schema: vaultSchema },
  kept: { key: ['folder'], schema: keptSchema },
  evals: { key: ['run', 'key'], schema: evalSchema },
} as const;

export type TableName = keyof typeof TABLES;
export type Row<T extends TableName> = z.infer<(typeof TABLES)[T]['schema']>;
/** The values of the key's fields, in order. */
export type Key = readonly (string | number)[];

export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

export const keyOf = <T extends TableName>(table: T, row: Row<T>): Key =>
  TABLES[table].key.map((field) => (row as Readonly<Record<string, string | number>>)[field] ?? '');
