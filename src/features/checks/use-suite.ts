/** The suite of the skill in front: read from its `evals` folder, or proposed; edited here, and saved as `triggers.yaml`. */
import { useEffect, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { joinPath } from '../../base/paths.ts';
import { suitesIn } from '../../model/evals/measured.ts';
import { proposeSuite } from '../../model/evals/suite/propose.ts';
import { writeTriggers } from '../../model/evals/suite/triggers-file.ts';
import { MOST_BYTES, type Suite, type TriggerQuery } from '../../model/evals/suite/types.ts';
import type { PickableSkill } from '../../model/simulator/behaviour/pick-skill.ts';
import type { FilesStore } from '../../stores/files-types.ts';
import type { ListingSource } from './use-listing.ts';

export interface SuiteDraft {
  /** Where it is saved. */
  readonly file: string;
  /** Where it was read from; nothing: it was proposed. */
  readonly from: string | undefined;
  readonly suite: Suite;
  readonly isChanged: boolean;
  readonly fault?: string;
}

export interface SuiteHandle {
  readonly draft: SuiteDraft | undefined;
  readonly edit: (change: (queries: readonly TriggerQuery[]) => readonly TriggerQuery[]) => void;
  /** Adds what the library suggests and the suite does not have. */
  readonly propose: () => void;
  /** Adds these, without those that the suite has. */
  readonly add: (queries: readonly TriggerQuery[]) => void;
  readonly save: () => Promise<void>;
}

const fileOf = (folder: string): string => joinPath(joinPath(folder, 'evals'), 'triggers.yaml');

/** A suite of nothing stays one: its skill may be new. */
const proposed = (skills: readonly PickableSkill[], skill: string): Suite =>
  proposeSuite(skills, skill) ?? { skill, defaults: { repeats: 5, maxTurns: 3 }, queries: [] };

export const useSuite = (
  source: ListingSource,
  files: Pick<FilesStore, 'create' | 'change'>,
  folder: string,
  skill: string,
  skills: readonly PickableSkill[],
): SuiteHandle => {
  const [kept, setKept] = useState<{ readonly folder: string; readonly draft: SuiteDraft }>();
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      const { project } = await source.input();
      const suites = project ? await suitesIn(project.tree, folder) : new Map<string, Suite>();
      const own = fileOf(folder);
      const [from, suite] = [...suites].toSorted(([a], [b]) => Number(b === own) - Number(a === own))[0] ?? [];
      const draft = { file: own, from, suite: suite ?? proposed(skills, skill), isChanged: suite === undefined };
      if (!isOver) setKept({ folder, draft });
    };
    read().catch((thrown: unknown) => {
      const suite = proposed([], skill);
      const draft = { file: fileOf(folder), from: undefined, suite, isChanged: false, fault: errorMessage(thrown) };
      if (!isOver) setKept({ folder, draft });
    });
    return () => {
      isOver = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- read once for each skill: what is typed here stays
  }, [source, folder]);
  const draft = kept?.folder === folder ? kept.draft : undefined;
  const set = (change: (known: SuiteDraft) => SuiteDraft): void =>
    setKept((known) => known && { ...known, draft: change(known.draft) });
  const withQueries = (known: SuiteDraft, queries: readonly TriggerQuery[]): SuiteDraft => ({
    ...known,
    suite: { ...known.suite, queries },
    isChanged: true,
  });

  const add = (queries: readonly TriggerQuery[]): void =>
    set((known) => {
      const ids = new Set(known.suite.queries.map(({ id }) => id));
      const more = queries.filter(({ id }) => !ids.has(id));
      return more.length === 0 ? known : withQueries(known, [...known.suite.queries, ...more]);
    });

  const write = async (known: SuiteDraft): Promise<string | undefined> => {
    const text = writeTriggers(known.suite);
    const { project } = await source.input();
    const bytes = await project?.tree.read(known.file, MOST_BYTES);
    const before = bytes && new TextDecoder().decode(bytes);
    if (before === text) return undefined;
    const saved =
      before === undefined
        ? await files.create(known.file, new Map([['', text]]))
        : await files.change('Save the trigger queries', new Map([[known.file, { before, after: text }]]));
    return saved.ok ? undefined : saved.error.message;
  };

  return {
    draft,
    edit: (change) => set((known) => withQueries(known, change(known.suite.queries))),
    propose: () => add(proposed(skills, skill).queries),
    add,
    save: async () => {
      if (!draft) return;
      const fault = await write(draft).catch(errorMessage);
      set(({ fault: _before, ...known }) =>
        fault === undefined ? { ...known, from: known.file, isChanged: false } : { ...known, fault },
      );
    },
  };
};
