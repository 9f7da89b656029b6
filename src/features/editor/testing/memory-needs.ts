/** A host over files in memory: real rules, a real library, no disk. */
import { collectLog } from '../../../base/log.ts';
import { baseName, dirName } from '../../../base/paths.ts';
import { mergeTexts } from '../../../model/files/merge.ts';
import { readContent } from '../../../model/files/text-file.ts';
import { openWorkspace } from '../../../model/workspace/open-workspace.ts';
import { applyEdits } from '../../../model/skill/fix.ts';
import type { Fix, Profile, SkillFile } from '../../../model/skill/types.ts';
import type { StarlarkEngine } from '../../../model/starlark/engine.ts';
import { createMemoryTree } from '../../../platform/fs/memory-tree.ts';
import { apartHere } from '../../../platform/worker/testing/apart-here.ts';
import { createChecker } from '../check-document.ts';
import type { EditorNeeds, EditorState, DocumentView, OpenText } from '../needs.ts';

export interface MemoryNeedsOptions {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly open?: readonly string[];
  readonly engine?: Pick<StarlarkEngine, 'analyse' | 'format'>;
  readonly profile?: Profile;
  readonly readOnly?: string;
}

export interface MemoryNeeds extends EditorNeeds {
  /** What is on disk. */
  readonly disk: Map<string, string | Uint8Array>;
  /** What was asked of the page, in order. */
  readonly calls: string[];
  /** Somebody else writes a file. */
  readonly writeOutside: (path: string, text: string) => void;
  readonly textOf: (path: string) => string | undefined;
  readonly update: (path: string, change: Partial<OpenText>) => void;
}

const NO_ENGINE: Pick<StarlarkEngine, 'analyse' | 'format'> = {
  analyse: () => Promise.reject(new Error('there is no engine here')),
  format: () => Promise.reject(new Error('there is no engine here')),
};

const encoder = new TextEncoder();

