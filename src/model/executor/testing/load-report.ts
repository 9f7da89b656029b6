/** Executors of an import, as a session would load them. */
import { createMemoryTree } from '../../../platform/fs/memory-tree.ts';
import type { ImportReport } from '../../importer/import-report.ts';
import { testSigner, testVerify } from '../../importer/testing/test-signer.ts';
import { EXECUTORS_FOLDER } from '../folders.ts';
import { loadExecutors, type LoadedExecutor } from '../load-executors.ts';

export const loadReport = (report: ImportReport): Promise<readonly LoadedExecutor[]> =>
  loadExecutors({
    tree: createMemoryTree(
      new Map(
        [...report.files].map(([path, bytes]) => [
          `${EXECUTORS_FOLDER}/${report.skill}/${path}`,
          new Uint8Array(bytes),
        ]),
      ),
    ),
    trusted: [{ name: 'test', publicKey: testSigner().publicKey }],
    verify: testVerify,
  });
