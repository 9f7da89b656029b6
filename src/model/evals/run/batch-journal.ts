/** What a run by batches has to remember beside its results, as lines: nothing that was paid for is asked twice. */
import { isObject, parseJson } from '../../../base/json.ts';
import type { Block, CallResult, Usage } from '../../provider/types.ts';
import { z } from '../../zod.ts';

const lineSchema = z.discriminatedUnion('kind', [
  /** Written before a batch is created, because its id may be lost. */
  z.object({ kind: z.literal('chunk'), chunk: z.string(), since: z.number(), rows: z.array(z.string()) }),
  z.object({ kind: z.literal('created'), chunk: z.string(), id: z.string() }),
  z.object({ kind: z.literal('ended'), chunk: z.string() }),
  /** A turn that did not decide its case. */
  z.object({
    kind: z.literal('turn'),
    key: z.string(),
    turn: z.int().min(1),
    content: z.array(z.json()),
    stop: z.string(),
    usage: z.json().nullable(),
  }),
]);

export type BatchLine = z.infer<typeof lineSchema>;
export type TurnLine = Extract<BatchLine, { kind: 'turn' }>;

export interface OpenChunk {
  readonly chunk: string;
  readonly since: number;
  /** Nothing where it was lost, or never made. */
  readonly id: string | undefined;
  readonly rows: readonly string[];
}

export interface BatchMemory {
  readonly open: ReadonlyMap<string, OpenChunk>;
  readonly turns: ReadonlyMap<string, readonly TurnLine[]>;
  /** How many chunks there were. */
  readonly chunks: number;
}

export const batchLine = (line: BatchLine): string => `${JSON.stringify(line)}\n`;

/** A line that cannot be read counts for nothing. `isNeeded`: the case with this key has no result yet; turns of others are not held. */
export const readBatchLines = (lines: Iterable<string>, isNeeded: (key: string) => boolean): BatchMemory => {
  const open = new Map<string, OpenChunk>();
  const turns = new Map<string, TurnLine[]>();
  let chunks = 0;
  for (const raw of lines) {
    const json = parseJson(raw);
    const line = lineSchema.safeParse(json.ok && isObject(json.value) ? json.value : undefined);
    if (!line.success) continue;
    const { data } = line;
    if (data.kind === 'turn') {
      const known = turns.get(data.key) ?? [];
      if (isNeeded(data.key) && data.turn === known.length + 1) turns.set(data.key, [...known, data]);
    } else if (data.kind === 'chunk') {
      chunks++;
      open.set(data.chunk, { chunk: data.chunk, since: data.since, id: undefined, rows: data.rows });
    } else if (data.kind === 'ended') open.delete(data.chunk);
    else {
      const found = open.get(data.chunk);
      if (found) open.set(data.chunk, { ...found, id: data.id });
    }
  }
  return { open, turns, chunks };
};

export const turnLine = (key: string, turn: number, result: CallResult & { readonly ok: true }): TurnLine => ({
  kind: 'turn',
  key,
  turn,
  // What came from a wire is JSON.
  content: result.content as unknown as TurnLine['content'],
  stop: result.stopReason,
  usage: (result.usage ?? null) as unknown as TurnLine['usage'],
});

/** As it was answered. The journal is Lathe's own file. */
export const resultOfTurn = ({ content, stop, usage }: TurnLine): CallResult => ({
  ok: true,
  attempts: 1,
  startedAt: 0,
  endedAt: 0,
  content: content as unknown as readonly Block[],
  stopReason: stop as (CallResult & { readonly ok: true })['stopReason'],
  ...(usage !== null && { usage: usage as unknown as Usage }),
});
