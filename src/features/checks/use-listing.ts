import { useEffect, useState, useSyncExternalStore } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { listingIn } from '../../model/clients/registry.ts';
import { readClientSettings } from '../../model/clients/settings.ts';
import type { ClientId, Listing, Usage } from '../../model/clients/types.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import type { LibraryInput } from '../../model/library/load-library.ts';

/** The folders that are open, and when they were read again. */
export interface ListingSource {
  readonly input: () => Promise<LibraryInput>;
  readonly getState: () => {
    readonly version: number;
    readonly view: { readonly skills: readonly Pick<WorkspaceSkill, 'path' | 'isInFolder' | 'clients'>[] } | undefined;
  };
  readonly subscribe: (listener: () => void) => () => void;
}

export interface KnownListing {
  readonly listing: Listing | undefined;
  /** Settings files of the agent that were read. */
  readonly settings: readonly string[];
  /** Whether somebody opened the user's own folder: agents look there, too. */
  readonly hasUser: boolean;
  readonly fault: string | undefined;
  /** Of the folder that was read. */
  readonly version: number;
}

const UNKNOWN: KnownListing = { listing: undefined, settings: [], hasUser: false, fault: undefined, version: 0 };

export interface Asked {
  readonly client: ClientId;
  /** Empty: the usual one. */
  readonly model: string;
  readonly usage: Usage | undefined;
  /** What if the description of the skill at this path had so many characters less. */
  readonly trimmed?: string;
  readonly by?: number;
}

/** What the agent lists of the saved files. Computed again when the folder was read again. */
export const useListing = (
  source: ListingSource,
  { client, model, usage, trimmed = '', by = 0 }: Asked,
  now: () => number,
): KnownListing => {
  const version = useSyncExternalStore(source.subscribe, () => source.getState().version);
  const [known, setKnown] = useState(UNKNOWN);
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      const { project, user } = await source.input();
      if (!project) return setKnown(UNKNOWN);
      const trees = {
        project: project.tree,
        ...(project.workingFolder !== undefined && { workingFolder: project.workingFolder }),
        ...(user && { user }),
      };
      const { values, files, notes } = await readClientSettings(client, trees);
      const found = await listingIn(client, trees, {
        settings: values,
        ...(model !== '' && { model }),
        ...(usage && { usage, now: now() }),
        ...(by > 0 && { trims: new Map([[trimmed, by]]) }),
      });
      const listing = { ...found, notes: [...notes, ...found.notes] };
      if (!isOver) setKnown({ listing, settings: files, hasUser: user !== undefined, fault: undefined, version });
    };
    read().catch((thrown: unknown) => {
      if (!isOver) setKnown({ ...UNKNOWN, fault: errorMessage(thrown) });
    });
    return () => {
      isOver = true;
    };
  }, [source, version, client, model, usage, trimmed, by, now]);
  return known;
};