export const createMemoryNeeds = async (options: MemoryNeedsOptions): Promise<MemoryNeeds> => {
  const { profile = 'standard', engine = NO_ENGINE } = options;
  const disk = new Map(Object.entries(options.files));
  const calls: string[] = [];
  const listeners = new Set<() => void>();
  const breakpoints = new Map<string, readonly number[]>();
  const { log } = collectLog();
  const workspace = await openWorkspace(
    { project: { tree: createMemoryTree(options.files, 'desk') } },
    { profile: 'standard', dialect: 'metis', log },
  );
  const plan = { workspaceName: 'desk', workspace };
  let state: EditorState = { documents: [], active: undefined };

  const set = (next: EditorState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const read = (path: string): DocumentView => {
    const content = disk.get(path);
    if (content === undefined) return { kind: 'refused', path, reason: `There is no file ${path}.` };
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    const found = readContent(path, bytes);
    if (found.kind === 'text')
      return {
        kind: 'text',
        path,
        text: found.text,
        saved: found.text,
        ...(options.readOnly !== undefined && { readOnly: options.readOnly }),
      };
    if (found.kind === 'image') return { ...found, path };
    return { kind: 'refused', path, reason: found.reason };
  };
  const documentAt = (path: string): DocumentView | undefined => state.documents.find((one) => one.path === path);
  const update = (path: string, change: Partial<OpenText>): void =>
    set({
      ...state,
      documents: state.documents.map((one) =>
        one.path === path && one.kind === 'text' ? Object.assign({ ...one }, change) : one,
      ),
    });
  const textOf = (path: string): string | undefined => {
    const document = documentAt(path);
    return document?.kind === 'text' ? document.text : undefined;
  };

  /** The folder of the skill that a path is in. */
  const rootOf = (path: string): string | undefined => {
    for (let at = path; at.includes('/');) {
      at = dirName(at);
      if (disk.has(`${at}/SKILL.md`)) return at;
    }
    return undefined;
  };
  const filesOf = (root: string): ReadonlyMap<string, SkillFile> => {
    const files = new Map<string, SkillFile>();
    for (const [path, content] of disk) {
      if (!path.startsWith(`${root}/`)) continue;
      const text = textOf(path) ?? (typeof content === 'string' ? content : undefined);
      files.set(path.slice(root.length + 1), { size: content.length, ...(text !== undefined && { text }) });
    }
    return files;
  };
  const skills = workspace.library.store.list().map(({ skill: { name, description } }) => ({ name, description }));
  const knownSkills = new Set(skills.map(({ name }) => name));
  const contexts = new Map<string, ReturnType<EditorNeeds['previewContext']>>();

  const checker = createChecker({
    apart: apartHere,
    profile: () => profile,
    engine,
    skillOf: (path) => {
      const root = rootOf(path);
      return root === undefined ? undefined : { root, folder: baseName(root), files: filesOf(root), knownSkills };
    },
  });

  const needs: MemoryNeeds = {
    ...checker,
    disk,
    calls,
    update,
    textOf,
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open: (path) => {
      const documents = documentAt(path) ? state.documents : [...state.documents, read(path)];
      set({ documents, active: path });
    },
    openSkill: (name) => {
      calls.push(`skill ${name}`);
      const item = workspace.library.store.get(name);
      if (item) needs.open(`${item.path}/SKILL.md`);
    },
    close: (path) => {
      const at = state.documents.findIndex((one) => one.path === path);
      const documents = state.documents.filter((one) => one.path !== path);
      const active = state.active === path ? (documents[at] ?? documents.at(-1))?.path : state.active;
      set({ documents, active });
    },
    setText: (path, text) => update(path, { text }),
    save: (path) => {
      const text = textOf(path);
      calls.push(`save ${path}`);
      if (text !== undefined) {
        disk.set(path, text);
        update(path, { saved: text });
      }
      return Promise.resolve();
    },
    reload: (path) => {
      set({ ...state, documents: state.documents.map((one) => (one.path === path ? read(path) : one)) });
    },
    resolveConflict: (path, choice) => {
      const document = documentAt(path);
      if (document?.kind !== 'text' || !document.conflict) return;
      const { base, disk: theirs } = document.conflict;
      const mine = document.text;
      const text = choice === 'mine' ? mine : choice === 'disk' ? theirs : mergeTexts({ base, mine, theirs }).text;
      const { conflict: _, ...rest } = document;
      const resolved: OpenText = { ...rest, text, saved: theirs };
      set({ ...state, documents: state.documents.map((one) => (one.path === path ? resolved : one)) });
    },
    applyFix: (path, fix: Fix) => {
      calls.push(`fix ${fix.title}`);
      const text = textOf(path);
      if (fix.action.kind === 'edit' && text !== undefined && path.endsWith(fix.action.file))
        update(path, { text: applyEdits(text, fix.action.edits) });
      if (fix.action.kind === 'create-file') disk.set(`${rootOf(path) ?? ''}/${fix.action.file}`, fix.action.text);
    },
    onChecked: (path, diagnostics) => void calls.push(`checked ${path} ${diagnostics.length}`),
    surroundings: (path) => {
      const root = rootOf(path);
      return root === undefined ? undefined : { root, profile, folder: baseName(root), files: filesOf(root), skills };
    },
    previewContext: (path) => {
      const root = rootOf(path);
      if (root === undefined) return undefined;
      const known = contexts.get(path);
      if (known) return known;
      const place = {
        layer: 'project' as const,
        root: 'skills',
        path: root,
        folder: baseName(root),
        files: filesOf(root),
      };
      const context = { place, plan, profile: 'standard' as const };
      contexts.set(path, context);
      return context;
    },
    readFile: (path) => {
      const content = disk.get(path);
      return Promise.resolve(typeof content === 'string' ? encoder.encode(content) : content);
    },
    breakpoints: (path) => breakpoints.get(path) ?? [],
    setBreakpoints: (path, lines) => void breakpoints.set(path, lines),
    runMetaskill: (path) => void calls.push(`run ${path}`),
    writeOutside: (path, text) => {
      disk.set(path, text);
      const document = documentAt(path);
      if (document?.kind !== 'text') return;
      if (document.text === document.saved) update(path, { text, saved: text });
      else update(path, { conflict: { base: document.saved ?? '', disk: text } });
    },
  };
  for (const path of options.open ?? []) needs.open(path);
  return needs;
};
