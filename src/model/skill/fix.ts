/** Applying fixes: one, or all that may be applied without asking. */
import { toLineFeeds } from '../../base/text.ts';
import { diagnose } from './diagnose.ts';
import { readDocument } from './document.ts';
import { decodeText } from './source-text.ts';
import type { Diagnostic, Fix, FixAction, Profile, SkillFile, SkillInput, TextEdit } from './types.ts';

/** Edits of one string; they do not overlap. Of two insertions at one place the earlier in the list comes first. */
export const applyEdits = (text: string, edits: readonly TextEdit[]): string => {
  const sorted = edits
    .map((edit, index) => ({ edit, index }))
    .toSorted((a, b) => a.edit.range.start - b.edit.range.start || a.index - b.index);
  let out = '';
  let at = 0;
  for (const { edit } of sorted) {
    out += text.slice(at, edit.range.start) + edit.text;
    at = Math.max(at, edit.range.end);
  }
  return out + text.slice(at);
};

/** Two edits that cannot both be made: they overlap, or are at one place where the order would matter. */
const collide = (a: TextEdit, b: TextEdit): boolean => {
  if (a.range.start === b.range.start) return a.joins !== true || b.joins !== true;
  return a.range.start < b.range.end && b.range.start < a.range.end;
};

/** The edits chosen so far for one file, in order of position. */
export class ChosenEdits {
  readonly #edits: TextEdit[] = [];

