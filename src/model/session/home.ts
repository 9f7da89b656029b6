/** To which folder a session belongs (D41). */

export interface Folder {
  /** The same for the same folder at every visit. */
  readonly id: string;
  readonly name: string;
}

export interface Homed {
  /** Where it was started. Absent in sessions that are older than this record. */
  readonly folder?: Folder;
  /** The folder's name, which every session knows. */
  readonly workspace: string;
}

/**
 * Whether the open folder is the session's own. A folder that Lathe has forgotten gets another id when it is opened again, so
 * its name has to do then.
 */
export const isAtHome = ({ folder, workspace }: Homed, open: Folder | undefined, isForgotten: boolean): boolean => {
  if (!open) return false;
  if (folder && (folder.id === open.id || !isForgotten)) return folder.id === open.id;
  return workspace === open.name;
};

/** Why a session is shown and cannot continue here. */
export type Away =
  /** Nothing for `folder`: Lathe cannot open it without the user picking it. */
  | { readonly reason: 'folder'; readonly name: string; readonly folder: Folder | undefined }
  | { readonly reason: 'tab' };

/** Why nothing can be sent, and what to do about it. */
export const awayText = (away: Away): string =>
  away.reason === 'tab'
    ? 'This session is open in another tab. Close it there, or take over here.'
    : `This session belongs to the folder ${away.name}. Open that folder to continue.`;
