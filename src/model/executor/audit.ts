/** The trace of every call: append-only JSON lines, one file for each day (UTC). Hashes of arguments, never their values. */
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { sortedJson } from '../tool/canonical-json.ts';
import { z } from '../zod.ts';
import { AUDIT_FOLDER } from './folders.ts';

const entrySchema = z.object({
  /** Seconds since 1970. */
  ts: z.number(),
  skill_id: z.string(),
  skill_version: z.string(),
  skill_sha: z.string(),
  executor_name: z.string(),
  args_sha: z.string(),
  outcome: z.enum(['ok', 'error', 'refused', 'needs_inputs']),
  elapsed_ms: z.number(),
  n_bytes_in: z.number(),
  n_bytes_out: z.number(),
  error_class: z.string().exactOptional(),
  guard: z.string().exactOptional(),
});
export type AuditEntry = z.infer<typeof entrySchema>;

/** Sixteen hex digits say whether two calls had the same arguments, and nothing else. */
export const argsHash = (args: Json): string => sha256(sortedJson(args)).slice(0, 16);

export const auditFile = (ts: number): string =>
  `${AUDIT_FOLDER}/${new Date(ts * 1000).toISOString().slice(0, 10)}.jsonl`;

export const auditLine = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`;

/** Lines that cannot be read are counted, not hidden. */
export const readAudit = (text: string): { readonly entries: readonly AuditEntry[]; readonly unreadable: number } => {
  const entries: AuditEntry[] = [];
  let unreadable = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const parsed = entrySchema.safeParse(valueOr(parseJson(line), undefined));
    if (parsed.success) entries.push(parsed.data);
    else unreadable++;
  }
  return { entries, unreadable };
};
