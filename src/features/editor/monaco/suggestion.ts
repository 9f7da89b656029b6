import { monaco } from './setup.ts';

/** What completions of both languages have in common. */
interface Suggested {
  readonly label: string;
  readonly insert: string;
  readonly isSnippet: boolean;
  readonly detail: string;
  readonly doc: string;
}

/** `next` is a command of Monaco that runs once the text is in. */
export const suggestionOf = (
  item: Suggested,
  {
    kind,
    index,
    range,
    next,
  }: {
    readonly kind: monaco.languages.CompletionItemKind;
    readonly index: number;
    readonly range: monaco.IRange;
    readonly next: string | undefined;
  },
): monaco.languages.CompletionItem => ({
  label: item.label,
  kind,
  insertText: item.insert,
  ...(item.isSnippet && { insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet }),
  detail: item.detail,
  documentation: { value: item.doc },
  range,
  // In our order, whatever their names are.
  sortText: String(index).padStart(4, '0'),
  ...(next !== undefined && { command: { id: next, title: '' } }),
});
