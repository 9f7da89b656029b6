/** From a part of the prompt to the file that it comes from. */
import type { Editor } from '../editor/editor.ts';
import { findMemory } from '../../model/prompt/volatile.ts';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import type { OpenSegment } from './witnesses.tsx';

export interface OpenSegmentDeps {
  readonly editor: Pick<Editor, 'open'>;
  readonly workspace: Pick<WorkspaceFacts, 'input'>;
}

/** Memory is where it is found first, which may be another place than when the request was sent. */
const memoryFile = async (name: string, { workspace }: OpenSegmentDeps): Promise<string | undefined> => {
  const { project } = await workspace.input();
  if (!project) return undefined;
  const { user, memory } = await findMemory(project.tree, () => {});
  return { 'USER.md': user.path, 'MEMORY.md': memory.path }[name];
};

export const openSegment =
  (deps: OpenSegmentDeps): OpenSegment =>
  (segment) => {
    const { file, line, name } = segment;
    const open = (path: string): void => deps.editor.open(path, line === undefined ? undefined : { line });
    if (file !== undefined) open(file);
    else void memoryFile(name, deps).then((path) => path !== undefined && open(path));
  };
