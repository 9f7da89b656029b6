/** What can be done with skills and files of the open folder, as the library and the palette offer it. */
import type { LibraryTarget } from '../features/library/library-view.ts';
import type { Problem } from '../features/problems/problems-view.ts';
import { encodeShareLink } from '../model/files/share-link.ts';
import { joinPath, lastName, parentPath } from '../model/library/file-tree.ts';
import { templateFiles, type TemplateKind } from '../model/library/templates.ts';
import { TEST_FILE } from '../model/metaskill/skill-tests.ts';
import type { WorkspaceView } from '../model/library/workspace-view.ts';
import { isValidName } from '../model/skill/names.ts';
import { shareCodec } from '../platform/fs/share-codec.ts';
import { writeZip } from '../platform/fs/zip.ts';
import type { Desk } from './desk-types.ts';
import type { Questions } from './questions.tsx';
import type { Notice } from './shell-state.ts';

export interface FolderActionDeps {
  readonly desk: Desk;
  readonly questions: Questions;
  readonly notify: (notice: Notice) => void;
  readonly say: (text: string) => void;
  readonly copy: (text: string, what: string) => void;
  readonly download: (name: string, content: Uint8Array, type: string) => void;
  readonly goTo: (target: LibraryTarget) => void;
  /** The page's address without its hash. */
  readonly pageUrl: () => string;
}

export interface FolderActions {
  /** True, or why the folder cannot be changed. */
  readonly canChange: () => true | string;
  readonly create: (kind: Exclude<TemplateKind, 'test'>) => Promise<void>;
  /** A file in the folder of the skill, or at the top where there is none. */
  readonly createFile: (target: LibraryTarget | undefined) => Promise<void>;
  readonly createTest: (target: LibraryTarget) => Promise<void>;
  readonly rename: (target: LibraryTarget) => Promise<void>;
  readonly duplicate: (target: LibraryTarget) => Promise<void>;
  readonly remove: (target: LibraryTarget) => Promise<void>;
  readonly exportSkill: (target: LibraryTarget) => Promise<void>;
  readonly exportFolder: () => Promise<void>;
  readonly share: (target: LibraryTarget) => Promise<void>;
  readonly fix: (problem: Problem) => Promise<void>;
  readonly fixAll: () => Promise<void>;
  readonly undo: () => Promise<void>;
  readonly redo: () => Promise<void>;
}

const NAME_HELP = 'Lower-case letters, digits and single hyphens, at most 64.';

/** Where new skills go: where the folder keeps them already. */
const homeOf = (view: WorkspaceView | undefined): string => {
  const parents = (view?.skills ?? [])
    .filter(({ layer, path }) => layer === 'project' && path !== '')
    .map(({ path }) => parentPath(path) ?? '');
  for (const known of ['.agents/skills', 'skills']) if (parents.includes(known)) return known;
  return parents[0] ?? 'skills';
};

