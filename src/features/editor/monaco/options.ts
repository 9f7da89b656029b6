import type { monaco } from './setup.ts';

const fontOf = (): string => getComputedStyle(document.documentElement).getPropertyValue('--font-mono').trim();

/** What the editor and the comparison share. */
export const sharedOptions = () =>
  ({
    automaticLayout: true,
    contextmenu: true,
    fixedOverflowWidgets: true,
    fontFamily: fontOf() === '' ? 'monospace' : fontOf(),
    fontSize: 13,
    lineHeight: 20,
    // Dimmed, the number of the last empty line would be too faint to read.
    renderFinalNewline: 'on',
    minimap: { enabled: false },
    overviewRulerBorder: false,
    renderLineHighlightOnlyWhenFocus: true,
    scrollBeyondLastLine: false,
    smoothScrolling: false,
    unusualLineTerminators: 'off',
  }) satisfies monaco.editor.IEditorOptions & { automaticLayout: boolean };

export const codeOptions = (): monaco.editor.IStandaloneEditorConstructionOptions => ({
  ...sharedOptions(),
  'semanticHighlighting.enabled': false,
  bracketPairColorization: { enabled: false },
  folding: true,
  showFoldingControls: 'mouseover',
  glyphMargin: false,
  lineDecorationsWidth: 18,
  lineNumbersMinChars: 3,
  links: true,
  occurrencesHighlight: 'singleFile',
  padding: { top: 8, bottom: 8 },
  quickSuggestions: { other: true, comments: false, strings: true },
  quickSuggestionsDelay: 60,
  suggest: { showStatusBar: false, preview: false },
  wordBasedSuggestions: 'off',
  stickyScroll: { enabled: false },
  tabFocusMode: false,
  theme: 'lathe',
});
