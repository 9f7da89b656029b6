import { baseName } from '../../base/paths.ts';

/** The language of an editor by the name of a file. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  bash: 'shell',
  cfg: 'ini',
  cjs: 'javascript',
  css: 'css',
  html: 'html',
  ini: 'ini',
  js: 'javascript',
  json: 'json',
  jsonl: 'json',
  markdown: 'markdown',
  md: 'markdown',
  mjs: 'javascript',
  py: 'python',
  sh: 'shell',
  sql: 'sql',
  star: 'starlark',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

export const languageOf = (path: string): string => {
  const name = baseName(path);
  if (/^skill\.md$/i.test(name)) return 'skill';
  const dot = name.lastIndexOf('.');
  return (dot === -1 ? undefined : BY_EXTENSION[name.slice(dot + 1).toLowerCase()]) ?? 'plaintext';
};
