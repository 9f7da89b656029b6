/** Every skill below a folder with all rules, for those who want to know and not to load. */
import { errorMessage } from '../../base/errors.ts';
import { mapBounded } from '../../base/bounded.ts';
import { joinPath } from '../../base/paths.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { RuleId } from '../skill/catalog.ts';
import { RULES } from '../skill/catalog.ts';
import { diagnose, isValid } from '../skill/diagnose.ts';
import { readDocument, type SkillDocument } from '../skill/document.ts';
import { fieldText, typingOf } from '../skill/fields.ts';
import type { Diagnostic, Profile, SkillInput } from '../skill/types.ts';
import { isWeighty, notJudged, type JudgeApart } from '../skill/weight.ts';
import { parentPath, type FileTree, type TreeEntry } from '../files/file-tree.ts';
import { isSearchedBelow, loadedBy, type LoadedBy } from '../clients/loaded-by.ts';
import { createFolderSearch } from './find-skills.ts';
import type { Pace, ReadProgress } from './pace.ts';
import { packagedSkills } from './packaged.ts';
import { readQuickly, readWhole } from './read-folder.ts';

const NO_LIMITS = { depth: Infinity, folders: Infinity };

export interface CheckedSkill {
  /** The skill's folder inside the tree. */
  readonly path: string;
  /** The path without links. */
  readonly real: string;
  readonly name: string | undefined;
  readonly input: SkillInput;
  readonly document: SkillDocument;
  readonly diagnostics: readonly Diagnostic[];
  readonly valid: boolean;
  /** The agents that load it, as far as the folder it is in decides that. */
  readonly clients: readonly LoadedBy[];
}

export interface CheckResult {
  readonly skills: readonly CheckedSkill[];
  /** Folders that could not be looked into, with the reason, and folders without a SKILL.md where one belongs. */
  readonly skipped: readonly { readonly path: string; readonly reason: string; readonly isUnread?: true }[];
}

const acrossSkills = (rule: RuleId, profile: Profile, message: string): Diagnostic[] => {
  const severity = RULES.get(rule)?.severity[profile];
  return severity ? [{ rule, severity, message, file: 'SKILL.md', range: { start: 0, end: 0 }, fixes: [] }] : [];
};

interface ReadSkill {
  readonly path: string;
  readonly real: string;
  readonly input: SkillInput;
  readonly clients: readonly LoadedBy[];
}

/** Whether some agent finds both, or no agent finds either: a session of ours might. */
const meet = (a: readonly LoadedBy[], b: readonly LoadedBy[]): boolean =>
  a.length === 0 || b.length === 0 || a.some(({ client }) => b.some((other) => other.client === client));

interface Place {
  readonly where: string;
  readonly clients: readonly LoadedBy[];
}

/** The earlier place of the same text that an agent finds as well; remembers this one. */
const firstThatMeets = (known: Map<string, Place[]>, text: string, here: Place): string | undefined => {
  const places = known.get(text) ?? [];
  known.set(text, [...places, here]);
  return places.find(({ clients }) => meet(clients, here.clients))?.where;
};

