/** One open file: what is on disk, what the person made of it, and what stands between the two. Pure; the store does the work. */
import { sha256 } from '../base/hash.ts';
import { mergeTexts, type Merged } from '../model/files/merge.ts';
import type { FileContent } from '../model/files/text-file.ts';

export interface FileProblem {
  readonly code:
    | 'denied'
    | 'missing'
    | 'gone'
    | 'full'
    | 'busy'
    | 'exists'
    | 'read-only'
    | 'conflict'
    | 'unsaved'
    | 'cancelled'
    | 'failed';
  /** What to do next is in it. */
  readonly message: string;
}

/** The file changed on disk, and so did the text here. */
export interface Conflict {
  readonly disk: string;
  /** What both were made of. */
  readonly base: string;
}

export interface TextDocument {
  readonly kind: 'text';
  readonly path: string;
  /** As it is in the editor, with its byte order mark and its line endings. */
  readonly text: string;
  /** As it was last seen on disk; nothing where there is no file. */
  readonly saved: string | undefined;
  readonly isSaving: boolean;
  /** It was there and was deleted or moved outside. */
  readonly isGone: boolean;
  /** What was on disk before it went. */
  readonly lastSeen: string | undefined;
  readonly conflict: Conflict | undefined;
  /** Whether the person looks at both texts side by side. */
  readonly isComparing: boolean;
  /** When the text was kept that came back after a crash or a reload: milliseconds since 1970. */
  readonly recoveredFrom: number | undefined;
  readonly problem: FileProblem | undefined;
  /** Grows whenever the text changes other than by `edit`: the editor shows it again. */
  readonly revision: number;
}

export type OtherDocument = Exclude<FileContent, { readonly kind: 'text' }>;
export type FileDocument = TextDocument | OtherDocument;

export const isDirty = (document: FileDocument): boolean =>
  document.kind === 'text' && document.text !== document.saved;

export const textDocument = (path: string, text: string): TextDocument => ({
  kind: 'text',
  path,
  text,
  saved: text,
  isSaving: false,
  isGone: false,
  lastSeen: undefined,
  conflict: undefined,
  isComparing: false,
  recoveredFrom: undefined,
  problem: undefined,
  revision: 0,
});

const LABELS = { mine: 'yours', theirs: 'disk' };

/** What a merge would give; nothing where there is no conflict. */
export const offerMerge = ({ conflict, text }: TextDocument): Merged | undefined =>
  conflict && mergeTexts({ base: conflict.base, mine: text, theirs: conflict.disk, labels: LABELS });

interface KeptDraft {
  readonly text: string;
  readonly base: string;
  readonly baseHash: string;
  readonly savedAt: number;
}

/** What a file is when it is opened and unsaved text of it was kept. */
export const withDraft = (path: string, disk: string | undefined, draft: KeptDraft): TextDocument => {
  const document: TextDocument = { ...textDocument(path, disk ?? ''), saved: disk };
  if (draft.text === disk) return document;
  const recovered = { ...document, text: draft.text, recoveredFrom: draft.savedAt };
  if (disk === undefined) return { ...recovered, isGone: true };
  if (sha256(disk) === draft.baseHash) return recovered;
  return { ...recovered, saved: draft.base, conflict: { disk, base: draft.base } };
};

/** A file that went and was not edited since is not either, whatever it comes back with: other programs replace files in two steps. */
const isUntouched = (document: TextDocument): boolean =>
  !isDirty(document) || (document.isGone && document.text === document.lastSeen);

/** What becomes of a document when its file is found to hold another text (or to be gone). */
export const withDisk = (document: TextDocument, disk: string | undefined): TextDocument => {
  if (disk === document.saved) return document.conflict ? { ...document, conflict: undefined } : document;
  if (disk === undefined)
    return { ...document, saved: undefined, isGone: true, lastSeen: document.saved, conflict: undefined };
  const there = { ...document, isGone: false, lastSeen: undefined };
  if (disk === document.text) return { ...there, saved: disk, conflict: undefined };
  if (isUntouched(document)) return { ...there, text: disk, saved: disk, revision: document.revision + 1 };
  // A conflict that is there already keeps what both were made of.
  const base = document.conflict?.base ?? document.saved ?? document.lastSeen ?? '';
  return { ...there, conflict: { disk, base } };
};
