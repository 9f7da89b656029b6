/**
 * Files that a tool runs because they are there: nobody has to call them. Opening the folder, entering it, installing, committing or
 * starting an agent is enough. Files that run only when somebody asks for them (a Makefile, other scripts of a package) are capabilities.
 */
import { isObject, parseJson } from '../../base/json.ts';
import { baseName } from '../../base/paths.ts';
import { valueOr } from '../../base/result.ts';
import { foldPath } from '../files/write-rules.ts';
import { AUTORUN_FILES } from './autorun-files.ts';

export interface Autorun {
  /** What starts it, as the end of a sentence. */
  readonly trigger: string;
  /** The text that shows it, to find its line; nothing where the file itself is it. */
  readonly evidence?: string;
}

/** Scripts of a package that an install runs by itself. */
const INSTALL_SCRIPTS: ReadonlySet<string> = new Set([
  'preinstall',
  'install',
  'postinstall',
  'preprepare',
  'prepare',
  'postprepare',
  'prepublish',
  'pnpm:devPreinstall',
]);

/** Fields of `package.json` that tools for commits read. */
const COMMIT_FIELDS = ['husky', 'simple-git-hooks', 'gitHooks', 'git-hooks', 'pre-commit', 'lint-staged', 'ghooks'];

/** What composer runs while it installs, updates, or starts. */
const COMPOSER_SCRIPT =
  /^(?:(?:pre|post)-(?:install|update|status|archive|autoload|root-package|create-project|package|dependencies|operations|file|pool|command)\b|init$|command$)/;

const scriptsOf = (value: unknown): readonly string[] => (isObject(value) ? Object.keys(value) : []);

const packageJson = (parsed: Readonly<Record<string, unknown>>): readonly Autorun[] => [
  ...scriptsOf(parsed['scripts'])
    .filter((name) => INSTALL_SCRIPTS.has(name))
    .map((name) => ({ trigger: `at the next install, because it has a script “${name}”`, evidence: `"${name}"` })),
  ...COMMIT_FIELDS.filter((name) => Object.hasOwn(parsed, name)).map((name) => ({
    trigger: `at the next commit, because it has “${name}”`,
    evidence: `"${name}"`,
  })),
  ...(parsed['gypfile'] === true
    ? [{ trigger: 'at the next install, because it builds native code', evidence: '"gypfile"' }]
    : []),
  ...(/https?:/.test(String(parsed['packageManager']))
    ? [{ trigger: 'at the next install, because it sets a package manager by URL', evidence: '"packageManager"' }]
    : []),
];

const composerJson = (parsed: Readonly<Record<string, unknown>>): readonly Autorun[] => [
  ...scriptsOf(parsed['scripts'])
    .filter((name) => COMPOSER_SCRIPT.test(name))
    .map((name) => ({ trigger: `at the next install, because it has a script “${name}”`, evidence: `"${name}"` })),
  ...(parsed['type'] === 'composer-plugin'
    ? [{ trigger: 'at the next install, because it is a Composer plugin', evidence: '"composer-plugin"' }]
    : []),
];

const PACKAGES: Readonly<Record<string, (parsed: Readonly<Record<string, unknown>>) => readonly Autorun[]>> = {
  'package.json': packageJson,
  'composer.json': composerJson,
};

const packageReader = (folded: string) => PACKAGES[baseName(folded)];

/** Frontmatter of a skill, a command or an agent: its hooks run commands while it is in use, and ask nobody. */
const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,65536}?)\n---/;
const HOOKS = /^(?:\?[ \t]+)?["']?hooks["']?[ \t]*(?::|$)/m;

const frontmatterHooks = (text: string): Autorun | undefined => {
  const found = HOOKS.exec(withoutEscapes(FRONTMATTER.exec(text)?.[1] ?? ''));
  return found ? { trigger: 'while an agent uses the skill, because it has hooks', evidence: found[0] } : undefined;
};

/** Letters can be written as escapes in JSON, TOML, and YAML: the tool reads the letter. */
const withoutEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replace(
        /\\(?:u([\da-f]{4})|U([\da-f]{8})|x([\da-f]{2}))/gi,
        (whole, four?: string, eight?: string, two?: string) => {
          const code = Number.parseInt(four ?? eight ?? two ?? '', 16);
          return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
        },
      )
    : text;

/** A name in the form that Windows gives as a second name to a longer one. */
const SHORT_NAME = /(?:^|\/)[^/.~]{1,6}~\d{1,6}(?:\.[^/.]{1,3})?(?:\/|$)/;
const SHORT: Autorun = { trigger: 'on Windows, instead of any file with this short name' };

/** Whether a file runs by itself with some content: asked where the content cannot be read. */
export const mayRunByItself = (path: string): boolean => {
  const folded = foldPath(path);
  return (
    packageReader(folded) !== undefined ||
    SHORT_NAME.test(folded) ||
    AUTORUN_FILES.some((file) => file.path.test(folded))
  );
};

/** What of a file runs by itself; nothing for most files. */
export const findAutorun = (path: string, text: string): readonly Autorun[] => {
  const folded = foldPath(path);
  const reader = packageReader(folded);
  const parsed = reader && valueOr(parseJson(text.replace(/^\uFEFF/, '')), undefined);
  const own = reader && isObject(parsed) ? reader(parsed) : [];
  if (own.length > 0) return own;
  let plain: string | undefined;
  for (const { path: pattern, trigger, when } of AUTORUN_FILES) {
    if (!pattern.test(folded)) continue;
    if (!when) return [{ trigger }];
    plain ??= withoutEscapes(text);
    const found = when.exec(plain)?.[0];
    if (found !== undefined) return [{ trigger, evidence: found }];
  }
  const hooks = folded.endsWith('.md') ? frontmatterHooks(text) : undefined;
  if (hooks) return [hooks];
  return SHORT_NAME.test(folded) ? [SHORT] : [];
};
