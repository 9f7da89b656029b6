/** The sandbox of the page. Its code comes with the first command. */
import { planDemoRepository } from '../../model/sandbox/demo-history.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import type { PendingTree } from '../../model/tool/pending-tree.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';

export interface PageSandboxOptions {
  /** Its commits are reported in a file: a folder `.git` cannot be served. */
  readonly isDemo: boolean;
  /** As it is served. */
  readonly demo: () => Promise<FileTree>;
}

export const makePageSandbox = async (files: PendingTree, { isDemo, demo }: PageSandboxOptions): Promise<Sandbox> => {
  const { createBrowserSandbox } = await import('../../platform/sandbox/browser-sandbox.ts');
  const base = new URL(document.baseURI);
  const history = async () => {
    const response = await fetch(new URL('sandbox/demo-history.json', base));
    if (!response.ok) throw new Error(`can’t load the demo’s history: ${response.status}`);
    return planDemoRepository(await response.text(), await demo());
  };
  return createBrowserSandbox({ files, base, document, ...(isDemo && { history }) });
};
