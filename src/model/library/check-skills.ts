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
import { parentPath, type FileTree } from '../files/file-tree.ts';
import { createFolderSearch } from './find-skills.ts';
import type { Pace, ReadProgress } from './pace.ts';
import { readQuickly, readWhole } from './read-folder.ts';

/** Dot-folders in which people keep skills. */
const DOT_FOLDERS = new Set(['.agents', '.claude', '.metis', '.swival']);
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
}

export interface CheckResult {
  readonly skills: readonly CheckedSkill[];
  /** Folders that could not be looked into, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

const acrossSkills = (rule: RuleId, profile: Profile, message: string): Diagnostic[] => {
  const severity = RULES.get(rule)?.severity[profile];
  return severity ? [{ rule, severity, message, file: 'SKILL.md', range: { start: 0, end: 0 }, fixes: [] }] : [];
};

/** Judges skills together: links between them, names and descriptions that occur twice. */
const judgeSkills = async (
  inputs: readonly { readonly path: string; readonly real: string; readonly input: SkillInput }[],
  profile: Profile,
  { signal, pause }: Pace,
): Promise<CheckedSkill[]> => {
  const typing = typingOf(profile);
  const readOne = ({ path, real, input }: (typeof inputs)[number]) => {
    const document = readDocument(input);
    return {
      path,
      real,
      input,
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
  const names = new Map<string, string>();
  const descriptions = new Map<string, string>();
  const judge = ({ path, real, input, document, name, description }: (typeof read)[number]): CheckedSkill => {
    const linked = document.bodyFacts.wikiLinks.length > 0 ? readDocument({ ...input, knownSkills }) : document;
    const diagnostics = [...diagnose(linked, profile)];
    const where = path === '' ? '.' : path;
    const sameName = name === undefined ? undefined : names.get(name);
    if (name !== undefined && sameName === undefined) names.set(name, where);
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
    const sameDescription = key === '' ? undefined : descriptions.get(key);
    if (key !== '' && sameDescription === undefined) descriptions.set(key, where);
    if (sameDescription !== undefined && sameName === undefined) {
      diagnostics.push(
        ...acrossSkills('duplicate-description', profile, `The skill at ${sameDescription} has the same description.`),
      );
    }
    return { path, real, name, input, document: linked, diagnostics, valid: isValid(diagnostics) };
  };
  const judged: CheckedSkill[] = [];
  for (const item of read) {
    signal?.throwIfAborted();
    judged.push(judge(item));
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
  readonly onProgress?: (progress: ReadProgress) => void;
  /** The same skills by their `SKILL.md` alone, before the files beside it are read: first unjudged, then judged. */
  readonly onFirst?: (skills: readonly CheckedSkill[]) => Promise<void>;
}

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
    dotFolders: DOT_FOLDERS,
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
  const unreadable: { path: string; reason: string }[] = [];
  type Read = { readonly path: string; readonly real: string; readonly input: SkillInput };
  const readAll = async (
    read: (folder: (typeof folders)[number]) => Promise<SkillInput>,
    onFault: (path: string, thrown: unknown) => void,
    onRead: (done: number) => void,
  ): Promise<readonly Read[]> => {
    let done = 0;
    const inputs = await mapBounded(folders, AT_ONCE, async (folder): Promise<Read[]> => {
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
      return input ? [{ path, real, input }] : [];
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
    (path, thrown) => unreadable.push({ path, reason: `it cannot be read: ${errorMessage(thrown)}` }),
    (done) => onProgress?.({ done, total: folders.length }),
  );
  const skills = await judgeSkills(inputs, profile, options);
  const missing = await missingFiles(tree, folders);
  return {
    skills,
    skipped: [
      ...found.skipped.flatMap(({ path, reason, misspelled }) => (misspelled === undefined ? [{ path, reason }] : [])),
      ...unreadable.toSorted((a, b) => compareCodePoints(a.path, b.path)),
      ...missing.map((path) => ({ path, reason: RULES.get('file-missing')?.why ?? '' })),
    ],
  };
};
