/**
 * Monaco with what this editor needs and nothing else: the features below, our two languages, a few grammars without
 * services. Importing this file loads about a megabyte; nothing imports it statically but `owner.ts`.
 */
import * as monaco from 'monaco-editor/editor';
import editorWorker from 'monaco-editor/editor/editor.worker?worker&url';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeAction/register';
import 'monaco-editor/features/codeEditor/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/documentSymbols/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/format/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/gotoSymbol/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/lineSelection/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/links/register';
import 'monaco-editor/features/longLinesHelper/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/parameterHints/register';
import 'monaco-editor/features/quickOutline/register';
import 'monaco-editor/features/readOnlyMessage/register';
import 'monaco-editor/features/smartSelect/register';
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/features/suggest/register';
// What `suggest` registers leaves out the list itself.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/tokenization/register';
import 'monaco-editor/features/unicodeHighlighter/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/features/wordPartOperations/register';
import { conf as markdownConf, language as markdown } from 'monaco-editor/languages/definitions/markdown/markdown';
import 'monaco-editor/languages/definitions/css/register';
import 'monaco-editor/languages/definitions/html/register';
import 'monaco-editor/languages/definitions/ini/register';
import 'monaco-editor/languages/definitions/javascript/register';
import 'monaco-editor/languages/definitions/markdown/register';
import 'monaco-editor/languages/definitions/python/register';
import 'monaco-editor/languages/definitions/shell/register';
import 'monaco-editor/languages/definitions/sql/register';
import 'monaco-editor/languages/definitions/typescript/register';
import 'monaco-editor/languages/definitions/xml/register';
import 'monaco-editor/languages/definitions/yaml/register';
import { jsonGrammar, starlarkGrammar } from '../starlark/monarch.ts';

/** From a blob, so that the worker inherits the page's policy. */
const startWorker = (): Worker => {
  const absolute = new URL(editorWorker, document.baseURI).href;
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(absolute)};`], { type: 'text/javascript' }));
  const worker = new Worker(blob, { type: 'module', name: 'editor' });
  URL.revokeObjectURL(blob);
  return worker;
};

declare global {
  interface Window {
    /** Monaco asks here for its worker. */
    MonacoEnvironment?: { readonly getWorker: () => Worker };
  }
}

window.MonacoEnvironment = { getWorker: startWorker };

const grammar = (value: unknown): monaco.languages.IMonarchLanguage => value as monaco.languages.IMonarchLanguage;

const registerSkill = (): void => {
  monaco.languages.register({ id: 'skill' });
  monaco.languages.setLanguageConfiguration('skill', {
    ...markdownConf,
    // YAML and Markdown words may hold hyphens: `allowed-tools`, `csv-tidy`.
    wordPattern: /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/u,
  });
  // Monarch does not enter an embedded language on an empty match: so Markdown itself, with frontmatter before it.
  monaco.languages.setMonarchTokensProvider(
    'skill',
    grammar({
      ...markdown,
      start: 'start',
      tokenizer: {
        ...markdown.tokenizer,
        start: [
          [/^---[ \t]*$/, { token: 'meta.frontmatter', next: '@frontmatter', nextEmbedded: 'yaml' }],
          [/(?=.)/, { token: '', switchTo: '@root' }],
        ],
        frontmatter: [[/^---[ \t]*$/, { token: 'meta.frontmatter', switchTo: '@root', nextEmbedded: '@pop' }]],
      },
    }),
  );
};

const registerStarlark = (): void => {
  monaco.languages.register({ id: 'starlark' });
  monaco.languages.setLanguageConfiguration('starlark', {
    comments: { lineComment: '#' },
    brackets: [
      ['(', ')'],
      ['[', ']'],
      ['{', '}'],
    ],
    autoClosingPairs: [
      { open: '(', close: ')' },
      { open: '[', close: ']' },
      { open: '{', close: '}' },
      { open: '"', close: '"', notIn: ['string', 'comment'] },
      { open: "'", close: "'", notIn: ['string', 'comment'] },
    ],
    onEnterRules: [{ beforeText: /:\s*(?:#.*)?$/, action: { indentAction: monaco.languages.IndentAction.Indent } }],
    folding: { offSide: true },
  });
  monaco.languages.setMonarchTokensProvider('starlark', grammar(starlarkGrammar));
  monaco.languages.register({ id: 'json' });
  monaco.languages.setMonarchTokensProvider('json', grammar(jsonGrammar));
};

registerSkill();
registerStarlark();

export { monaco };
