/** Names that are no plain files on some systems: devices of Windows, other separators, drives, streams. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ .]*(?:\.|:|$)/i;

export const isReservedName = (name: string): boolean =>
  DEVICES.test(name) || name.includes('\\') || /^[a-z]:/i.test(name);

/** Signs that some disks do not see in a name. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Whether some disk takes this name for `.git`: in any case, with blanks or dots behind it, with signs that are not seen, with
 * the name of a stream, or by the short name that Windows gives it. What lies there may run on the user's machine later.
 */
export const isGitFolder = (name: string): boolean =>
  /^(?:\.git|git~\d+)[ .]*(?::.*)?$/i.test(name.normalize('NFKC').replace(UNSEEN, ''));

/** Why nothing may be written at a path of a folder; nothing if it may. */
export const whyNotWritten = (path: string): string | undefined => {
  const steps = path.split('/');
  if (steps.some(isGitFolder)) return 'only git itself writes to .git';
  const reserved = steps.find(isReservedName);
  return reserved === undefined ? undefined : `${JSON.stringify(reserved)} is no name for a file on every system`;
};
