/** The Python sandbox for the terminal's importer. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SandboxPython } from '../platform/importer/sandbox-python.ts';
import { SHIPPED } from './shipped.ts';

/** Where the built threads of the sandbox lie: beside this file. */
const THREAD = 'sandbox-python-thread.js';

/** Nothing where the terminal was built without a sandbox. */
export const openPythonRunner = async (): Promise<SandboxPython | undefined> => {
  const { threads, pyodide } = SHIPPED;
  if (!existsSync(fileURLToPath(new URL(THREAD, threads)))) return undefined;
  const [{ createNodeSandbox }, { createSandboxPython }] = await Promise.all([
    import('../platform/sandbox/node-sandbox.ts'),
    import('../platform/importer/sandbox-python.ts'),
  ]);
  // Executors use no wheels; nothing is read from there unless a program asks for pytest.
  return createSandboxPython((files) => createNodeSandbox({ files, threads, wheels: threads, pyodide }));
};