/** Judges skills together: links between them, names and descriptions that occur twice. */
const judgeSkills = async (
  inputs: readonly ReadSkill[],
  profile: Profile,
  { signal, pause, judgeApart }: Pick<CheckOptions, 'signal' | 'pause' | 'judgeApart'>,
): Promise<CheckedSkill[]> => {
  const typing = typingOf(profile);
  let unfinished = 0;
  const problemsOf = async (document: SkillDocument): Promise<readonly Diagnostic[]> => {
    const { input } = document;
    if (!judgeApart || !isWeighty(input)) return diagnose(document, profile);
    const found = unfinished < MOST_UNFINISHED ? await judgeApart(input, profile) : undefined;
    if (!found) unfinished++;
    return found ?? [notJudged(input.fileName)];
  };
  const readOne = ({ path, real, input, clients }: ReadSkill) => {
    const document = readDocument(input);
    return {
      path,
      real,
      input,
      clients,
      document,
      name: fieldText(document, 'name', typing),
      description: fieldText(document, 'description', typing),
    };
  };
  const read: ReturnType<typeof readOne>[] = [];
  for (const item of inputs) {
    signal?.throwIfAborted();
    read.push(readOne(item));
    await pause?.();
  }
  const knownSkills = new Set(read.flatMap(({ name }) => name ?? []));
  const names = new Map<string, Place[]>();
  const descriptions = new Map<string, Place[]>();
  const judge = async (item: (typeof read)[number]): Promise<CheckedSkill> => {
    const { path, real, input, clients, document, name, description } = item;
    const isApart = judgeApart !== undefined && isWeighty(input);
    const isLinked = isApart || document.bodyFacts.wikiLinks.length > 0;
    const linked = isLinked ? readDocument({ ...input, knownSkills }) : document;
    const diagnostics = [...(await problemsOf(linked))];
    const here = { where: path === '' ? '.' : path, clients };
    const sameName = name === undefined ? undefined : firstThatMeets(names, name, here);
    if (sameName !== undefined) {
      diagnostics.push(
        ...acrossSkills(
          'duplicate-name',
          profile,
          `The skill at ${sameName} has the same name; where both are found, only one is loaded.`,
        ),
      );
    }
    const key = description?.trim().toLowerCase() ?? '';
    const sameDescription = key === '' ? undefined : firstThatMeets(descriptions, key, here);
    if (sameDescription !== undefined && sameName === undefined) {
      diagnostics.push(
        ...acrossSkills('duplicate-description', profile, `The skill at ${sameDescription} has the same description.`),
      );
    }
    return { path, real, name, input, document: linked, diagnostics, valid: isValid(diagnostics), clients };
  };
  const judged: CheckedSkill[] = [];
  for (const item of read) {
    signal?.throwIfAborted();
    judged.push(await judge(item));
    await pause?.();
  }
  return judged;
};

/** What can be shown before anything is judged. A skill counts as valid until something is found. */
const withoutProblems = async (
  inputs: Parameters<typeof judgeSkills>[0],
  profile: Profile,
  { signal, pause }: Pace,
): Promise<CheckedSkill[]> => {
  const typing = typingOf(profile);
  const skills: CheckedSkill[] = [];
  for (const item of inputs) {
    signal?.throwIfAborted();
    const document = readDocument(item.input);
    skills.push({ ...item, document, name: fieldText(document, 'name', typing), diagnostics: [], valid: true });
    await pause?.();
  }
  return skills;
};

