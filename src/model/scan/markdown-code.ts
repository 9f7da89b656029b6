/** Code in Markdown: fences, spans, and the commands that some hosts run when a skill is loaded. */
import { findFences } from './fences.ts';

export interface MarkdownCode {
  readonly language: 'python' | 'javascript' | 'shell' | 'powershell' | 'other' | 'none';
  readonly text: string;
  /** Where it starts in the document. */
  readonly start: number;
  /** A host runs it when the skill is loaded, and the model reads what it puts out. */
  readonly isLoaded?: true;
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
  /^[ \t]*(?:\$ |# )?(?:sudo |(?:\/[\w/]+\/)(?:ba|z|da)?sh |curl |wget |bash |sh |python3? |node |echo |base64 |unzip |tar |chmod |eval |source |nc |npm |npx |pip |\.\/)/m;

/** Prompts are not part of a command; blanks in their place keep every offset. */
const withoutPrompts = (text: string): string =>
  text.replace(/^([ \t]*)(\$|>|%)(?= )/gm, (_, blanks: string) => `${blanks} `);

/** Choices of a usage line, `[--status open|done]`, are not a pipe: what is behind a bar ends with the bracket. */
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
  const hasAddress = /https?:\/\/[\w$]|\b[\w-]{1,64}\.[a-z]{2,}\b/i.test(code);
  return isForbidden || isNamed || (/\b(?:curl|wget)\b/.test(code) && !hasAddress);
};

/** Whether one of the ascending ranges holds an offset. */
const holds = (ranges: readonly (readonly [number, number])[], at: number): boolean => {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[0] ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return at < (ranges[low - 1]?.[1] ?? 0);
};

const COMMAND = /\b(?:curl|wget|base64|xxd|eval|nc|unzip)\b/;

/** A command, and after it something that joins it to another. */
const isJoined = (code: string): boolean => {
  const command = COMMAND.exec(code);
  return command !== null && /[|;&<(-]/.test(code.slice(command.index + command[0].length));
};

/** A command that names what is secret, and sends things. */
const sendsSecret = (code: string): boolean =>
  /^(?:sudo )?(?:gh|scp|rsync|curl|aws|gsutil|rclone|nc|http)\s/.test(code) && /(?:~|\$HOME)\/\.\w/.test(code);

export const findCode = (text: string): readonly MarkdownCode[] => {
  const found: MarkdownCode[] = [];
  const fences = findFences(text);
  for (const fence of fences) {
    const code = text.slice(fence.from, fence.to);
    const tag = (/^[^`]*/.exec(fence.tag)?.[0] ?? '')
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
    // A quote's marks are blanks for anyone who reads the code in it.
    const quoted = fence.prefix.includes('>')
      ? code.replace(
          /^([ \t]*)((?:>[ \t]?)+)/gm,
          (_, blanks: string, marks: string) => blanks + ' '.repeat(marks.length),
        )
      : code;
    found.push({
      language,
      text: language === 'shell' ? withoutChoices(withoutPrompts(quoted)) : quoted,
      start: fence.from,
    });
  }
  const fenced = fences.map(({ start, end }) => [start, end] as const);
  const indented: [number, number][] = [];
  // A block that is only indented: words of a list are indented too, so it has to look like a command.
  for (const match of text.matchAll(/(?:^|\n)[ \t]*\n((?:(?: {4}|\t)[^\n]*(?:\n|$))+)/g)) {
    const code = match[1] ?? '';
    const start = match.index + match[0].length - code.length;
    if (holds(fenced, start) || !LOOKS_LIKE_SHELL.test(code)) continue;
    indented.push([start, start + code.length]);
    found.push({ language: 'shell', text: withoutPrompts(code), start });
  }
  for (const match of text.matchAll(/(!?)(`{1,2})([^`\n]+)\2/g)) {
    if (holds(fenced, match.index) || holds(indented, match.index)) continue;
    const code = match[3] ?? '';
    const isRun = match[1] === '!';
    if (isRun || ((isJoined(code) || sendsSecret(code)) && !isTalk(text, match.index, code)))
      found.push({
        language: 'shell',
        // In a table a bar is written with a backslash.
        text: code.replaceAll('\\|', ' |'),
        start: match.index + (match[1] ?? '').length + (match[2] ?? '').length,
        ...(isRun && { isLoaded: true as const }),
      });
  }
  return found;
};
