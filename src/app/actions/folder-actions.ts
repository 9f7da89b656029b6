/** What can be done with skills and files of the open folder, as the library and the palette offer it. */
import { baseName, dirName, joinPath } from '../../base/paths.ts';
import { plural } from '../../base/text.ts';
import type { LibraryTarget } from '../../features/library/library-view.ts';
import type { Problem } from '../../features/problems/problems-view.ts';
import { isTreePath } from '../../model/files/file-tree.ts';
import { encodeShareLink } from '../../model/files/share-link.ts';
import { templateFiles, type TemplateKind } from '../../model/library/templates.ts';
import { TEST_FILE } from '../../model/metaskill/skill-tests.ts';
import { decodeText } from '../../model/files/text-file.ts';
import type { WorkspaceSkill, WorkspaceView } from '../../model/workspace/workspace-view.ts';
import type { Diagnostic } from '../../model/skill/types.ts';
import { isValidName } from '../../model/skill/names.ts';
import { quoteScalar } from '../../model/skill/yaml-edit.ts';
import { renamedText } from '../../model/skill/renamed-text.ts';
import { shareCodec } from '../../platform/fs/share-codec.ts';
import { writeZip } from '../../platform/fs/zip.ts';
import { isDirty } from '../../stores/files-documents.ts';
import type { Desk } from '../desk/desk-types.ts';
import type { Questions } from '../shell/questions.tsx';
import type { Notice } from '../shell/shell-state.ts';
import { withUnsaved } from '../../stores/workspace/unsaved-tree.ts';

export interface FolderActionDeps {
  readonly desk: Desk;
  readonly questions: Questions;
  readonly notify: (notice: Notice) => void;
  readonly say: (text: string) => void;
  readonly copy: (text: string, what: string) => void;
  readonly download: (name: string, content: Uint8Array, type: string) => void;
  readonly goTo: (target: LibraryTarget) => void;
  /** What was just made or moved is read again a moment later: going there sooner would say that it is not there. */
  readonly whenRead?: (skill: string) => Promise<void>;
  /** The page's address without its hash. */
  readonly pageUrl: () => string;
}

export interface FolderActions {
  /** True, or why the folder, or this part of it, cannot be changed. */
  readonly canChange: (target?: LibraryTarget) => true | string;
  /** True, or why it cannot be sent or packed as a skill. */
  readonly canExport: (target?: LibraryTarget) => true | string;
  readonly create: (kind: Exclude<TemplateKind, 'test'>) => Promise<void>;
  /** A file in the folder of the skill, or at the top where none exists. */
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
  /** Where sessions work inside the open folder (D8). */
  readonly chooseWorkingFolder: () => Promise<void>;
  readonly undo: () => Promise<void>;
  readonly redo: () => Promise<void>;
}

const NAME_HELP = 'Up to 64 lowercase letters, digits, and single hyphens.';

/** As a person may write the path of a folder. */
const folderPath = (typed: string): string => typed.replace(/^\.?\/+|\/+$/g, '').replace(/^\.$/, '');

const checkPlace = (typed: string): string | undefined => {
  const path = folderPath(typed);
  return path === '' || isTreePath(path) ? undefined : 'Enter a folder inside the open folder, such as .agents/skills.';
};

/** What is there until somebody says what the skill is for; a rule reports it. */
const PLACEHOLDER = 'TODO: say what this skill does, in the words people use for it. Use when …';

/** A template with the description that was entered. Without a dialog, as it is. */
const described = (text: string, description: string | undefined): string =>
  description === undefined
    ? text
    : text.replace(
        /^description:.*$/m,
        () => `description: ${quoteScalar(description === '' ? PLACEHOLDER : description)}`,
      );

/** Where new skills go: where the folder keeps them already. */
const homeOf = (view: WorkspaceView | undefined): string => {
  const parents = (view?.skills ?? [])
    .filter(({ layer, path }) => layer === 'project' && path !== '')
    .map(({ path }) => dirName(path));
  for (const known of ['.agents/skills', 'skills']) if (parents.includes(known)) return known;
  return parents[0] ?? 'skills';
};

