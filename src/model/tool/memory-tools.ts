/** `memory_add`, `memory_replace`: small files that are read again on every turn, so their size is limited. */
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { silentLog } from '../../base/log.ts';
import { findMemory } from '../prompt/volatile.ts';
import { definitions, type MemoryName } from './definitions.ts';
import type { PendingTree } from './pending-tree.ts';
import { decodeText, encode, inWords, replaceOnce, textField } from './tool-input.ts';
import { ToolError, type Tool, type ToolContext, type ToolOutput } from './types.ts';

/** Bytes: from the first on a note, never beyond the second. */
const MEMORY_LIMITS: Readonly<Record<MemoryName, { readonly soft: number; readonly hard: number }>> = {
  'MEMORY.md': { soft: 2048, hard: 4096 },
  'USER.md': { soft: 1536, hard: 3072 },
};

const readMemory = (content: Uint8Array | undefined, path: string): string => {
  const text = content ? decodeText(content) : '';
  if (text === undefined) throw new ToolError(`${path} is not text`);
  return text;
};

const changeMemory = async (
  files: PendingTree,
  input: Json,
  context: ToolContext,
  operation: 'add' | 'replace',
  change: (text: string, path: string) => string,
): Promise<ToolOutput> => {
  const file = textField(input, 'file', 'MEMORY.md') as MemoryName;
  const { soft, hard } = MEMORY_LIMITS[file];
  // Where it was found, or is to be (D12). The loop has logged what cannot be read; the model is notified below.
  const found = await findMemory(files, silentLog);
  const { path } = file === 'USER.md' ? found.user : found.memory;
  const { before, after } = await inWords(() =>
    files.update(path, (content) => {
      const text = change(readMemory(content, path), path);
      const bytes = encode(text);
      if (bytes.length > hard && bytes.length > (content?.length ?? 0))
        throw new ToolError(
          `${file} would have ${bytes.length} bytes and may have ${hard}: shorten it with memory_replace first, then add`,
        );
      return { after: bytes, value: { before: content, after: bytes } };
    }),
  );
  context.emit({
    type: 'memory.updated',
    payload: {
      file: path,
      operation,
      before_hash: before ? sha256(before) : null,
      after_hash: sha256(after),
      before_size: before?.length ?? 0,
      after_size: after.length,
    },
  });
  const note = after.length > soft ? `. It is over ${soft} bytes: shorten it with memory_replace soon` : '';
  return {
    text: `${path} now has ${after.length} of ${hard} bytes${note}`,
    metadata: { file: path, size: after.length, soft_limit: soft, hard_limit: hard },
    filesModified: [path],
  };
};

/** In the order of their definitions. */
export const createMemoryTools = (files: PendingTree): readonly Tool[] => [
  {
    ...definitions.memoryAdd,
    run: (input, context) =>
      changeMemory(files, input, context, 'add', (text, path) => {
        const note = textField(input, 'text').trim();
        if (note === '') throw new ToolError('text is empty', 'validation_error');
        if (`\n${text}\n`.includes(`\n${note}\n`)) throw new ToolError(`${path} already says this: nothing was added`);
        const old = text.trimEnd();
        return old === '' ? `${note}\n` : `${old}\n${note}\n`;
      }),
  },
  {
    ...definitions.memoryReplace,
    run: (input, context) =>
      changeMemory(files, input, context, 'replace', (text, path) =>
        replaceOnce(text, textField(input, 'old'), textField(input, 'new'), path),
      ),
  },
];
