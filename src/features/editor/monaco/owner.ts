import { joinPath } from '../../../base/paths.ts';
import type { Fix } from '../../../model/skill/types.ts';
import type { FormatResult } from '../../../model/starlark/messages.ts';
import { isProgram, type Checked, type EditorPosition, type OpenText, type Surroundings } from '../needs.ts';
import { languageOf } from '../languages.ts';
import { differenceOf } from '../text-difference.ts';
import { TextPositions } from '../text-positions.ts';
import { Breakpoints, type CurrentLine } from './breakpoints.ts';
import { DiffView } from './diff-view.ts';
import { LineMessage } from './line-message.ts';
import { codeOptions } from './options.ts';
import { APPLY_FIX, FIX_ALL, registerProblems, showProblems } from './problems.ts';
import { monaco } from './setup.ts';
import { LINK_SCHEME, registerSkillLanguage } from './skill-providers.ts';
import { registerStarlarkLanguage } from './starlark-providers.ts';
import { applyTheme } from './theme.ts';

export interface OwnerDeps {
  /** A person typed, or undid, or a command changed the text. Called at every change. */
  readonly onText: (path: string, text: string) => void;
  readonly onOpen: (path: string, position?: EditorPosition) => void;
  readonly onOpenSkill: (name: string) => void;
  readonly onFix: (path: string, fix: Fix) => void;
  readonly onFixAll: (path: string) => void;
  /** After a click in the margin or F9. */
  readonly onToggleBreakpoint: (path: string, line: number) => void;
  /** Lines moved because of an edit. */
  readonly onBreakpointsMoved: (path: string, lines: readonly number[]) => void;
  readonly surroundings: (path: string) => Surroundings | undefined;
  readonly checked: (path: string) => Checked | undefined;
  /** The check of a text that may be newer than the last one. */
  readonly fresh: (path: string, text: string) => Promise<Checked>;
  readonly format: (path: string, text: string) => Promise<FormatResult>;
}

interface Entry {
  readonly path: string;
  readonly model: monaco.editor.ITextModel;
  readonly breakpoints: Breakpoints | undefined;
  viewState: monaco.editor.ICodeEditorViewState | null;
}

const BOM = '\uFEFF';
const bare = (text: string): string => (text.startsWith(BOM) ? text.slice(1) : text).replace(/\r\n?/g, '\n');

/**
 * Owns Monaco: the widget, one model per open text file with its undo history and scroll position, markers, breakpoints'
 * dots, the comparison view, the providers of both languages.
 *
 * Does not own: the text of record (the page has it, and hears every change immediately), files, diagnostics and how they are
 * found, the set of breakpoints, which file is in front. It never saves anything and knows no skill.
 */
export class MonacoOwner implements Disposable {
  readonly #deps: OwnerDeps;
  readonly #node = document.createElement('div');
  readonly #editor: monaco.editor.IStandaloneCodeEditor;
  readonly #entries = new Map<string, Entry>();
  readonly #owned: (Disposable | monaco.IDisposable)[] = [];
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  #diff: DiffView | undefined;
  #focusWanted: { readonly from: Element | null } | undefined;
  #shown: string | undefined;
  #theme: string | undefined;
  #shape: string | undefined;
  /** To be shown once the editor has a size. */
  #lineWanted: number | undefined;
  readonly #zone: LineMessage;
  #message: (CurrentLine & { readonly path: string }) | undefined;
  /** Changes that come from the page are not told to the page. */
  #isSyncing = false;

