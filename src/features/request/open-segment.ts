/** From a part of the prompt to the file that it comes from. */
import type { Editor } from '../editor/editor.ts';
import type { WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import { findMemory } from '../../model/prompt/volatile.ts';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';

export type CauseSegment = NonNullable<NonNullable<NonNullable<WaterfallRow['verdict']>['position']>['segment']>;
/** Opens the file that a part of the prompt comes from. */
export type OpenSegment = (segment: CauseSegment) => void;

/** What comes from a file; everything else is a setting of the session. */
const IN_FILES: ReadonlySet<string> = new Set(['skill-index', 'preloaded', 'instructions', 'user', 'memory']);

export const isInFile = ({ kind }: CauseSegment): boolean => IN_FILES.has(kind);

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
