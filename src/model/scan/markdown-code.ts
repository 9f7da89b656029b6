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
  /^\s*(?:\$ |# )?(?:sudo |(?:\/[\w/]+\/)(?:ba|z|da)?sh |curl |wget |bash |sh |python3? |node |echo |base64 |unzip |tar |chmod |eval |source |nc |npm |npx |pip |\.\/)/m;

/** Prompts are no part of a command; blanks in their place keep every offset. */
const withoutPrompts = (text: string): string =>
  text.replace(/^([ \t]*)(\$|>|%)(?= )/gm, (_, blanks: string) => `${blanks} `);

/** Choices of a usage line, `[--status open|done]`, are no pipe: what is behind a bar ends with the bracket. */
const withoutChoices = (text: string): string =>
  text.replace(/\[(?:--?[\w-]+[ =])?[\w.<>-]+(?:\|[\w.<>-]+)+\]/g, (choices) => ' '.repeat(choices.length));

/** A span that only names the pattern: it is forbidden there, or has no address. */
const isTalk = (text: string, at: number, code: string): boolean => {
  const before = text.slice(Math.max(0, at - 120), at);
  const sentence = before.slice(
    Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n\n'), before.lastIndexOf('\n- ')) + 1,
  );
  const isForbidden =
    /\b(?:never|do not|don't|must not|avoid|refuse to|instead of|rather than)\b(?!.*\b(?:forget|skip|omit|miss|hesitate|without|before|until|unless)\b)[^`]*$/is.test(
      sentence,
    );
  const isNamed = /\b(?:flag|detect|reject|block|report|(?:look|watch|grep|search) for)\b[^`.]{0,40}$/i.test(sentence);
  const hasAddress = /https?:\/\/[\w$]|\b[\w-]+\.[a-z]{2,}\b/i.test(code);
  return isForbidden || isNamed || (/\b(?:curl|wget)\b/.test(code) && !hasAddress);
};

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
  // A block that is only indented: words of a list are indented too, so it has to look like a command.
  for (const match of text.matchAll(/(?:^|\n)[ \t]*\n((?:(?: {4}|\t)[^\n]*(?:\n|$))+)/g)) {
    const code = match[1] ?? '';
    const start = match.index + match[0].length - code.length;
    if (covered.some(([from, to]) => start >= from && start < to) || !LOOKS_LIKE_SHELL.test(code)) continue;
    covered.push([start, start + code.length]);
    found.push({ language: 'shell', text: withoutPrompts(code), start });
  }
  const isCovered = (at: number): boolean => covered.some(([from, to]) => at >= from && at < to);
  for (const match of text.matchAll(/(!?)(`{1,2})([^`\n]+)\2/g)) {
    if (isCovered(match.index)) continue;
    const code = match[3] ?? '';
    const isRun = match[1] === '!';
    if (
      isRun ||
      (/\b(?:curl|wget|base64|xxd|eval|nc|unzip)\b.*[|;&<(-]/.test(code) && !isTalk(text, match.index, code))
    )
      found.push({
        language: 'shell',
        // In a table a bar is written with a backslash.
        text: code.replaceAll('\\|', ' |'),
        start: match.index + (match[1] ?? '').length + (match[2] ?? '').length,
      });
  }
  return found;
};