/** Children of a folder called `skills` that hold no skill at all. */
const missingFiles = async (
  tree: FileTree,
  skills: readonly { readonly path: string; readonly real: string }[],
): Promise<string[]> => {
  const parents = new Set(skills.flatMap(({ path }) => /^(?:.*\/)?skills(?=\/)/.exec(path)?.[0] ?? []));
  const holding = new Set<string>();
  // A link leads to a folder that was found by another path.
  for (const skill of skills.flatMap(({ path, real }) => [path, real])) {
    for (let at: string | undefined = skill; at !== undefined && !holding.has(at); at = parentPath(at)) holding.add(at);
  }
  const missing: string[] = [];
  for (const parent of parents) {
    for (const entry of (await tree.list(parent)) ?? []) {
      const path = joinPath(parent, entry.name);
      if (entry.kind !== 'folder' || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (!holding.has(path) && !(entry.target !== undefined && holding.has(entry.target))) missing.push(path);
    }
  }
  return missing.toSorted(compareCodePoints);
};

export interface CheckOptions extends Pace {
  /** Whether the tree is a project or the user's own folder: agents look in other places there. */
  readonly scope?: 'project' | 'user';
  /** Where the tree is in its project, if it is a part of one. */
  readonly inside?: string;
  /** Judges large skills where they hold up no page. Absent: nobody waits. */
  readonly judgeApart?: JudgeApart;
  readonly onProgress?: (progress: ReadProgress) => void;
  /** The same skills by their `SKILL.md` alone, before the files beside it are read: first unjudged, then judged. */
  readonly onFirst?: (skills: readonly CheckedSkill[]) => Promise<void>;
}

const relativeTo = (folder: string, path: string): string =>
  folder === '' ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '\0';

/** Which agents load each folder. Whether a plugin holds it is asked once per folder. */
const clientsByFolder = async (
  tree: FileTree,
  folders: readonly { readonly path: string; readonly entries: readonly TreeEntry[] }[],
  scope: 'project' | 'user',
  inside: string,
): Promise<(path: string) => readonly LoadedBy[]> => {
  const skills = new Set(folders.map(({ path }) => path));
  const owners = new Set(
    folders.flatMap(
      ({ path }) => /^(?:(.*)\/)?skills\/[^/]+$/.exec(path)?.[1] ?? (/^skills\/[^/]+$/.test(path) ? '' : []),
    ),
  );
  const plugins = new Set<string>();
  for (const owner of owners) {
    const entries = await tree.list(owner).catch(() => undefined);
    if (entries?.some(({ name, kind }) => kind === 'folder' && name === '.claude-plugin')) plugins.add(owner);
  }
  const byPlace = new Map(
    folders.map(({ path }) => [
      path,
      loadedBy(joinPath(inside, path), scope, (at) => skills.has(relativeTo(inside, at)), {
        plugins: new Set([...plugins].map((at) => joinPath(inside, at))),
      }),
    ]),
  );
  const packaged = await packagedSkills(
    tree,
    folders.filter(({ path }) => byPlace.get(path)?.length === 0),
  );
  return (path) => {
    const known = byPlace.get(path) ?? [];
    const by = packaged.get(path);
    return known.length === 0 && by ? [by] : known;
  };
};

/** Skills that took too long. After these, no other one of the folder is tried: each costs seconds. */
const MOST_UNFINISHED = 3;
/** Skills that are read together. */
const AT_ONCE = 16;

export const checkSkills = async (
  tree: FileTree,
  root: string,
  profile: Profile,
  options: CheckOptions = {},
): Promise<CheckResult> => {
  const { signal, pause, onProgress } = options;
  const { search } = createFolderSearch(tree, {
    limits: NO_LIMITS,
    dotFolders: true,
    isSearchedBelow,
    ...(signal && { signal }),
    ...(pause && { pause }),
  });
  const found = await search(root);
  const folders = [
    ...found.skills.map((folder) => ({ ...folder, fileName: 'SKILL.md' })),
    ...found.skipped.flatMap(({ path, real, misspelled }) =>
      misspelled === undefined ? [] : [{ path, real, fileName: misspelled, entries: [] }],
    ),
  ];
  const unreadable: { path: string; reason: string; isUnread: true }[] = [];
  const clientsOf = await clientsByFolder(tree, folders, options.scope ?? 'project', options.inside ?? '');
  const readAll = async (
    read: (folder: (typeof folders)[number]) => Promise<SkillInput>,
    onFault: (path: string, thrown: unknown) => void,
    onRead: (done: number) => void,
  ): Promise<readonly ReadSkill[]> => {
    let done = 0;
    const inputs = await mapBounded(folders, AT_ONCE, async (folder): Promise<ReadSkill[]> => {
      signal?.throwIfAborted();
      const { path, real } = folder;
      let input: SkillInput | undefined;
      try {
        input = await read(folder);
      } catch (thrown) {
        onFault(path, thrown);
      }
      signal?.throwIfAborted();
      onRead(++done);
      await pause?.();
      return input ? [{ path, real, input, clients: clientsOf(path) }] : [];
    });
    return inputs.flat().toSorted((a, b) => compareCodePoints(a.path, b.path));
  };
  if (options.onFirst) {
    const quick = await readAll(
      (folder) => readQuickly(tree, folder, folder.fileName),
      () => {},
      () => {},
    );
    await options.onFirst(await withoutProblems(quick, profile, options));
    await options.onFirst(await judgeSkills(quick, profile, options));
  }
  onProgress?.({ done: 0, total: folders.length });
  const inputs = await readAll(
    ({ path, real, fileName }) => readWhole(tree, path, fileName, real),
    (path, thrown) => unreadable.push({ path, reason: `it cannot be read: ${errorMessage(thrown)}`, isUnread: true }),
    (done) => onProgress?.({ done, total: folders.length }),
  );
  const skills = await judgeSkills(inputs, profile, options);
  const missing = await missingFiles(tree, folders);
  return {
    skills,
    skipped: [
      ...found.skipped.flatMap(({ path, reason, misspelled }) =>
        misspelled === undefined ? [{ path, reason, isUnread: true as const }] : [],
      ),
      ...unreadable.toSorted((a, b) => compareCodePoints(a.path, b.path)),
      ...missing.map((path) => ({ path, reason: RULES.get('file-missing')?.why ?? '' })),
    ],
  };
};
