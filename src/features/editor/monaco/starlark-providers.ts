/** What Monaco asks about a program, answered by the last analysis of the engine and by our own scan. */
import type { FormatResult } from '../../../model/starlark/messages.ts';
import type { Checked } from '../needs.ts';
import { completeStarlark, type StarCompletion } from '../starlark/complete.ts';
import { definitionAt, hoverStarlark, signatureAt, usesAt } from '../starlark/explain.ts';
import { TextPositions } from '../text-positions.ts';
import { monaco } from './setup.ts';
import { suggestionOf } from './suggestion.ts';

export interface StarlarkLanguageDeps {
  /** The last check of a model; it may be of an older text. */
  readonly known: (model: monaco.editor.ITextModel) => Partial<Checked>;
  /** The check of the text as it is now. */
  readonly fresh: (model: monaco.editor.ITextModel) => Promise<Checked | undefined>;
  readonly format: (model: monaco.editor.ITextModel) => Promise<FormatResult | undefined>;
}

const KINDS: Readonly<Record<StarCompletion['kind'], monaco.languages.CompletionItemKind>> = {
  function: monaco.languages.CompletionItemKind.Function,
  method: monaco.languages.CompletionItemKind.Method,
  constant: monaco.languages.CompletionItemKind.Constant,
  keyword: monaco.languages.CompletionItemKind.Keyword,
  variable: monaco.languages.CompletionItemKind.Variable,
  key: monaco.languages.CompletionItemKind.Field,
  snippet: monaco.languages.CompletionItemKind.Snippet,
};

const rangeOf = (range: {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}): monaco.IRange => ({
  startLineNumber: range.line,
  startColumn: range.column,
  endLineNumber: range.endLine,
  endColumn: range.endColumn,
});

export const registerStarlarkLanguage = ({ known, fresh, format }: StarlarkLanguageDeps): readonly Disposable[] => {
  const { languages } = monaco;
  const usesIn = async (model: monaco.editor.ITextModel, position: monaco.Position) => {
    const checked = await fresh(model);
    return checked?.analysis ? usesAt(checked.analysis, position.lineNumber, position.column) : [];
  };
  const registered = [
    languages.registerCompletionItemProvider('starlark', {
      triggerCharacters: ['.', '"', "'", '['],
      provideCompletionItems: (model, position) => {
        const word = model.getWordUntilPosition(position);
        const range = {
          startLineNumber: position.lineNumber,
          endLineNumber: position.lineNumber,
          startColumn: word.startColumn,
          endColumn: word.endColumn,
        };
        const items = completeStarlark(model.getValue(), model.getOffsetAt(position), known(model));
        return {
          suggestions: items.map((item, index) =>
            suggestionOf(item, {
              kind: KINDS[item.kind],
              index,
              range,
              next: item.insert.endsWith('($0)') ? 'editor.action.triggerParameterHints' : undefined,
            }),
          ),
        };
      },
    }),
    languages.registerHoverProvider('starlark', {
      provideHover: (model, position) => {
        const text = model.getValue();
        const hover = hoverStarlark(text, model.getOffsetAt(position), known(model));
        return hover && { contents: [{ value: hover.text }], range: new TextPositions(text).range(hover.range) };
      },
    }),
    languages.registerSignatureHelpProvider('starlark', {
      signatureHelpTriggerCharacters: ['(', ','],
      signatureHelpRetriggerCharacters: [')'],
      provideSignatureHelp: (model, position) => {
        const found = signatureAt(model.getValue(), model.getOffsetAt(position), known(model));
        if (!found) return null;
        const signature = {
          label: found.label,
          documentation: { value: found.doc },
          parameters: found.params.map((label) => ({ label })),
        };
        return {
          value: { signatures: [signature], activeSignature: 0, activeParameter: found.active },
          dispose: () => undefined,
        };
      },
    }),
    languages.registerDefinitionProvider('starlark', {
      provideDefinition: async (model, position) => {
        const checked = await fresh(model);
        const range = checked?.analysis && definitionAt(checked.analysis, position.lineNumber, position.column);
        return range && { uri: model.uri, range: rangeOf(range) };
      },
    }),
    languages.registerReferenceProvider('starlark', {
      provideReferences: async (model, position) =>
        (await usesIn(model, position)).map((range) => ({ uri: model.uri, range: rangeOf(range) })),
    }),
    languages.registerDocumentHighlightProvider('starlark', {
      provideDocumentHighlights: async (model, position) =>
        (await usesIn(model, position)).map((range) => ({ range: rangeOf(range) })),
    }),
    languages.registerDocumentFormattingEditProvider('starlark', {
      displayName: 'Starlark',
      provideDocumentFormattingEdits: async (model) => {
        const result = await format(model);
        return result?.ok === true ? [{ range: model.getFullModelRange(), text: result.text }] : [];
      },
    }),
    languages.registerDocumentSymbolProvider('starlark', {
      displayName: 'Outline',
      provideDocumentSymbols: async (model) => {
        const checked = await fresh(model);
        type Symbols = NonNullable<Checked['analysis']>['outline']['symbols'];
        const symbol = (item: Symbols[number]): monaco.languages.DocumentSymbol => ({
          name: item.name,
          detail: item.kind === 'function' ? `(${item.params.map(({ name }) => name).join(', ')})` : '',
          kind: item.kind === 'function' ? languages.SymbolKind.Function : languages.SymbolKind.Variable,
          tags: [],
          range: rangeOf(item.range),
          selectionRange: rangeOf(item.nameRange),
          children: item.kind === 'function' ? item.children.map(symbol) : [],
        });
        return (checked?.analysis?.outline.symbols ?? []).map(symbol);
      },
    }),
  ];
  return registered.map((item) => ({ [Symbol.dispose]: () => item.dispose() }));
};