  /** How many start before an offset. */
  #before(offset: number): number {
    let low = 0;
    let high = this.#edits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#edits[middle]?.range.start ?? Infinity) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #admits(edit: TextEdit): boolean {
    // Of those that start before it, none but the last can reach it, for they do not overlap.
    let index = this.#before(edit.range.start);
    const previous = this.#edits[index - 1];
    if (previous && collide(previous, edit)) return false;
    for (; index < this.#edits.length; index++) {
      const other = this.#edits[index];
      if (!other || other.range.start > Math.max(edit.range.start, edit.range.end)) break;
      if (collide(other, edit)) return false;
    }
    return true;
  }

  /** Takes all edits of a fix, or none. */
  take(edits: readonly TextEdit[]): boolean {
    if (!edits.every((edit) => this.#admits(edit))) return false;
    for (const edit of edits) this.#edits.splice(this.#before(edit.range.start + 1), 0, edit);
    return true;
  }
}

/** A fix that was applied, with the rule that asked for it. */
export interface AppliedFix {
  readonly rule: string;
  readonly title: string;
}

export interface FixAllResult {
  /** The skill as it would be. */
  readonly input: SkillInput;
  /** In the order in which they were applied. */
  readonly applied: readonly AppliedFix[];
  /** New strings of the files that changed, by their path before any rename. */
  readonly texts: ReadonlyMap<string, string>;
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  readonly folder: string | undefined;
}

/** A pass applies every fix that does not touch another one's place; a chain of fixes needs a pass for each link. */
const MAX_PASSES = 100;

/** The fix that may be applied without asking. Hints are advice, not faults, and are left alone. */
export const bulkFix = (diagnostic: Diagnostic, unsafe: boolean): Fix | undefined =>
  diagnostic.severity === 'hint'
    ? undefined
    : diagnostic.fixes.find((fix) => fix.safety === 'safe' || (unsafe && fix.safety === 'unsafe'));

interface State {
  input: SkillInput;
  text: string;
}

const withFile = (input: SkillInput, path: string, change: (file: SkillFile) => [string, SkillFile]): SkillInput => {
  if (!input.files) return input;
  const files = new Map<string, SkillFile>();
  for (const [key, file] of input.files) {
    const [newKey, newFile] = key === path ? change(file) : [key, file];
    files.set(newKey, newFile);
  }
  return { ...input, files };
};

/** The skill after one action; nothing if the action has no place here. */
export const applyAction = (input: SkillInput, action: FixAction): SkillInput | undefined => {
  switch (action.kind) {
    case 'edit': {
      if (action.file === input.fileName) {
        return { ...input, content: applyEdits(decodeText(input.content).text, action.edits) };
      }
      const text = input.files?.get(action.file)?.text;
      if (text === undefined) return undefined;
      const next = applyEdits(text, action.edits);
      return withFile(input, action.file, (file) => [
        action.file,
        { ...file, text: next, size: file.size + next.length - text.length },
      ]);
    }
    case 'rename-file': {
      if (input.files?.has(action.to)) return undefined;
      const renamed = withFile(input, action.from, (file) => [action.to, file]);
      return action.from === input.fileName ? { ...renamed, fileName: action.to } : renamed;
    }
    case 'rename-folder':
      return { ...input, folder: action.to };
    case 'create-file': {
      const files = new Map(input.files);
      files.set(action.file, { size: action.text.length, text: action.text });
      return { ...input, files };
    }
  }
};

export interface FixAllOptions {
  readonly unsafe: boolean;
  /** Whether the folder may get this name; it may not if something else has it. */
  readonly canRenameFolder?: (to: string) => boolean;
  /** Rules that nobody wants to hear of here. */
  readonly isOff?: (rule: string) => boolean;
}

/** The fixes of one pass: all edits that do not collide, or else a single rename. */
const choose = (state: State, profile: Profile, options: FixAllOptions): { rule: string; fix: Fix }[] => {
  const chosen: { rule: string; fix: Fix }[] = [];
  const taken = new Map<string, ChosenEdits>();
  for (const diagnostic of diagnose(readDocument(state.input), profile)) {
    const fix = bulkFix(diagnostic, options.unsafe);
    if (!fix || options.isOff?.(diagnostic.rule) === true) continue;
    const { action } = fix;
    if (action.kind === 'rename-folder' && options.canRenameFolder?.(action.to) === false) continue;
    if (action.kind !== 'edit') {
      if (chosen.length === 0) return [{ rule: diagnostic.rule, fix }];
      continue;
    }
    const edits = taken.get(action.file) ?? new ChosenEdits();
    taken.set(action.file, edits);
    if (edits.take(action.edits)) chosen.push({ rule: diagnostic.rule, fix });
  }
  return chosen;
};

/** Applies fixes until nothing is left to do. */
export const fixAll = (start: SkillInput, profile: Profile, options: FixAllOptions): FixAllResult => {
  const { text: startText, invalidAt } = decodeText(start.content);
  // Writing back what could only be read in part would destroy the rest.
  if (invalidAt !== undefined)
    return { input: start, applied: [], texts: new Map(), renames: [], folder: start.folder };
  const state: State = { input: start, text: startText };
  const applied: AppliedFix[] = [];
  const texts = new Map<string, string>();
  const renames: { from: string; to: string }[] = [];
  const seen = new Set([snapshot(state)]);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    let next = state.input;
    const done: AppliedFix[] = [];
    const chosen = choose(state, profile, options);
    const byFile = new Map<string, TextEdit[]>();
    for (const { rule, fix } of chosen) {
      if (fix.action.kind === 'edit') {
        const edits = byFile.get(fix.action.file) ?? [];
        for (const edit of fix.action.edits) edits.push(edit);
        byFile.set(fix.action.file, edits);
      } else {
        const renamed = applyAction(next, fix.action);
        if (!renamed) continue;
        next = renamed;
        if (fix.action.kind === 'rename-file') renames.push({ from: fix.action.from, to: fix.action.to });
      }
      done.push({ rule, title: fix.title });
    }
    for (const [file, edits] of byFile) next = applyAction(next, { kind: 'edit', file, edits }) ?? next;
    const candidate: State = { input: next, text: decodeText(next.content).text };
    const key = snapshot(candidate);
    if (done.length === 0 || seen.has(key)) break;
    seen.add(key);
    for (const [file] of byFile) {
      const text = file === next.fileName ? candidate.text : next.files?.get(file)?.text;
      const original = renames.find((rename) => rename.to === file)?.from ?? file;
      if (text !== undefined) texts.set(original, text);
    }
    applied.push(...done);
    state.input = next;
    state.text = candidate.text;
  }
  return { input: state.input, applied, texts, renames, folder: state.input.folder };
};

const snapshot = (state: State): string =>
  [
    state.input.folder ?? '',
    state.input.fileName,
    state.text,
    ...[...(state.input.files ?? [])].map(([path, file]) => `${path}\u0001${file.text ?? ''}`),
  ].join('\u0000');

/** Whether two strings have the same body, for those who promise not to touch it. */
export const sameBody = (a: SkillInput, b: SkillInput): boolean =>
  toLineFeeds(readDocument(a).body) === toLineFeeds(readDocument(b).body);
