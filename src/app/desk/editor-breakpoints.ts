/**
 * One set of breakpoints for the editor, which knows files, and for runs, which know metaskills; and the line at which a run
 * waits, shown in the file that is being edited.
 */
import { joinPath } from '../../base/paths.ts';
import type { WorkspaceView } from '../../model/workspace/workspace-view.ts';
import type { SessionStore } from '../../stores/session-types.ts';

export interface EditorBreakpoints {
  /** Lines with a breakpoint, ascending. */
  readonly lines: (path: string) => readonly number[];
  readonly set: (path: string, lines: readonly number[]) => void;
  /** Another folder has other programs. */
  readonly clear: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface EditorBreakpointsDeps {
  readonly view: () => WorkspaceView | undefined;
  readonly sessions: Pick<SessionStore, 'getState' | 'setBreakpoints' | 'subscribe'>;
}

const programs = (view: WorkspaceView | undefined): readonly { readonly name: string; readonly path: string }[] =>
  (view?.library.store.list() ?? []).flatMap(({ skill, layer, path }) =>
    skill.metaskill && layer === 'project' ? [{ name: skill.name, path: joinPath(path, skill.metaskill.program) }] : [],
  );

/** The metaskill whose program a file is. */
export const programName = (view: WorkspaceView | undefined, path: string): string | undefined =>
  programs(view).find((item) => item.path === path)?.name;

export const createEditorBreakpoints = ({ view, sessions }: EditorBreakpointsDeps): EditorBreakpoints => {
  // Of a file that is no program of a metaskill, or not yet.
  const others = new Map<string, readonly number[]>();
  const nameOf = (path: string): string | undefined => programName(view(), path);
  return {
    lines: (path) => {
      const name = nameOf(path);
      const known = name === undefined ? undefined : sessions.getState().breakpoints[name];
      return known?.map(({ line }) => line).toSorted((a, b) => a - b) ?? others.get(path) ?? [];
    },
    set: (path, lines) => {
      const name = nameOf(path);
      if (name === undefined) others.set(path, lines);
      else
        sessions.setBreakpoints(
          name,
          lines.map((line) => ({ line })),
        );
    },
    clear: () => {
      others.clear();
      for (const name of Object.keys(sessions.getState().breakpoints)) sessions.setBreakpoints(name, []);
    },
    subscribe: (listener) =>
      sessions.subscribe((state, before) => {
        if (state.breakpoints !== before.breakpoints) listener();
      }),
  };
};

/** Shows in the editor where a run waits, and takes the mark away when it continues. */
export const followPauses = (
  { view, sessions }: EditorBreakpointsDeps,
  showLine: (path: string, line: number | undefined) => void,
): void => {
  let shown: string | undefined;
  sessions.subscribe((state, before) => {
    if (state.runs === before.runs) return;
    const paused = state.runs.findLast(({ status }) => status === 'paused');
    const path = paused && programs(view()).find(({ name }) => name === paused.name)?.path;
    if (shown !== undefined && shown !== path) showLine(shown, undefined);
    shown = path;
    if (path !== undefined) showLine(path, paused?.line);
  });
};
