/** What the editor needs from around it. The composition root adapts the stores to this. */
import { baseName } from '../../base/paths.ts';
import type { LanguageFacts } from '../../model/skill/language/completion.ts';
import type { Diagnostic, Fix } from '../../model/skill/types.ts';
import type { DocumentedKeys } from '../../model/starlark/input-keys.ts';
import type { Analysis, FormatResult } from '../../model/starlark/messages.ts';
import type { PreviewNeeds } from '../preview/preview-settings.ts';

/** Both from 1, the column in UTF-16 units. */
export interface EditorPosition {
  readonly line: number;
  readonly column?: number;
}

/** The file changed on disk while it was edited here. */
export interface FileConflict {
  /** What both started from. */
  readonly base: string;
  readonly disk: string;
}

export type ConflictChoice = 'merge' | 'mine' | 'disk';

interface OpenFile {
  readonly path: string;
}

export interface OpenText extends OpenFile {
  readonly kind: 'text';
  readonly text: string;
  /** What is on disk, as far as is known; the file is dirty while the two differ. Nothing where there is no file. */
  readonly saved: string | undefined;
  /** It was deleted or moved outside. */
  readonly isGone?: boolean;
  /** Unsaved text of an earlier visit came back: milliseconds since 1970. */
  readonly recoveredFrom?: number;
  /** Why it cannot be edited, in one sentence. */
  readonly readOnly?: string;
  /** It is read only because another tab writes. */
  readonly canTakeOver?: boolean;
  readonly conflict?: FileConflict;
  /** What went wrong at the last save, and what to do. */
  readonly problem?: string;
  readonly isSaving?: boolean;
}

export interface OpenImage extends OpenFile {
  readonly kind: 'image';
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface OpenRefused extends OpenFile {
  readonly kind: 'refused';
  /** Why it is not shown, and what to do. */
  readonly reason: string;
}

export interface OpenLoading extends OpenFile {
  readonly kind: 'loading';
}

export type DocumentView = OpenText | OpenImage | OpenRefused | OpenLoading;

export interface EditorState {
  /** In the order of their tabs. */
  readonly documents: readonly DocumentView[];
  readonly active: string | undefined;
}

/** What is known of a text. */
export interface Checked {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Of a program. */
  readonly analysis?: Analysis;
  /** What SKILL.md says about the program's input. */
  readonly documented?: DocumentedKeys;
}

/** The skill that a file belongs to. */
export interface Surroundings extends LanguageFacts {
  /** The skill's folder; paths of its files start with it. */
  readonly root: string;
}

export interface EditorNeeds extends PreviewNeeds {
  readonly getState: () => EditorState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Opens a file, or brings it to the front. */
  readonly open: (path: string) => void;
  /** Asks by itself before it drops unsaved text. */
  readonly close: (path: string) => void;
  readonly setText: (path: string, text: string) => void;
  readonly save: (path: string) => Promise<void>;
  readonly resolveConflict: (path: string, choice: ConflictChoice) => void;
  /** Where another tab writes to the folder: makes this one the writer. */
  readonly takeOver?: () => void;
  /** Drops what is not saved. */
  readonly reload: (path: string) => void;
  /** For a fix that reaches beyond the text of this file: renames, new files, edits of other files. */
  readonly applyFix: (path: string, fix: Fix) => void;
  /** Never rejects for a fault in the text. */
  readonly check: (path: string, text: string) => Promise<Checked>;
  /** The text with every safe fix applied; nothing if none exists. */
  readonly fixAll: (path: string, text: string) => Promise<string | undefined>;
  /** For programs. */
  readonly format: (path: string, text: string) => Promise<FormatResult>;
  /** Called with every new list of problems, for those who show them elsewhere. */
  readonly onChecked?: (path: string, diagnostics: readonly Diagnostic[]) => void;
  readonly surroundings: (path: string) => Surroundings | undefined;
  /** Lines with a breakpoint, ascending. */
  readonly breakpoints: (path: string) => readonly number[];
  readonly setBreakpoints: (path: string, lines: readonly number[]) => void;
  /** Absent where nothing can run programs. */
  readonly runMetaskill?: (path: string) => void;
  /** A sentence if the program cannot run now. */
  readonly runObjection?: (path: string) => string | undefined;
}

export const isDirty = (document: DocumentView): boolean =>
  document.kind === 'text' && document.text !== document.saved;

export const isSkillFile = (path: string): boolean => baseName(path) === 'SKILL.md';
export const isProgram = (path: string): boolean => path.endsWith('.star');
export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);
