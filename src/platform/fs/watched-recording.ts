/** The recording of the `lathe capture` that serves this page, while it grows. */
import { RECORDING_PATH } from '../../model/traffic/capture/agent-setup.ts';
import type { WatchedFolderDeps } from './watched-folder.ts';

const RETRY_MS = 2_000;
const NAME = 'capture.jsonl';

export const watchCapture = async (
  base: URL,
  { onFiles, onFault, wait, signal }: Omit<WatchedFolderDeps, 'Observer'>,
): Promise<void> => {
  const parts: ArrayBuffer[] = [];
  let size = 0;
  let isFirst = true;
  while (!signal.aborted) {
    try {
      const answer = await fetch(new URL(`${RECORDING_PATH}?from=${size}`, base), { signal, cache: 'no-store' });
      if (!answer.ok) throw new Error(`the capture answers with ${answer.status}`);
      const bytes = await answer.arrayBuffer();
      if (bytes.byteLength > 0) parts.push(bytes);
      size += bytes.byteLength;
      if (bytes.byteLength > 0 || isFirst)
        await onFiles([{ name: NAME, file: new File(parts, NAME, { lastModified: size }) }]);
      isFirst = false;
      // What is there already comes immediately, in several pieces.
    } catch (thrown) {
      if (signal.aborted) return;
      // It was never there, so it will not come; one that was there may be started again.
      if (isFirst) {
        onFault(thrown);
        return;
      }
      await wait(RETRY_MS, signal);
    }
  }
};