export const createFolderActions = (deps: FolderActionDeps): FolderActions => {
  const { desk, questions } = deps;
  const { files, folder, editor } = desk;

  const fail = (message: string): void => deps.notify({ id: 'folder-action', tone: 'error', text: message });
  const pathOf = ({ skill, file }: LibraryTarget): string => (file === undefined ? skill : joinPath(skill, file));
  const beside = (path: string, name: string): string => joinPath(dirName(path), name);

  const skillAt = ({ skill }: LibraryTarget): WorkspaceSkill | undefined =>
    desk.workspace.getState().view?.skills.find(({ id }) => id === skill);

  const canChange: FolderActions['canChange'] = (target) => {
    const { folder: open, readOnlyReason } = files.getState();
    if (!open) return 'No folder is open.';
    const found = target && skillAt(target);
    if (found && !found.isInFolder) return `${found.name} isn't in the open folder. Open its folder to edit it.`;
    return readOnlyReason ?? true;
  };

  const canExport: FolderActions['canExport'] = (target) => {
    const found = target && skillAt(target);
    if (!found) return target?.skill === '' ? "This file isn't in a skill." : 'Choose a skill in the Library first.';
    return found.isInFolder ? true : `${found.name} isn't in the open folder. Open its folder to export it.`;
  };

  /** Says why not, where it cannot be done. */
  const isRefused = (answer: true | string): boolean => {
    if (answer !== true) fail(answer);
    return answer !== true;
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
      return taken(name) ? `${name} already exists.` : undefined;
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
      (desk.workspace.getState().view?.skills ?? []).some(
        ({ layer, path }) => layer === 'project' && path === joinPath(parent, name),
      );

  const follow = { file: 'SKILL.md', rewrite: renamedText };

  /** Never over one that is there: the tree refuses that. */
  const makeFile = async (path: string, text: string): Promise<void> => {
    const made = await files.create(path, new Map([['', text]]));
    if (!made.ok) return fail(made.error.message);
    offerUndo(`Created ${path}.`);
    return editor.open(path);
  };

  /** The folder as it is seen here: with what is not saved yet. */
  const openTree = () => {
    const tree = folder.tree();
    return tree && withUnsaved(tree, () => files.getState().documents);
  };

  const pack = async (path: string, ending: 'skill' | 'zip'): Promise<void> => {
    const tree = openTree();
    if (!tree) return;
    const zipped = await writeZip(tree, path);
    if (!zipped.ok) return fail(zipped.error.message);
    const name = `${baseName(path) || tree.name}.${ending}`;
    deps.download(name, zipped.value, 'application/zip');
    if (tree.unsavedIn(path) > 0) deps.say(`${name} includes unsaved changes.`);
  };

  /** Texts of skills in the folder that safe fixes would change, as they are on disk. */
  const safelyFixed = async function* (): AsyncGenerator<{
    readonly path: string;
    readonly before: string;
    readonly after: string;
  }> {
    for (const skill of desk.workspace.getState().view?.skills ?? []) {
      if (!skill.isInFolder) continue;
      for (const { path: name } of skill.files) {
        const path = joinPath(skill.path, name);
        const document = files.getState().documents.get(path);
        const isWanted =
          name.endsWith('.star') ||
          (name === 'SKILL.md' && (document !== undefined || skill.diagnostics.some(({ fixes }) => fixes.length > 0)));
        if (!isWanted) continue;
        const bytes = document ? undefined : await folder.tree()?.read(path);
        const before = document?.kind === 'text' ? document.text : bytes && decodeText(bytes);
        const after = before === undefined ? undefined : await editor.needs.fixAll(path, before);
        if (before !== undefined && after !== undefined) yield { path, before, after };
      }
    }
  };

  /** The same problem in the text that is open: the places of an older text would be wrong. Nothing if it is gone. */
  const asItIsNow = async (path: string, text: string, problem: Diagnostic): Promise<Diagnostic | undefined> => {
    const { diagnostics } = await editor.needs.check(path, text);
    const alike = diagnostics.filter(({ rule, file }) => rule === problem.rule && file === problem.file);
    const distance = ({ range }: Diagnostic): number => Math.abs(range.start - problem.range.start);
    return alike.toSorted((a, b) => distance(a) - distance(b))[0];
  };

  const actions: FolderActions = {
    canChange,
    canExport,
    create: async (kind) => {
      if (kind === 'instructions') {
        const made = await files.create(
          'AGENTS.md',
          new Map([['', [...templateFiles(kind, folder.getState().current?.name ?? 'project').values()][0] ?? '']]),
        );
        if (!made.ok) return made.error.code === 'exists' ? editor.open('AGENTS.md') : fail(made.error.message);
        offerUndo('Created AGENTS.md.');
        return editor.open('AGENTS.md');
      }
      const home = homeOf(desk.workspace.getState().view);
      let more: Readonly<Record<string, string>> = {};
      const name = await questions.text({
        title: `New ${kind}`,
        label: 'Name',
        initial: '',
        action: 'Create',
        description: NAME_HELP,
        check: checkSkillName(isTaken(home)),
        more: [
          {
            id: 'place',
            label: 'Place',
            initial: home,
            description: 'A folder inside the open folder. Leave it blank for the open folder itself.',
            isMono: true,
            check: checkPlace,
          },
          {
            id: 'description',
            label: 'Description',
            initial: '',
            description:
              'What it does and when to use it. Agents use it to pick a skill. If blank, Lathe adds a placeholder and reports it as a problem.',
          },
        ],
        onMore: (values) => {
          more = values;
        },
      });
      if (name === undefined) return undefined;
      const path = joinPath(folderPath(more['place'] ?? home), name);
      const prefix = `${name}/`;
      const content = new Map(
        [...templateFiles(kind, name)].map(([file, text]) => [
          file.startsWith(prefix) ? file.slice(prefix.length) : file,
          file.endsWith('SKILL.md') ? described(text, more['description']) : text,
        ]),
      );
      const made = await files.create(path, content);
      if (!made.ok) return fail(made.error.message);
      offerUndo(`Created ${name}.`);
      await deps.whenRead?.(path);
      return deps.goTo({ skill: path });
    },
    createFile: async (target) => {
      if (isRefused(canChange(target))) return;
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
      if (isRefused(canChange(target))) return;
      const [text = ''] = templateFiles('test', baseName(target.skill)).values();
      await makeFile(joinPath(target.skill, TEST_FILE), text);
    },
    rename: async (target) => {
      if (isRefused(canChange(target))) return;
      const path = pathOf(target);
      const isSkill = target.file === undefined;
      const before = baseName(path);
      // A file is named by its path in the skill: the same name in another folder is a change.
      const current = target.file ?? before;
      const name = await questions.text({
        title: `Rename ${before}`,
        label: 'New name',
        initial: current,
        action: 'Rename',
        check: isSkill ? checkSkillName((next) => next !== before && isTaken(dirName(path))(next)) : checkFileName,
      });
      if (name === undefined || name === current) return;
      const to = isSkill ? beside(path, name) : joinPath(target.skill, name);
      const renamed = await files.rename(path, to, isSkill ? follow : undefined);
      if (!renamed.ok) return fail(renamed.error.message);
      offerUndo(`${before} is now ${name}.`);
      if (isSkill) await deps.whenRead?.(to);
      deps.goTo(isSkill ? { skill: to } : { skill: target.skill, file: name });
    },
    duplicate: async (target) => {
      if (isRefused(canChange(target))) return;
      const path = pathOf(target);
      const isSkill = target.file === undefined;
      const parent = dirName(path);
      const name = await questions.text({
        title: `Duplicate ${baseName(path)}`,
        label: 'Name of the copy',
        initial: isSkill ? `${baseName(path)}-copy` : `copy-of-${baseName(path)}`,
        action: 'Duplicate',
        check: isSkill ? checkSkillName(isTaken(parent)) : checkFileName,
      });
      if (name === undefined) return;
      const to = beside(path, name);
      const copied = await files.duplicate(path, to, isSkill ? follow : undefined);
      if (!copied.ok) return fail(copied.error.message);
      offerUndo(`Created ${name}.`);
      deps.goTo(isSkill ? { skill: to } : { skill: target.skill, file: to.slice(target.skill.length + 1) });
    },
    remove: async (target) => {
      if (isRefused(canChange(target))) return;
      const path = pathOf(target);
      const removed = await files.remove(path);
      if (!removed.ok) return fail(removed.error.message);
      offerUndo(`Deleted ${baseName(path)}.`);
    },
    exportSkill: async (target) => {
      if (isRefused(canExport(target))) return;
      await pack(target.skill, 'skill');
    },
    exportFolder: () => pack('', 'zip'),
    share: async (target) => {
      if (isRefused(canExport(target))) return;
      const { skill } = target;
      const tree = openTree();
      const view = skillAt(target);
      if (!tree || !view) return;
      const content = new Map<string, Uint8Array>();
      for (const { path } of view.files) {
        const bytes = await tree.read(joinPath(skill, path));
        if (bytes) content.set(path, bytes);
      }
      const link = encodeShareLink({ name: view.name, files: content }, shareCodec);
      if (!link.ok) return fail(link.error.message);
      deps.copy(
        `${deps.pageUrl()}#${link.value.hash}`,
        tree.unsavedIn(skill) === 0
          ? 'Share link copied. It contains the whole skill.'
          : 'Share link copied. It contains the whole skill, with unsaved changes.',
      );
    },
    fix: async ({ skill, diagnostic }) => {
      if (isRefused(canChange({ skill }))) return;
      const path = joinPath(skill, diagnostic.file);
      editor.open(path);
      const opened = await files.open(path);
      const now =
        opened.ok && opened.value.kind === 'text' ? await asItIsNow(path, opened.value.text, diagnostic) : diagnostic;
      const fix = now?.fixes.find(({ safety }) => safety === 'safe') ?? now?.fixes[0];
      if (fix) editor.applyFix(path, fix);
      else deps.say('This problem no longer exists.');
    },
    fixAll: async () => {
      const texts = new Map<string, { readonly before: string; readonly after: string }>();
      let unsaved = 0;
      for await (const { path, before, after } of safelyFixed()) {
        const document = files.getState().documents.get(path);
        // What the person has not saved is theirs to save.
        if (document && isDirty(document)) {
          files.edit(path, after);
          unsaved++;
        } else texts.set(path, { before, after });
      }
      const count = texts.size + unsaved;
      if (count === 0) return deps.say('No problem has a safe fix.');
      const title = `${plural(texts.size, 'file')} with safe fixes`;
      const done = texts.size === 0 ? undefined : await files.change(`Change ${title}`, texts);
      if (done && !done.ok) return fail(done.error.message);
      const rest =
        unsaved === 0
          ? ''
          : ` ${plural(unsaved, 'file')} with unsaved text ${unsaved === 1 ? 'was' : 'were'} fixed but not saved.`;
      if (done) return offerUndo(`${plural(texts.size, 'file')} fixed and saved.${rest}`);
      return deps.say(rest.trim());
    },
    chooseWorkingFolder: async () => {
      const name = folder.getState().current?.name ?? '';
      const path = await questions.text({
        title: 'Working folder',
        label: 'Path',
        initial: (await desk.workspace.input()).project?.workingFolder ?? '',
        action: 'Use this folder',
        description: `Sessions read instructions and skills from here up to ${name}. Leave blank for ${name} itself.`,
        check: (typed) =>
          isTreePath(folderPath(typed)) ? undefined : `Enter a path inside ${name}, such as packages/web.`,
      });
      if (path === undefined) return;
      const answer = await desk.workspace.chooseWorkingFolder(folderPath(path));
      if (answer !== true) fail(answer);
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
