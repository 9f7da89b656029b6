/** The state of the editor panel that is no file: mode, problems, comparison, the line being executed; and its commands. */
import { createEmitter } from '../../base/emitter.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Fix } from '../../model/skill/types.ts';
import {
  isMarkdown,
  isProgram,
  type Checked,
  type EditorNeeds,
  type EditorPosition,
  type DocumentView,
  type OpenText,
} from './needs.ts';
import type { CurrentLine } from './monaco/breakpoints.ts';
import type { MonacoOwner } from './monaco/owner.ts';
import { stopLine } from '../../model/starlark/stop-line.ts';

export const MODES = ['preview', 'edit', 'split'] as const;
export type EditorMode = (typeof MODES)[number];

export type CompareSide = 'base' | 'mine' | 'disk';

export interface EditorView {
  /** Of Markdown files; everything else has no preview. */
  readonly mode: EditorMode;
  readonly checked: ReadonlyMap<string, Checked>;
  /** The file whose versions are compared, and which. */
  readonly compare: { readonly path: string; readonly left: CompareSide; readonly right: CompareSide } | undefined;
  readonly current: (CurrentLine & { readonly path: string }) | undefined;
  /** Monaco could not be loaded: what to say. */
  readonly failure: string | undefined;
}

export interface EditorDeps {
  readonly needs: EditorNeeds;
  /** Where the mode is remembered. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
  /** Replaced in tests. */
  readonly loadOwner?: () => Promise<typeof MonacoOwner>;
}

export interface Editor extends Disposable {
  readonly needs: EditorNeeds;
  readonly getView: () => EditorView;
  readonly subscribe: (listener: () => void) => () => void;
  readonly setMode: (mode: EditorMode) => void;
  /** Opens a file and shows a place in it. */
  readonly open: (path: string, position?: EditorPosition) => void;
  readonly save: () => Promise<void>;
  readonly close: (path?: string) => void;
  /** The tab before or after the active one, round the corner. */
  readonly step: (by: 1 | -1) => void;
  /** Versions of the active file, or of the one with a conflict. */
  readonly compareWithDisk: () => void;
  readonly setCompare: (compare: EditorView['compare']) => void;
  readonly format: () => Promise<void>;
  readonly fixAll: (path?: string) => Promise<void>;
  /** Edits that stay in the file are made where they can be undone. */
  readonly applyFix: (path: string, fix: Fix) => void;
  readonly showOutline: () => Promise<void>;
  readonly goToDefinition: () => Promise<void>;
  readonly toggleBreakpoint: (path: string, line: number) => void;
  /** For the debugger: the line that is being executed, with what to show after it. Nothing takes it away. */
  readonly showLine: (path: string, line: number | undefined, note?: string) => void;
  /** The same with everything that is known of a moment of a run. */
  readonly showMoment: (path: string, current: CurrentLine | undefined) => void;
  readonly runMetaskill: () => void;
  readonly focus: () => void;
  /** Loads Monaco now, or waits for it. */
  readonly owner: () => Promise<MonacoOwner | undefined>;
  readonly active: () => DocumentView | undefined;
  /** What is around the open files has changed: other skills, other rules. */
  readonly checkAgain: () => void;
}

/** After the last key, before the rules are asked. */
const CHECK_DELAY = 180;
const MODE_KEY = 'lathe.editor-mode';

const readMode = (storage: EditorDeps['storage']): EditorMode => {
  try {
    const stored = storage?.getItem(MODE_KEY);
    return MODES.find((mode) => mode === stored) ?? 'preview';
  } catch {
    // Blocked storage: the mode is not remembered, and nothing else changes.
    return 'preview';
  }
};

const importOwner = async (): Promise<typeof MonacoOwner> => (await import('./monaco/owner.ts')).MonacoOwner;

class EditorController implements Editor {
  readonly needs: EditorNeeds;
  readonly #deps: EditorDeps;
  readonly #news = createEmitter<undefined>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #texts = new Map<string, string>();
  /** Judged by what was around them before. */
  readonly #outdated = new Set<string>();
  readonly #unsubscribe: () => void;
  #view: EditorView;
  #owner: Promise<MonacoOwner | undefined> | undefined;
  #ready: MonacoOwner | undefined;
  #reveal: { readonly path: string; readonly position: EditorPosition } | undefined;

