/** Code in Markdown: fences, spans, and the commands that some hosts run when a skill is loaded. */

export interface MarkdownCode {
  readonly language: 'python' | 'javascript' | 'shell' | 'powershell' | 'other' | 'none';
  readonly text: string;
  /** Where it starts in the document. */
  readonly start: number;
}

const LANGUAGES: Readonly<Record<string, MarkdownCode['language']>> = {
  sh: 'shell',
  bash: 'shell',
  shell: 'shell',
  zsh: 'shell',
  console: 'shell',
  terminal: 'shell',
  'shell-session': 'shell',
  shellsession: 'shell',
  dash: 'shell',
  python: 'python',
  py: 'python',
  python3: 'python',
  py3: 'python',
  pycon: 'none',
  starlark: 'python',
  javascript: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  node: 'javascript',
  typescript: 'javascript',
  ts: 'javascript',
  tsx: 'javascript',
  powershell: 'powershell',
  ps1: 'powershell',
  pwsh: 'powershell',
  ruby: 'other',
  perl: 'other',
  php: 'other',
  go: 'other',
  applescript: 'other',
  bat: 'other',
  cmd: 'other',
};

const LOOKS_LIKE_SHELL =
  /^\s*(?:\$ |# )?(?:sudo |curl |wget |bash |sh |python3? |node |echo |base64 |unzip |tar |chmod |eval |source |nc |npm |npx |pip |\.\/)/m;

/** Prompts are no part of a command; blanks in their place keep every offset. */
const withoutPrompts = (text: string): string =>
  text.replace(/^([ \t]*)(\$|>|%)(?= )/gm, (_, blanks: string) => `${blanks} `);

/** Choices of a usage line, `[--status open|done]`, are no pipe: what is behind a bar ends with the bracket. */
const withoutChoices = (text: string): string =>
  text.replace(/\[(?:--?[\w-]+[ =])?[\w.<>-]+(?:\|[\w.<>-]+)+\]/g, (choices) => ' '.repeat(choices.length));

export const findCode = (text: string): readonly MarkdownCode[] => {
  const found: MarkdownCode[] = [];
  const covered: [number, number][] = [];
  for (const match of text.matchAll(
    /^([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*(?:>[ \t]?)*\2`*~*[ \t]*$|(?![\s\S]))/gm,
  )) {
    const code = match[4] ?? '';
    const start = match.index + match[0].indexOf('\n') + 1;
    covered.push([match.index, match.index + match[0].length]);
    const tag = (match[3] ?? '')
      .toLowerCase()
      .replace(/^\{?\.?/, '')
      .replace(/[,{}].*$/, '');
    const language =
      LANGUAGES[tag] ??
      (tag === '' || tag === 'text' || tag === 'txt' || tag === 'plaintext'
        ? LOOKS_LIKE_SHELL.test(code)
          ? 'shell'
          : 'none'
        : 'none');
    // A quote's marks are blanks for whoever reads the code in it.
    const quoted = (match[1] ?? '').includes('>')
      ? code.replace(
          /^([ \t]*)((?:>[ \t]?)+)/gm,
          (_, blanks: string, marks: string) => blanks + ' '.repeat(marks.length),
        )
      : code;
    found.push({ language, text: language === 'shell' ? withoutChoices(withoutPrompts(quoted)) : quoted, start });
  }
  const isCovered = (at: number): boolean => covered.some(([from, to]) => at >= from && at < to);
  for (const match of text.matchAll(/(!?)(`{1,2})([^`\n]+)\2/g)) {
    if (isCovered(match.index)) continue;
    const code = match[3] ?? '';
    const isRun = match[1] === '!';
    if (isRun || /\b(?:curl|wget|base64|xxd|eval|nc|unzip)\b.*[|;&<(-]/.test(code))
      found.push({
        language: 'shell',
        text: code,
        start: match.index + (match[1] ?? '').length + (match[2] ?? '').length,
      });
  }
  return found;
};
