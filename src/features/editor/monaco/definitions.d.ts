// Monaco ships the grammars without types.
declare module 'monaco-editor/languages/definitions/markdown/markdown' {
  import type { languages } from 'monaco-editor/editor';
  export const conf: languages.LanguageConfiguration;
  export const language: languages.IMonarchLanguage;
}