export const createFolderActions = (deps: FolderActionDeps): FolderActions => {
  const { desk, questions } = deps;
  const { files, folder, editor } = desk;

  const fail = (message: string): void => deps.notify({ id: 'folder-action', tone: 'error', text: message });
  const pathOf = ({ skill, file }: LibraryTarget): string => (file === undefined ? skill : joinPath(skill, file));
  const beside = (path: string, name: string): string => joinPath(parentPath(path) ?? '', name);

  const canChange = (): true | string => {
    const { folder: open, readOnlyReason } = files.getState();
    if (!open) return 'No folder is open.';
    return readOnlyReason ?? true;
  };

  /** Only the open folder is changed here; says so for a skill of another one. */
  const isOutside = ({ skill }: LibraryTarget): boolean => {
    const found = desk.view()?.skills.find(({ id }) => id === skill);
    if (!found || found.layer === 'project') return false;
    fail(`${found.name} does not lie in the open folder. Open its own folder to change it.`);
    return true;
  };

  const offerUndo = (text: string): void =>
    deps.notify({
      id: 'undo',
      tone: 'info',
      text,
      action: { label: 'Undo', run: () => void actions.undo() },
    });

  const checkSkillName =
    (taken: (name: string) => boolean) =>
    (name: string): string | undefined => {
      if (!isValidName(name, 'standard')) return NAME_HELP;
      return taken(name) ? `There is something called ${name} already.` : undefined;
    };

  const checkFileName = (name: string): string | undefined => {
    if (
      name === '' ||
      name.startsWith('/') ||
      name.split('/').some((part) => part === '' || part === '.' || part === '..')
    )
      return 'A path inside the skill, such as references/notes.md.';
    return undefined;
  };

  const isTaken =
    (parent: string) =>
    (name: string): boolean =>
      (desk.view()?.skills ?? []).some(({ layer, path }) => layer === 'project' && path === joinPath(parent, name));

  /** The name inside SKILL.md follows the folder, where it had the folder's name. */
  const followName = async (path: string, before: string, after: string): Promise<void> => {
    const file = joinPath(path, 'SKILL.md');
    const opened = await files.open(file);
    if (!opened.ok || opened.value.kind !== 'text') return;
    const { text } = opened.value;
    const changed = text.replace(
      /^(name:[ \t]*)(["']?)([^\r\n"']*)\2([ \t]*)$/m,
      (line, head: string, quote: string, name: string, tail: string) =>
        name.trim() === before ? `${head}${quote}${after}${quote}${tail}` : line,
    );
    if (changed === text) return;
    files.edit(file, changed);
    const saved = await files.save(file);
    if (!saved.ok) fail(saved.error.message);
  };

  /** Never over one that is there: the tree refuses that. */
  const makeFile = async (path: string, text: string): Promise<void> => {
    const made = await files.create(path, new Map([['', text]]));
    if (!made.ok) return fail(made.error.message);
    offerUndo(`${path} was made.`);
    return editor.open(path);
  };

  const actions: FolderActions = {
    canChange,
    create: async (kind) => {
      if (kind === 'instructions') {
        const made = await files.create(
          'AGENTS.md',
          new Map([['', [...templateFiles(kind, folder.getState().current?.name ?? 'project').values()][0] ?? '']]),
        );
        if (!made.ok) return fail(made.error.message);
        return editor.open('AGENTS.md');
      }
      const home = homeOf(desk.view());
      const name = await questions.text({
        title: `New ${kind}`,
        label: 'Name',
        initial: '',
        action: 'Create',
        description: `${NAME_HELP} It is made in ${home === '' ? 'the folder itself' : home}.`,
        check: checkSkillName(isTaken(home)),
      });
      if (name === undefined) return undefined;
      const path = joinPath(home, name);
      const prefix = `${name}/`;
      const content = new Map(
        [...templateFiles(kind, name)].map(([file, text]) => [
          file.startsWith(prefix) ? file.slice(prefix.length) : file,
          text,
        ]),
      );
      const made = await files.create(path, content);
      if (!made.ok) return fail(made.error.message);
      offerUndo(`${name} was made.`);
      return deps.goTo({ skill: path });
    },
    createFile: async (target) => {
      if (target && isOutside(target)) return;
      const home = target?.skill ?? '';
      const name = await questions.text({
        title: 'New file',
        label: 'Path',
        initial: '',
        action: 'Create',
        description: `Inside ${home === '' ? 'the open folder' : home}, such as references/notes.md.`,
        check: checkFileName,
      });
      if (name === undefined) return;
      await makeFile(joinPath(home, name), '');
    },
    createTest: async (target) => {
      if (isOutside(target)) return;
      const [text = ''] = templateFiles('test', lastName(target.skill)).values();
      await makeFile(joinPath(target.skill, TEST_FILE), text);
    },
    rename: async (target) => {
      if (isOutside(target)) return;
      const path = pathOf(target);
      const isSkill = target.file === undefined;
      const before = lastName(path);
      const name = await questions.text({
        title: `Rename ${before}`,
        label: 'New name',
        initial: isSkill ? before : (target.file ?? ''),
        action: 'Rename',
        check: isSkill
          ? checkSkillName((next) => next !== before && isTaken(parentPath(path) ?? '')(next))
          : checkFileName,
      });
      if (name === undefined || name === before || name === target.file) return;
      const to = isSkill ? beside(path, name) : joinPath(target.skill, name);
      const renamed = await files.rename(path, to);
      if (!renamed.ok) return fail(renamed.error.message);
      if (isSkill) await followName(to, before, name);
      offerUndo(`${before} is now ${name}.`);
      deps.goTo(isSkill ? { skill: to } : { skill: target.skill, file: name });
    },
    duplicate: async (target) => {
      if (isOutside(target)) return;
      const path = pathOf(target);
      const isSkill = target.file === undefined;
      const parent = parentPath(path) ?? '';
      const name = await questions.text({
        title: `Duplicate ${lastName(path)}`,
        label: 'Name of the copy',
        initial: isSkill ? `${lastName(path)}-copy` : `copy-of-${lastName(path)}`,
        action: 'Duplicate',
        check: isSkill ? checkSkillName(isTaken(parent)) : checkFileName,
      });
      if (name === undefined) return;
      const to = beside(path, name);
      const copied = await files.duplicate(path, to);
      if (!copied.ok) return fail(copied.error.message);
      if (isSkill) await followName(to, lastName(path), name);
      offerUndo(`${name} was made.`);
      deps.goTo(isSkill ? { skill: to } : { skill: target.skill, file: to.slice(target.skill.length + 1) });
    },
    remove: async (target) => {
      if (isOutside(target)) return;
      const path = pathOf(target);
      const removed = await files.remove(path);
      if (!removed.ok) return fail(removed.error.message);
      offerUndo(`${lastName(path)} was deleted.`);
    },
    exportSkill: async (target) => {
      if (isOutside(target)) return;
      const { skill } = target;
      const tree = folder.tree();
      if (!tree) return;
      const zipped = await writeZip(tree, skill);
      if (!zipped.ok) return fail(zipped.error.message);
      deps.download(`${lastName(skill) || tree.name}.skill`, zipped.value, 'application/zip');
    },
    exportFolder: async () => {
      const tree = folder.tree();
      if (!tree) return;
      const zipped = await writeZip(tree, '');
      if (!zipped.ok) return fail(zipped.error.message);
      deps.download(`${tree.name}.zip`, zipped.value, 'application/zip');
    },
    share: async (target) => {
      if (isOutside(target)) return;
      const { skill } = target;
      const tree = folder.tree();
      const view = desk.view()?.skills.find((item) => item.layer === 'project' && item.path === skill);
      if (!tree || !view) return;
      const content = new Map<string, Uint8Array>();
      for (const { path } of view.files) {
        const bytes = await tree.read(joinPath(skill, path));
        if (bytes) content.set(path, bytes);
      }
      const link = encodeShareLink({ name: view.name, files: content }, shareCodec);
      if (!link.ok) return fail(link.error.message);
      deps.copy(`${deps.pageUrl()}#${link.value.hash}`, 'Share link copied. It carries the whole skill.');
    },
    fix: async ({ skill, diagnostic }) => {
      const fix = diagnostic.fixes.find(({ safety }) => safety === 'safe') ?? diagnostic.fixes[0];
      if (!fix) return;
      const path = joinPath(skill, diagnostic.file);
      editor.open(path);
      await files.open(path);
      editor.applyFix(path, fix);
    },
    fixAll: async () => {
      let count = 0;
      for (const { layer, path, files: inside } of desk.view()?.skills ?? []) {
        if (layer !== 'project') continue;
        for (const name of inside
          .map((file) => file.path)
          .filter((file) => file === 'SKILL.md' || file.endsWith('.star'))) {
          const file = joinPath(path, name);
          const opened = await files.open(file);
          if (!opened.ok || opened.value.kind !== 'text') continue;
          const fixed = await editor.host.fixAll(file, opened.value.text);
          if (fixed === undefined) continue;
          files.edit(file, fixed);
          const saved = await files.save(file);
          if (!saved.ok) return fail(`${file}: ${saved.error.message}`);
          count++;
        }
      }
      deps.say(count === 0 ? 'No problem has a safe fix.' : `Fixed ${count} file${count === 1 ? '' : 's'}.`);
    },
    undo: async () => {
      const undone = await files.undo();
      if (!undone.ok) fail(undone.error.message);
    },
    redo: async () => {
      const redone = await files.redo();
      if (!redone.ok) fail(redone.error.message);
    },
  };
  return actions;
};
