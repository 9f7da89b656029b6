/** Diagnostics as markers, and their fixes as code actions. */
import { baseName } from '../../../base/paths.ts';
import type { Diagnostic, Fix, Severity } from '../../../model/skill/types.ts';
import { type Checked } from '../needs.ts';
import { TextPositions } from '../text-positions.ts';
import styles from './problems.module.css';
import { monaco } from './setup.ts';

const OWNER = 'lathe';
/** Commands of the standalone editor take their arguments untyped. */
export const APPLY_FIX = 'lathe.applyFix';
export const FIX_ALL = 'lathe.fixAll';

const SEVERITIES: Readonly<Record<Severity, monaco.MarkerSeverity>> = {
  error: monaco.MarkerSeverity.Error,
  warning: monaco.MarkerSeverity.Warning,
  info: monaco.MarkerSeverity.Info,
  hint: monaco.MarkerSeverity.Hint,
};

/** Those that are about the file itself. */
const inFile = (diagnostics: readonly Diagnostic[], path: string): readonly Diagnostic[] =>
  diagnostics.filter(({ file }) => path === file || path.endsWith(`/${file}`));

/** A problem that has no length would be invisible: it gets the line, or the character before it. */
const visible = (model: monaco.editor.ITextModel, range: monaco.IRange): monaco.IRange => {
  if (range.startLineNumber !== range.endLineNumber || range.startColumn !== range.endColumn) return range;
  const most = model.getLineMaxColumn(Math.min(range.startLineNumber, model.getLineCount()));
  return range.startColumn < most
    ? { ...range, endColumn: range.startColumn + 1 }
    : { ...range, startColumn: Math.max(1, most - 1), endColumn: most };
};

/** Shown faint: nothing would be missed. */
const UNNECESSARY: ReadonlySet<string> = new Set(['MS-unused-variable', 'MS-unreachable']);

const markerOf = ({ rule, severity, message }: Diagnostic, range: monaco.IRange): monaco.editor.IMarkerData => ({
  ...range,
  severity: SEVERITIES[severity],
  message,
  code: rule,
  source: 'Lathe',
  ...(UNNECESSARY.has(rule) && { tags: [monaco.MarkerTag.Unnecessary] }),
});

const RANK: readonly Severity[] = ['error', 'warning', 'info'];
const marks = new WeakMap<monaco.editor.ITextModel, string[]>();

/** The worst problem of each line, in the margin. Hints have no mark. */
const showMarks = (model: monaco.editor.ITextModel, markers: readonly monaco.editor.IMarkerData[]): void => {
  const worst = new Map<number, { readonly severity: Severity; readonly message: string }>();
  for (const severity of RANK) {
    for (const { severity: own, startLineNumber, message } of markers) {
      if (own === SEVERITIES[severity] && !worst.has(startLineNumber))
        worst.set(startLineNumber, { severity, message });
    }
  }
  const decorations = [...worst].map(([line, { severity, message }]) => ({
    range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
    options: { linesDecorationsClassName: styles[severity] ?? '', linesDecorationsTooltip: `${severity}: ${message}` },
  }));
  marks.set(model, model.deltaDecorations(marks.get(model) ?? [], decorations));
};

export const showProblems = (model: monaco.editor.ITextModel, path: string, checked: Checked): void => {
  const places = new TextPositions(checked.text);
  const markers = inFile(checked.diagnostics, path).map((diagnostic) =>
    markerOf(diagnostic, visible(model, places.range(diagnostic.range))),
  );
  monaco.editor.setModelMarkers(model, OWNER, markers);
  showMarks(model, markers);
};

/** Whether the editor can make the change by itself, so that it can be undone there. */
const editsOf = (fix: Fix, path: string, text: string): readonly monaco.languages.TextEdit[] | undefined => {
  const { action } = fix;
  if (action.kind !== 'edit' || (path !== action.file && !path.endsWith(`/${action.file}`))) return undefined;
  // The editor does not have the byte order mark.
  if (text.startsWith('\uFEFF') && action.edits.some(({ range }) => range.start === 0)) return undefined;
  const places = new TextPositions(text);
  return action.edits.map((edit) => ({ range: places.range(edit.range), text: edit.text }));
};

export interface ProblemDeps {
  readonly pathOf: (model: monaco.editor.ITextModel) => string | undefined;
  /** The check of the text as it is now: positions of an older one would be wrong. */
  readonly fresh: (model: monaco.editor.ITextModel) => Promise<Checked | undefined>;
}

/** A menu shows no Markdown. */
const plainTitle = (title: string): string => title.replaceAll(/`([^`]*)`/g, '“$1”');

const touches = (a: monaco.IRange, b: monaco.IRange): boolean => monaco.Range.areIntersectingOrTouching(a, b);

const actionsFor = (
  model: monaco.editor.ITextModel,
  path: string,
  checked: Checked,
  range: monaco.IRange,
): monaco.languages.CodeAction[] => {
  const places = new TextPositions(checked.text);
  const actions: monaco.languages.CodeAction[] = [];
  for (const diagnostic of inFile(checked.diagnostics, path)) {
    const at = visible(model, places.range(diagnostic.range));
    if (!touches(at, range)) continue;
    const marker = markerOf(diagnostic, at);
    for (const [index, fix] of diagnostic.fixes.entries()) {
      // Two rules that one word breaks may have one cure.
      const title = plainTitle(fix.title);
      if (actions.some((action) => action.title === title)) continue;
      const edits = editsOf(fix, path, checked.text);
      actions.push({
        title,
        kind: 'quickfix',
        diagnostics: [marker],
        isPreferred: index === 0 && fix.safety === 'safe',
        ...(edits
          ? {
              edit: {
                edits: edits.map((textEdit) => ({ resource: model.uri, textEdit, versionId: model.getVersionId() })),
              },
            }
          : { command: { id: APPLY_FIX, title, arguments: [path, fix] } }),
      });
    }
  }
  const hasSafe = checked.diagnostics.some(
    ({ severity, fixes }) => severity !== 'hint' && fixes.some(({ safety }) => safety === 'safe'),
  );
  if (hasSafe) {
    const title = `Fix all safe problems in ${baseName(path)}`;
    const command = { id: FIX_ALL, title, arguments: [path] };
    if (actions.length > 0) actions.push({ title, kind: 'quickfix', command });
    actions.push({ title, kind: 'source.fixAll', command });
  }
  return actions;
};

export const registerProblems = (language: string, { pathOf, fresh }: ProblemDeps): Disposable => {
  const item = monaco.languages.registerCodeActionProvider(
    language,
    {
      provideCodeActions: async (model, range) => {
        const path = pathOf(model);
        const checked = path === undefined ? undefined : await fresh(model);
        const actions = path !== undefined && checked ? actionsFor(model, path, checked, range) : [];
        return { actions, dispose: () => undefined };
      },
    },
    { providedCodeActionKinds: ['quickfix', 'source.fixAll'] },
  );
  return { [Symbol.dispose]: () => item.dispose() };
};
