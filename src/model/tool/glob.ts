import { err, ok, type Result } from '../../base/result.ts';
import { compilePattern } from './line-pattern.ts';

const escapeChar = (char: string): string => (/[\w/-]/.test(char) ? char : `\\${char}`);

/** The pattern for one path; braces may not stand inside braces. */
const translate = (glob: string): string => {
  let pattern = '';
  let isInBraces = false;
  for (let at = 0; at < glob.length;) {
    const char = String.fromCodePoint(glob.codePointAt(at) ?? 0);
    if (glob.startsWith('**/', at) && (at === 0 || glob[at - 1] === '/')) {
      pattern += '(?:.*/)?';
      at += 3;
      continue;
    }
    if (glob.startsWith('**', at)) {
      pattern += '.*';
      at += 2;
      continue;
    }
    if (char === '*') pattern += '[^/]*';
    else if (char === '?') pattern += '[^/]';
    else if (char === '{' && !isInBraces) {
      pattern += '(?:';
      isInBraces = true;
    } else if (char === '}' && isInBraces) {
      pattern += ')';
      isInBraces = false;
    } else if (char === ',' && isInBraces) pattern += '|';
    else pattern += escapeChar(char);
    at += char.length;
  }
  return pattern;
};

/** `*`, `?`, `**`, `{a,b}`. A glob without `/` is about the file's name, wherever it lies. */
export const compileGlob = (glob: string): Result<(path: string) => boolean, string> => {
  const meant = glob.replace(/^(?:\.?\/)+/, '');
  if (meant === '') return err('it is empty');
  const body = translate(meant.endsWith('/') ? `${meant}**` : meant);
  const compiled = compilePattern(meant.includes('/') ? `^${body}$` : `(?:^|/)${body}$`);
  return compiled.ok ? ok(compiled.value.test) : compiled;
};
