/** The editor over the files of the open folder: documents from the files store, facts about skills from the workspace. */
import { createEmitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { baseName, dirName, joinPath } from '../../base/paths.ts';
import { createChecker, type CheckedSkill } from '../../features/editor/check-document.ts';
import type { EditorNeeds, EditorState, DocumentView } from '../../features/editor/needs.ts';
import { keepLineEnds } from '../../model/files/text-file.ts';
import { pathInSkill } from '../../model/workspace/holder.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import type { PreviewContext } from '../../model/preview/edited.ts';
import type { SessionPlan } from '../../model/session/start.ts';
import { applyEdits } from '../../model/skill/fix.ts';
import type { Fix, Profile, RuntimeProfile, SkillFile, SkillFiles, TextEdit } from '../../model/skill/types.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import type { Apart } from '../../platform/worker/apart.ts';
import { READER_REASON } from '../../platform/fs/tab-guard.ts';
import { isDirty, type FileDocument } from '../../stores/files-documents.ts';
import type { FilesState, FilesStore } from '../../stores/files-types.ts';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import type { EditorBreakpoints } from './editor-breakpoints.ts';

export interface EditorNeedsDeps {
  readonly files: FilesStore;
  readonly workspace: Pick<WorkspaceFacts, 'getState' | 'skillHolding' | 'heard'>;
  readonly engine: () => Promise<StarlarkEngine | undefined>;
  readonly apart: Pick<Apart, 'judge' | 'fix'>;
  readonly profile: () => Profile;
  readonly runtimeProfile: () => RuntimeProfile;
  /** Asks whether unsaved text may go. */
  readonly confirmDiscard: (path: string) => Promise<boolean>;
  readonly onActive: (path: string | undefined) => void;
  readonly onFailure: (message: string) => void;
  readonly breakpoints: EditorBreakpoints;
  readonly runMetaskill: (path: string) => void;
  readonly runObjection: (path: string) => string | undefined;
  readonly log: Log;
}

const NO_ENGINE = 'can’t load the Starlark engine';

const toOpen = (
  path: string,
  document: FileDocument,
  { readOnlyReason: readOnly }: Pick<FilesState, 'readOnlyReason'>,
): DocumentView => {
  if (document.kind === 'text')
    return {
      kind: 'text',
      path,
      text: document.text,
      saved: document.saved,
      isGone: document.isGone,
      isSaving: document.isSaving,
      ...(document.recoveredFrom !== undefined && { recoveredFrom: document.recoveredFrom }),
      ...(document.conflict && { conflict: document.conflict }),
      ...(document.problem && { problem: document.problem.message }),
      ...(readOnly !== undefined && { readOnly, canTakeOver: readOnly === READER_REASON }),
    };
  if (document.kind === 'image') return { kind: 'image', path, mediaType: document.mediaType, bytes: document.bytes };
  return { kind: 'refused', path, reason: document.reason };
};

export const createEditorNeeds = (deps: EditorNeedsDeps): EditorNeeds => {
  const { files, breakpoints, workspace } = deps;
  const { skillHolding } = workspace;
  const store = () => workspace.getState().view?.library.store;
  const news = createEmitter<undefined>();
  /** Files that could not be opened, and why. */
  const refused = new Map<string, string>();
  let order: readonly string[] = [];
  let active: string | undefined;
  let state: EditorState = { documents: [], active: undefined };
  let folderId = files.getState().folder?.id;
  const contexts = new WeakMap<WorkspaceSkill, { readonly plan: SessionPlan; readonly context: PreviewContext }>();

  const refresh = (): void => {
    const now = files.getState();
    state = {
      active,
      documents: order.map((path): DocumentView => {
        const document = now.documents.get(path);
        if (document) return toOpen(path, document, now);
        const reason = refused.get(path);
        return reason === undefined ? { kind: 'loading', path } : { kind: 'refused', path, reason };
      }),
    };
    news.emit(undefined);
  };

  const activate = (path: string | undefined): void => {
    active = path;
    refresh();
    deps.onActive(path);
  };

  files.subscribe(() => {
    const { folder } = files.getState();
    if (folder?.id !== folderId) {
      folderId = folder?.id;
      order = [];
      active = undefined;
      refused.clear();
      breakpoints.clear();
    }
    refresh();
  });
  breakpoints.subscribe(refresh);

  files.onMove((move) => {
    if (move.kind === 'moved') {
      order = order.map((path) => (path === move.from ? move.to : path));
      breakpoints.set(move.to, breakpoints.lines(move.from));
      if (active === move.from) activate(move.to);
    } else if (move.kind === 'reopened') {
      if (!order.includes(move.path)) order = [...order, move.path];
    } else {
      const at = order.indexOf(move.path);
      order = order.filter((path) => path !== move.path);
      if (active === move.path) activate(order[at] ?? order.at(-1));
    }
    refresh();
  });

  /** The files of a skill with what is open and not saved. */
  const filesOf = (skill: WorkspaceSkill): SkillFiles => {
    const all = new Map<string, SkillFile>(skill.input.files ?? []);
    for (const [path, document] of files.getState().documents) {
      if (document.kind !== 'text' || skillHolding(path)?.id !== skill.id) continue;
      all.set(pathInSkill(skill, path), { size: document.text.length, text: document.text });
    }
    return all;
  };

  const names = (): ReadonlySet<string> => new Set((store()?.list() ?? []).map(({ skill }) => skill.name));

  const checked = (path: string): CheckedSkill | undefined => {
    const skill = skillHolding(path);
    return skill && { root: skill.path, folder: skill.name, files: filesOf(skill), knownSkills: names() };
  };

  const engine = async (): Promise<StarlarkEngine> => {
    const loaded = await deps.engine();
    if (!loaded) throw new Error(NO_ENGINE);
    return loaded;
  };

  const checker = createChecker({
    apart: deps.apart,
    profile: deps.profile,
    skillOf: checked,
    engine: {
      analyse: async (program) => (await engine()).analyse(program),
      format: async (program) => (await engine()).format(program),
    },
  });

  const setText = (path: string, text: string): void => {
    const document = files.getState().documents.get(path);
    if (document?.kind === 'text') files.edit(path, keepLineEnds(document.text, text));
  };

  const load = async (path: string): Promise<void> => {
    const opened = await files.open(path);
    if (opened.ok) return;
    refused.set(path, opened.error.message);
    refresh();
  };

  const open = (path: string): void => {
    if (!order.includes(path)) order = [...order, path];
    refused.delete(path);
    activate(path);
    if (!files.getState().documents.has(path)) void load(path);
  };

  const tell = async (
    work: Promise<{ readonly ok: boolean; readonly error?: { readonly message: string } }>,
  ): Promise<void> => {
    const done = await work;
    if (!done.ok && done.error) deps.onFailure(done.error.message);
  };

  const editFile = async (path: string, edits: readonly TextEdit[]): Promise<void> => {
    const opened = await files.open(path);
    if (opened.ok && opened.value.kind === 'text') files.edit(path, applyEdits(opened.value.text, edits));
    open(path);
  };

  const applyFix = (path: string, fix: Fix): void => {
    const skill = skillHolding(path);
    const root = skill?.path ?? '';
    const { action } = fix;
    switch (action.kind) {
      case 'edit':
        void editFile(joinPath(root, action.file), action.edits);
        return;
      case 'create-file':
        void tell(files.create(joinPath(root, action.file), new Map([['', action.text]])));
        return;
      case 'rename-file':
        void tell(files.rename(joinPath(root, action.from), joinPath(root, action.to)));
        return;
      case 'rename-folder':
        void tell(files.rename(root, joinPath(dirName(root), action.to)));
    }
  };

  const previewContext = (path: string): PreviewContext | undefined => {
    const skill = skillHolding(path);
    const { plan } = workspace.getState();
    if (!skill || !plan) return undefined;
    const known = contexts.get(skill);
    if (known?.plan === plan) return known.context;
    const context: PreviewContext = {
      place: { layer: skill.layer, root: skill.root, path: skill.path, folder: skill.name, files: filesOf(skill) },
      plan,
      profile: deps.runtimeProfile(),
    };
    contexts.set(skill, { plan, context });
    return context;
  };

  return {
    ...checker,
    onChecked: workspace.heard,
    getState: () => state,
    subscribe: (listener) => {
      const subscription = news.subscribe(listener);
      return () => subscription[Symbol.dispose]();
    },
    open,
    openSkill: (name) => {
      const item = store()?.get(name);
      if (item?.layer === 'project') open(joinPath(item.path, 'SKILL.md'));
      else deps.onFailure(item ? `${name} isn't in the open folder.` : `No skill ${name} in this folder.`);
    },
    close: (path) => {
      const drop = (): void => {
        const at = order.indexOf(path);
        order = order.filter((other) => other !== path);
        files.close(path, { discard: true });
        activate(active === path ? (order[at] ?? order.at(-1)) : active);
      };
      const document = files.getState().documents.get(path);
      const dropIfAllowed = async (): Promise<void> => {
        if (await deps.confirmDiscard(path)) drop();
      };
      if (document && isDirty(document)) void dropIfAllowed();
      else drop();
    },
    setText,
    save: async (path) => {
      const saved = await files.save(path);
      // A conflict shows itself in the document.
      if (!saved.ok && saved.error.code !== 'conflict') deps.onFailure(`${baseName(path)}: ${saved.error.message}`);
    },
    resolveConflict: (path, choice) => void tell(files.resolve(path, choice)),
    takeOver: () => void files.takeOver(),
    reload: (path) => void tell(files.reload(path)),
    applyFix,
    surroundings: (path) => {
      const skill = skillHolding(path);
      if (!skill) return undefined;
      return {
        root: skill.path,
        profile: deps.profile(),
        folder: skill.name,
        files: filesOf(skill),
        skills: (store()?.list() ?? []).map(({ skill: { name, description } }) => ({
          name,
          description,
        })),
      };
    },
    previewContext,
    isReading: () => workspace.getState().plan === undefined,
    readFile: async (path) => {
      const opened = await files.open(path);
      return opened.ok && opened.value.kind === 'image' ? opened.value.bytes : undefined;
    },
    breakpoints: breakpoints.lines,
    setBreakpoints: breakpoints.set,
    runMetaskill: deps.runMetaskill,
    runObjection: deps.runObjection,
  };
};