  constructor(deps: EditorDeps) {
    this.#deps = deps;
    this.needs = deps.needs;
    this.#view = {
      mode: readMode(deps.storage),
      checked: new Map(),
      compare: undefined,
      current: undefined,
      failure: undefined,
    };
    this.#unsubscribe = this.needs.subscribe(() => this.#hear());
    this.#hear();
  }

  getView = (): EditorView => this.#view;

  subscribe = (listener: () => void): (() => void) => {
    const subscription = this.#news.subscribe(listener);
    return () => subscription[Symbol.dispose]();
  };

  #set(change: Partial<EditorView>): void {
    this.#view = { ...this.#view, ...change };
    this.#news.emit(undefined);
  }

  #textOf(path: string | undefined): OpenText | undefined {
    const document = this.needs.getState().documents.find((one) => one.path === path);
    return document?.kind === 'text' ? document : undefined;
  }

  active = (): DocumentView | undefined => {
    const { documents, active } = this.needs.getState();
    return documents.find(({ path }) => path === active);
  };

  #activeText(): OpenText | undefined {
    return this.#textOf(this.needs.getState().active);
  }

  /** The page changed something: models follow immediately, checks when the hands rest. */
  #hear(): void {
    const { documents, active } = this.needs.getState();
    const texts = documents.filter((document) => document.kind === 'text');
    this.#ready?.sync(texts);
    const paths = new Set(texts.map(({ path }) => path));
    for (const path of this.#texts.keys()) if (!paths.has(path)) this.#forget(path);
    for (const { path, text } of texts) {
      if (this.#texts.get(path) === text) continue;
      const isFirst = !this.#texts.has(path);
      this.#texts.set(path, text);
      this.#schedule(path, isFirst ? 0 : CHECK_DELAY);
    }
    // A comparison belongs to the file that is looked at.
    if (this.#view.compare && this.#view.compare.path !== active) this.#set({ compare: undefined });
    this.#showActive();
  }

  #forget(path: string): void {
    clearTimeout(this.#timers.get(path));
    this.#timers.delete(path);
    this.#texts.delete(path);
    this.#outdated.delete(path);
    const checked = new Map(this.#view.checked);
    checked.delete(path);
    this.#set({ checked });
  }

  #schedule(path: string, delay: number): void {
    clearTimeout(this.#timers.get(path));
    this.#timers.set(
      path,
      setTimeout(() => void this.#check(path), delay),
    );
  }

  async #check(path: string, text = this.#texts.get(path)): Promise<Checked | undefined> {
    clearTimeout(this.#timers.get(path));
    if (text === undefined) return undefined;
    const known = this.#view.checked.get(path);
    const isOutdated = this.#outdated.delete(path);
    if (known?.text === text && !isOutdated) return known;
    const checked = await this.needs.check(path, text);
    // Something newer was typed meanwhile, or the file was closed.
    if (this.#texts.get(path) === text) this.#keep(path, checked);
    return checked;
  }

  checkAgain = (): void => {
    for (const path of this.#texts.keys()) {
      this.#outdated.add(path);
      this.#schedule(path, 0);
    }
  };

  #keep(path: string, checked: Checked): void {
    // The outline of the last text without a syntax error is better than none.
    const before = this.#view.checked.get(path)?.analysis;
    const isEmpty = checked.analysis?.facts === null && checked.analysis.outline.symbols.length === 0;
    const kept: Checked =
      isEmpty && before && checked.analysis
        ? { ...checked, analysis: { ...checked.analysis, outline: { ...before.outline, stopLines: [] } } }
        : checked;
    this.#set({ checked: new Map(this.#view.checked).set(path, kept) });
    this.#ready?.showChecked(path, kept);
    this.needs.onChecked?.(path, kept.diagnostics);
  }

  /** Of exactly this text, from what is known or by asking. */
  async #fresh(path: string, text: string): Promise<Checked> {
    const record = this.#textOf(path)?.text ?? text;
    return (await this.#check(path, record)) ?? { text: record, diagnostics: [] };
  }

  owner = (): Promise<MonacoOwner | undefined> => {
    this.#owner ??= this.#load();
    return this.#owner;
  };

  async #load(): Promise<MonacoOwner | undefined> {
    try {
      const Owner = await (this.#deps.loadOwner ?? importOwner)();
      const owner = new Owner({
        onText: this.needs.setText,
        onOpen: (path, position) => this.open(path, position),
        onOpenSkill: this.needs.openSkill,
        onFix: this.applyFix,
        onFixAll: (path) => void this.fixAll(path),
        onToggleBreakpoint: this.toggleBreakpoint,
        onBreakpointsMoved: this.needs.setBreakpoints,
        surroundings: this.needs.surroundings,
        checked: (path) => this.#view.checked.get(path),
        fresh: (path, text) => this.#fresh(path, text),
        format: this.needs.format,
      });
      this.#ready = owner;
      this.#hear();
      for (const [path, checked] of this.#view.checked) owner.showChecked(path, checked);
      if (this.#view.current) owner.showLine(this.#view.current.path, this.#view.current);
      if (this.#view.failure !== undefined) this.#set({ failure: undefined });
      return owner;
    } catch (thrown) {
      this.#owner = undefined;
      this.#set({ failure: errorMessage(thrown) });
      return undefined;
    }
  }

  #showActive(): void {
    const owner = this.#ready;
    const document = this.#activeText();
    if (!owner || !document) return;
    const { path } = document;
    owner.show(document, `${path}. Press Control M to let the Tab key leave the editor.`);
    owner.setBreakpoints(path, this.needs.breakpoints(path));
    if (this.#reveal?.path !== path) return;
    owner.reveal(this.#reveal.position);
    this.#reveal = undefined;
  }

  setMode = (mode: EditorMode): void => {
    if (mode === this.#view.mode) return;
    this.#set({ mode });
    try {
      this.#deps.storage?.setItem(MODE_KEY, mode);
    } catch {
      // As in readMode.
    }
    if (mode !== 'preview') this.focus();
  };

  open = (path: string, position?: EditorPosition): void => {
    if (position) {
      this.#reveal = { path, position };
      if (isMarkdown(path) && this.#view.mode === 'preview') this.setMode('edit');
    }
    this.needs.open(path);
    this.#showActive();
  };

  save = async (): Promise<void> => {
    const document = this.#activeText();
    if (document) await this.needs.save(document.path);
  };

  close = (path = this.needs.getState().active): void => {
    if (path !== undefined) this.needs.close(path);
  };

  step = (by: 1 | -1): void => {
    const { documents, active } = this.needs.getState();
    const at = documents.findIndex(({ path }) => path === active);
    const next = documents[(at + by + documents.length) % documents.length];
    if (next) this.needs.open(next.path);
  };

  setCompare = (compare: EditorView['compare']): void => this.#set({ compare });

  compareWithDisk = (): void => {
    const document = this.#activeText();
    if (!document) return;
    this.#set({ compare: { path: document.path, left: 'disk', right: 'mine' } });
  };

  format = async (): Promise<void> => {
    const document = this.#activeText();
    if (!document || !isProgram(document.path)) return;
    const { path, text } = document;
    const result = await this.needs.format(path, text);
    if (result.ok && result.text !== text) this.#write(path, result.text);
  };

  fixAll = async (path = this.needs.getState().active): Promise<void> => {
    const document = this.#textOf(path);
    if (!document) return;
    const fixed = await this.needs.fixAll(document.path, document.text);
    // A text that was changed meanwhile is not overwritten with the fix of an older one.
    if (fixed !== undefined && this.#textOf(path)?.text === document.text) this.#write(document.path, fixed);
  };

  /** By an edit that can be undone where there is an editor; a byte order mark is only in the record. */
  #write(path: string, text: string): void {
    const before = this.#textOf(path)?.text;
    const sameMark = before?.startsWith('\uFEFF') === text.startsWith('\uFEFF');
    if (!sameMark || this.#ready?.replaceText(path, text) !== true) this.needs.setText(path, text);
  }

  applyFix = (path: string, fix: Fix): void => this.needs.applyFix(path, fix);

  showOutline = async (): Promise<void> => (await this.#inFront())?.run('editor.action.quickOutline');

  goToDefinition = async (): Promise<void> => (await this.#inFront())?.run('editor.action.revealDefinition');

  async #inFront(): Promise<MonacoOwner | undefined> {
    if (this.#view.mode === 'preview') this.setMode('edit');
    return this.owner();
  }

  toggleBreakpoint = (path: string, line: number): void => {
    const lines = this.needs.breakpoints(path);
    const stop = lines.includes(line) ? line : stopLine(this.#view.checked.get(path)?.analysis, line);
    if (stop === undefined) return;
    const next = lines.includes(stop) ? lines.filter((one) => one !== stop) : [...lines, stop];
    this.needs.setBreakpoints(
      path,
      next.toSorted((a, b) => a - b),
    );
    this.#ready?.setBreakpoints(path, this.needs.breakpoints(path));
  };

  showLine = (path: string, line: number | undefined, note?: string): void => {
    this.showMoment(path, line === undefined ? undefined : { line, ...(note !== undefined && { note }) });
  };

  showMoment = (path: string, current: CurrentLine | undefined): void => {
    this.#set({ current: current && { ...current, path } });
    this.#ready?.showLine(path, current);
  };

  runMetaskill = (): void => {
    const document = this.#activeText();
    if (document && isProgram(document.path)) this.needs.runMetaskill?.(document.path);
  };

  focus = (): void => {
    this.#ready?.focus();
  };

  [Symbol.dispose](): void {
    this.#unsubscribe();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#ready?.[Symbol.dispose]();
  }
}

export const createEditor = (deps: EditorDeps): Editor => new EditorController(deps);
