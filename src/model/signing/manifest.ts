/** The manifest of an executor, as it is read back. Only what is used after the signature was checked. */
import { parse, TomlError } from 'smol-toml';
import { errorLine } from '../../base/errors.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { isTreePath } from '../files/file-tree.ts';
import { z } from '../zod.ts';

const property = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array']),
  format: z.string().exactOptional(),
  items: z.enum(['string', 'object']).exactOptional(),
  enum: z.array(z.string()).exactOptional(),
  default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
  description: z.object({ it: z.string(), en: z.string() }),
});

const path = z.string().refine((value) => value !== '' && isTreePath(value), 'isn’t a path inside the folder');

const manifestSchema = z.object({
  manifest_format: z.literal('1.0'),
  executor_standard: z.literal('lathe.executor/1.0'),
  name: z.string().regex(/^[a-z][a-z0-9_]*$/),
  version: z.string(),
  author: z.string(),
  affinity: z.array(z.string()),
  revertible: z.boolean(),
  reverse_pattern: z.string().exactOptional(),
  execution: z.object({
    effect: z.enum(['read', 'change']),
    runtime: z.literal('python'),
    entry: path,
    timeout_seconds: z.number(),
  }),
  description: z.object({ it: z.string(), en: z.string() }),
  code: z.object({ files: z.array(path), digest: z.string().regex(/^sha256:[0-9a-f]{64}$/) }),
  args: z.object({
    type: z.literal('object'),
    required: z.array(z.string()),
    requires_one_of: z.array(z.string()).exactOptional(),
    properties: z.record(z.string(), property).exactOptional(),
  }),
  output: z.object({ kind: z.enum(['entries', 'results']), record_kind: z.string(), schema_inline: z.string() }),
  capabilities: z.array(z.object({ name: z.string(), hint: z.string() })).exactOptional(),
  required_credentials: z
    .array(
      z.object({
        binding: z.string(),
        fields: z.array(z.string()),
        kinds: z.array(z.string()),
        prompts: z.array(z.string()),
      }),
    )
    .exactOptional(),
  provenance: z.object({
    synthesized: z.literal(true),
    imported_from: z.string(),
    /** Absent in what was imported before identities were kept. */
    source_identity: z.string().exactOptional(),
    source_version: z.string(),
    source_subcommand: z.string(),
    source_script: z.string(),
    imported_at: z.string(),
    source_sha256: z.string(),
    importer_version: z.string(),
  }),
  tests: z.array(z.object({ name: z.string(), input: z.string(), expect: z.string() })).exactOptional(),
});

export type Manifest = z.infer<typeof manifestSchema>;

const plainSchema = z.object({
  manifest_format: z.literal('1.0'),
  kind: z.literal('plain-skill'),
  name: z.string(),
  author: z.string().exactOptional(),
  code: manifestSchema.shape.code,
  provenance: z.object({
    imported_from: z.string(),
    source_identity: z.string().exactOptional(),
    imported_at: z.string(),
    source_sha256: z.string(),
  }),
});

export type PlainManifest = z.infer<typeof plainSchema>;

const readToml = (text: string): Result<unknown, string> => {
  try {
    return ok(parse(text));
  } catch (thrown) {
    if (thrown instanceof TomlError) return err(`the manifest isn’t TOML: ${errorLine(thrown)}`);
    throw thrown;
  }
};

const readAs = <S extends z.ZodType>(schema: S, text: string): Result<z.infer<S>, string> => {
  const value = readToml(text);
  if (!value.ok) return value;
  const parsed = schema.safeParse(value.value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(
    `the manifest doesn’t have the right format: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
  );
};

export const readManifest = (text: string): Result<Manifest, string> => readAs(manifestSchema, text);
export const readPlainManifest = (text: string): Result<PlainManifest, string> => readAs(plainSchema, text);