  constructor(deps: OwnerDeps) {
    this.#deps = deps;
    this.#node.style.cssText = 'position:absolute;inset:0';
    // The theme is there before the first line is drawn.
    document.body.append(this.#node);
    applyTheme(this.#node);
    this.#node.remove();
    this.#editor = monaco.editor.create(this.#node, { ...codeOptions(), model: null });
    this.#zone = new LineMessage(this.#editor);
    this.#own(this.#editor);
    this.#listen();
    this.#registerLanguages();
  }

  #own(...items: readonly (Disposable | monaco.IDisposable)[]): void {
    this.#owned.push(...items);
  }

  #pathOf = (model: monaco.editor.ITextModel | null): string | undefined =>
    model === null ? undefined : [...this.#entries.values()].find((entry) => entry.model === model)?.path;

  #registerLanguages(): void {
    const deps = this.#deps;
    const pathOf = this.#pathOf;
    const fresh = async (model: monaco.editor.ITextModel): Promise<Checked | undefined> => {
      const path = pathOf(model);
      return path === undefined ? undefined : deps.fresh(path, model.getValue());
    };
    this.#own(
      ...registerSkillLanguage({
        surroundings: (model) => {
          const path = pathOf(model);
          return path === undefined ? undefined : deps.surroundings(path);
        },
      }),
      ...registerStarlarkLanguage({
        known: (model) => deps.checked(pathOf(model) ?? '') ?? {},
        fresh,
        format: async (model) => {
          const path = pathOf(model);
          return path === undefined ? undefined : deps.format(path, model.getValue());
        },
      }),
      registerProblems('skill', { pathOf, fresh }),
      registerProblems('starlark', { pathOf, fresh }),
      monaco.editor.registerCommand(APPLY_FIX, (_accessor, path: string, fix: Fix) => deps.onFix(path, fix)),
      monaco.editor.registerCommand(FIX_ALL, (_accessor, path: string) => deps.onFixAll(path)),
      monaco.editor.registerLinkOpener({
        open: (uri) => {
          if (uri.scheme !== LINK_SCHEME) return false;
          const target = uri.path.slice(1);
          if (uri.authority === 'skill') deps.onOpenSkill(target);
          else {
            const from = [...this.#entries.values()].find(({ model }) => model.uri.path === uri.fragment)?.path;
            const root = from === undefined ? undefined : deps.surroundings(from)?.root;
            if (root !== undefined) deps.onOpen(joinPath(root, target));
          }
          return true;
        },
      }),
    );
  }

  #listen(): void {
    const { MouseTargetType } = monaco.editor;
    const isMargin = (type: monaco.editor.MouseTargetType): boolean =>
      type === MouseTargetType.GUTTER_GLYPH_MARGIN || type === MouseTargetType.GUTTER_LINE_NUMBERS;
    const onScheme = (): void => this.setTheme();
    this.#scheme.addEventListener('change', onScheme);
    // The page follows the system's wish for more contrast without another choice of theme.
    const contrast = new MutationObserver(onScheme);
    contrast.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    this.#own(
      { [Symbol.dispose]: () => contrast.disconnect() },
      { [Symbol.dispose]: () => this.#scheme.removeEventListener('change', onScheme) },
      this.#editor.onMouseDown(({ target, event }) => {
        const path = this.#shown;
        if (path === undefined || !isProgram(path) || !isMargin(target.type) || !event.leftButton) return;
        if (target.position) this.#deps.onToggleBreakpoint(path, target.position.lineNumber);
      }),
      this.#editor.addAction({
        id: 'lathe.toggleBreakpoint',
        label: 'Toggle breakpoint',
        keybindings: [monaco.KeyCode.F9, monaco.KeyMod.Alt | monaco.KeyCode.KeyB],
        precondition: 'editorLangId == starlark',
        contextMenuGroupId: 'navigation',
        run: () => {
          const line = this.#editor.getPosition()?.lineNumber;
          if (this.#shown !== undefined && line !== undefined) this.#deps.onToggleBreakpoint(this.#shown, line);
        },
      }),
    );
  }

  /** Puts the editor into an element, and keeps its size. */
  attach(parent: Element): void {
    if (this.hasFocus) this.#focusWanted = { from: null };
    parent.append(this.#node);
    this.#editor.layout();
    if (this.#lineWanted !== undefined) this.#editor.revealLineInCenterIfOutsideViewport(this.#lineWanted);
    this.#lineWanted = undefined;
    const wanted = this.#focusWanted;
    this.#focusWanted = undefined;
    // Anyone who has gone on meanwhile is not called back.
    const { activeElement, body } = document;
    if (wanted && (activeElement === wanted.from || activeElement === body)) this.#editor.focus();
  }

  detach(): void {
    // Anyone who was writing continues in the next place.
    if (this.hasFocus) this.#focusWanted = { from: null };
    this.#node.remove();
  }

  isIn(parent: Element): boolean {
    return this.#node.parentElement === parent;
  }

  /** Makes the models match the open text files, and forgets the others. */
  sync(documents: readonly OpenText[]): void {
    const paths = new Set(documents.map(({ path }) => path));
    for (const [path, entry] of this.#entries) {
      if (paths.has(path)) continue;
      if (this.#shown === path) {
        this.#editor.setModel(null);
        this.#shown = undefined;
      }
      entry.breakpoints?.[Symbol.dispose]();
      entry.model.dispose();
      this.#entries.delete(path);
    }
    for (const { path, text } of documents) this.#syncText(this.#entry(path, text), text);
  }

  #entry(path: string, text: string): Entry {
    const known = this.#entries.get(path);
    if (known) return known;
    const uri = monaco.Uri.from({ scheme: 'lathe', path: `/${path}` });
    const model = monaco.editor.getModel(uri) ?? monaco.editor.createModel(bare(text), languageOf(path), uri);
    model.updateOptions({
      tabSize: isProgram(path) ? 4 : 2,
      insertSpaces: true,
      bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
    });
    const breakpoints = isProgram(path) ? new Breakpoints(model) : undefined;
    const entry: Entry = { path, model, breakpoints, viewState: null };
    model.onDidChangeContent(() => {
      if (this.#isSyncing) return;
      const lines = breakpoints?.lines();
      // First: the page answers a new text with the breakpoints that it knows.
      if (lines && lines.length > 0) this.#deps.onBreakpointsMoved(path, lines);
      this.#deps.onText(path, model.getValue());
    });
    this.#entries.set(path, entry);
    return entry;
  }

  /** What the page has counts; a change from there can be undone like one that was typed. */
  #syncText({ model }: Entry, text: string): void {
    const [current, wanted] = [model.getValue(monaco.editor.EndOfLinePreference.LF), bare(text)];
    const edit = differenceOf(current, wanted);
    if (!edit) return;
    this.#isSyncing = true;
    try {
      const range = new TextPositions(current).range(edit.range);
      model.pushStackElement();
      model.pushEditOperations([], [{ range, text: edit.text }], () => null);
      model.pushStackElement();
    } finally {
      this.#isSyncing = false;
    }
  }

  /** Brings a file to the front; it must have been given to `sync`. */
  show({ path, readOnly }: OpenText, label: string): void {
    const entry = this.#entries.get(path);
    if (!entry) return;
    if (this.#shown !== path) {
      const before = this.#shown === undefined ? undefined : this.#entries.get(this.#shown);
      if (before) before.viewState = this.#editor.saveViewState();
      this.#shown = path;
      this.#editor.setModel(entry.model);
      if (entry.viewState) this.#editor.restoreViewState(entry.viewState);
      this.#zone.forget();
      if (this.#message?.path === path) this.#zone.show(this.#message);
    }
    // Called at every key: what has not changed is not set again.
    const shape = JSON.stringify([path, readOnly, label]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#editor.updateOptions({
      readOnly: readOnly !== undefined,
      ...(readOnly !== undefined && { readOnlyMessage: { value: readOnly } }),
      ariaLabel: label,
      glyphMargin: isProgram(path),
      // A value beside a line, and the end of a prompt, are to be read without scrolling.
      wordWrap: 'on',
      wrappingIndent: isProgram(path) ? 'indent' : 'same',
    });
  }

  showChecked(path: string, checked: Checked): void {
    const entry = this.#entries.get(path);
    // Of an older text: the markers that are there have moved with the text and are nearer to the truth.
    if (!entry || bare(checked.text) !== entry.model.getValue(monaco.editor.EndOfLinePreference.LF)) return;
    showProblems(entry.model, path, checked);
  }

  setBreakpoints(path: string, lines: readonly number[]): void {
    this.#entries.get(path)?.breakpoints?.set(lines);
  }

  /** The line that is being executed; nothing takes the mark away. */
  showLine(path: string, current: CurrentLine | undefined): void {
    for (const entry of this.#entries.values()) entry.breakpoints?.show(entry.path === path ? current : undefined);
    this.#message = current && { ...current, path };
    this.#zone.show(this.#shown === path ? current : undefined);
    if (current && this.#shown === path) this.#editor.revealLineInCenterIfOutsideViewport(current.line);
  }

  reveal({ line, column = 1 }: EditorPosition): void {
    this.#editor.setPosition({ lineNumber: line, column });
    // Without a size, lines wrap at every letter, and the place would be scrolled far away.
    if (this.#node.isConnected) this.#editor.revealLineInCenterIfOutsideViewport(line);
    else this.#lineWanted = line;
    this.focus();
  }

  focus(): void {
    if (this.#node.isConnected) this.#editor.focus();
    // It is not in the page yet: when it comes.
    else this.#focusWanted = { from: document.activeElement };
  }

  get hasFocus(): boolean {
    return this.#editor.hasTextFocus();
  }

  /** Replaces the text as an edit that can be undone. */
  replaceText(path: string, text: string): boolean {
    const entry = this.#entries.get(path);
    if (!entry) return false;
    const current = entry.model.getValue(monaco.editor.EndOfLinePreference.LF);
    const edit = differenceOf(current, bare(text));
    if (!edit) return false;
    const range = new TextPositions(current).range(edit.range);
    if (this.#shown === path) {
      this.#editor.pushUndoStop();
      this.#editor.executeEdits('lathe', [{ range, text: edit.text }]);
      this.#editor.pushUndoStop();
    } else entry.model.pushEditOperations([], [{ range, text: edit.text }], () => null);
    return true;
  }

  /** Runs a command of Monaco, such as `editor.action.formatDocument`, on the file in front. */
  run(id: string): void {
    this.#editor.focus();
    this.#editor.trigger('lathe', id, {});
  }

  /** A comparison of its own; the caller disposes it. */
  compare(parent: Element, sides: { readonly path: string; readonly left: string; readonly right: string }): DiffView {
    this.#diff?.[Symbol.dispose]();
    this.#diff = new DiffView(parent, { ...sides, language: languageOf(sides.path) });
    return this.#diff;
  }

  /** `theme` only says that something changed: the colors are read from the page. */
  setTheme(theme?: string): void {
    if (theme !== undefined && theme === this.#theme) return;
    this.#theme = theme;
    applyTheme(this.#node.isConnected ? this.#node : document.body);
  }

  [Symbol.dispose](): void {
    this.#diff?.[Symbol.dispose]();
    this.sync([]);
    for (const item of this.#owned) {
      if (Symbol.dispose in item) item[Symbol.dispose]();
      else item.dispose();
    }
    this.#node.remove();
  }
}
