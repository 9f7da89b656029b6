/** Check zero: every file of a skill is read, nothing is run. */
import { baseName } from '../../base/paths.ts';
import { LineIndex } from '../../base/text.ts';
import { decodeText } from '../skill/source-text.ts';
import { analyseConcealed, analyseEncodedProse } from './concealed.ts';
import { findAutorun, mayRunByItself } from './autorun.ts';
import { javascript, javascriptModulePath } from './effects-javascript.ts';
import { python, pythonModulePath } from './effects-python.ts';
import { createInterpreter } from './evaluate.ts';
import type { LanguageEffects, Module } from './language.ts';
import { lowerJavascript } from './lower-javascript.ts';
import { lowerPython } from './lower-python.ts';
import { findCode } from './markdown-code.ts';
import { analyseJson, analyseYaml, notebookCells } from './settings-code.ts';
import { analyseShell } from './shell.ts';
import { analyseOther } from './other-languages.ts';
import { analysePowershell } from './powershell-patterns.ts';
import { analyseOrders, analyseYamlTags } from './prose-orders.ts';
import { analyseComments, analyseConduct } from './prose-conduct.ts';
import { analyseProgram } from './program-patterns.ts';
import { analyseProse, analyseText, between } from './prose-patterns.ts';
import type { Place, Reading, ScannedFile, SkillScan } from './types.ts';
import { unspokenContacts } from './spoken.ts';
import { analyseRegistries } from './registries.ts';
import { findHidden } from './unicode.ts';
import { PICKLE_BYTES, pickledCall } from './pickle.ts';
import { allMarks, NOTHING, textValue, type Value } from './value.ts';
import { createWorld, type CodeLanguage, type Findings, type InnerCode } from './world.ts';

export interface ScanInput {
  readonly name: string;
  /** All files of the skill, by their paths in its folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What is in the folder and could not be handed over. */
  readonly unread?: readonly UnreadFile[];
}

export interface UnreadFile {
  readonly path: string;
  readonly reason: string;
}

const READ_LIMIT = 1024 * 1024;
const MAX_FILES = 2000;
const UNREAD_AUTORUN = 'Tools run a file with this name automatically, and Lathe can’t read it.';

const EXTENSIONS: Readonly<Record<string, Reading>> = {
  py: 'python',
  pyw: 'python',
  pyi: 'python',
  star: 'starlark',
  bzl: 'starlark',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  ksh: 'shell',
  command: 'shell',
  env: 'text',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  tsx: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  mdc: 'markdown',
  ps1: 'patterns',
  psm1: 'patterns',
  bat: 'patterns',
  cmd: 'patterns',
  rb: 'patterns',
  pl: 'patterns',
  php: 'patterns',
  go: 'patterns',
  rs: 'patterns',
  lua: 'patterns',
  applescript: 'patterns',
  scpt: 'patterns',
  swift: 'patterns',
  java: 'patterns',
  kt: 'patterns',
  cs: 'patterns',
  r: 'patterns',
  vbs: 'patterns',
  hta: 'patterns',
  html: 'patterns',
  svg: 'patterns',
};

const readingOf = (path: string, text: string): Reading => {
  const name = baseName(path);
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const shebang = /^#!.*?\b(python|node|deno|bun|(?:ba|z|k|da)?sh|perl|ruby|php|osascript)/.exec(text)?.[1];
  if (
    shebang !== undefined &&
    (extension === undefined || EXTENSIONS[extension] === undefined || EXTENSIONS[extension] === 'text')
  ) {
    if (shebang === 'python') return 'python';
    if (/^(?:node|deno|bun)$/.test(shebang)) return 'javascript';
    return shebang.endsWith('sh') ? 'shell' : 'patterns';
  }
  if (/^(?:Makefile|makefile|GNUmakefile|Dockerfile|justfile|Justfile)$/.test(name)) return 'shell';
  return (extension === undefined ? undefined : EXTENSIONS[extension]) ?? 'text';
};

const MAGIC: readonly (readonly [readonly number[], string])[] = [
  [[0x7f, 0x45, 0x4c, 0x46], 'a program for Linux'],
  [[0x4d, 0x5a], 'a program for Windows'],
  [[0xcf, 0xfa, 0xed, 0xfe], 'a program for macOS'],
  [[0xca, 0xfe, 0xba, 0xbe], 'a program for macOS or Java'],
  [[0x00, 0x61, 0x73, 0x6d], 'WebAssembly'],
  [[0x52, 0x61, 0x72, 0x21], 'an archive (rar)'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'an archive (7z)'],
  [[0x50, 0x4b, 0x03, 0x04], 'an archive (zip)'],
  [[0x1f, 0x8b], 'compressed data'],
];

/** Whether an entry of a zip archive says that it is encrypted. */
const isEncryptedZip = (bytes: Uint8Array): boolean => {
  for (let at = 0; at + 8 < bytes.length; at++) {
    const isHeader =
      bytes[at] === 0x50 &&
      bytes[at + 1] === 0x4b &&
      ((bytes[at + 2] === 3 && bytes[at + 3] === 4) || (bytes[at + 2] === 1 && bytes[at + 3] === 2));
    if (!isHeader) continue;
    const flags = bytes[at + (bytes[at + 2] === 3 ? 6 : 8)] ?? 0;
    if ((flags & 1) === 1) return true;
  }
  return false;
};

const describeBinary = (path: string, bytes: Uint8Array): string => {
  if (path.endsWith('.pyc')) return 'compiled Python';
  return MAGIC.find(([magic]) => magic.every((byte, index) => bytes[index] === byte))?.[1] ?? 'binary data';
};

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly reading: Reading;
  readonly placeOf: (offset: number) => Place;
}

const placesIn = (file: string, text: string): ((at: number) => Place) => {
  const lines = new LineIndex(text);
  return (at) => ({ file, ...lines.positionAt(at) });
};

const withResolver = (
  effects: LanguageEffects,
  modules: ReadonlyMap<string, Module>,
  candidates: (from: string, path: string) => readonly string[],
): LanguageEffects => ({
  ...effects,
  resolve: (from, path) => candidates(from, path).find((file) => modules.has(file)),
});

/** A line of frontmatter that some hosts run. */
const HOOK =
  /^[ \t]*(?:-[ \t]+)?(?:command|cmd|run|exec|script|install|setup|pre_?install|post_?install|shell):[ \t]*(\S.*)/;

const unquoted = (value: string): string => {
  const trimmed = value.trim();
  const from = /^["']/.test(trimmed) ? 1 : 0;
  return trimmed.slice(from, trimmed.length > from && /["']$/.test(trimmed) ? -1 : undefined);
};

/** Recipes are the shell part of a makefile. */
const recipeLines = (path: string, text: string): string => {
  if (path.endsWith('Dockerfile'))
    return text
      .replace(/^(?!RUN\b|CMD\b|ENTRYPOINT\b).*$/gm, (line) => ' '.repeat(line.length))
      .replace(/^(?:RUN|CMD|ENTRYPOINT)\b/gm, (word) => ' '.repeat(word.length));
  if (!/(?:[Mm]akefile|[Jj]ustfile)$/.test(path)) return text;
  return text
    .replace(/^(?![\t ]).*$/gm, (line) => ' '.repeat(line.length))
    .replace(/^([\t ]+)[@-]+/gm, (mark) => ' '.repeat(mark.length))
    .replaceAll('$$', ' $');
};

export const scanSkill = ({ name, files, unread = [] }: ScanInput): SkillScan => {
  const findings: Findings = { capabilities: [], alarms: [], notes: [] };
  const scanned: ScannedFile[] = [];
  const sources: SourceFile[] = [];
  const nested: InnerCode[] = [];
  const world = createWorld({ findings, analyse: (code) => analyse(code), ownFiles: new Set(files.keys()) });

  const analyse = (code: InnerCode): Value => {
    const { language, text, placeOf, holes, depth } = code;
    if (!world.spend()) return NOTHING;
    switch (language) {
      case 'shell':
        return analyseShell({ text, placeOf, world, depth, holes });
      case 'python':
      case 'javascript': {
        const program = language === 'python' ? lowerPython(text) : lowerJavascript(text, false);
        const module: Module = { file: `${placeOf(0).file}#${nested.length}`, program, placeOf };
        const interpreter = createInterpreter(world, language === 'python' ? python : javascript, new Map(), depth, {
          marks: holes,
          texts: [],
        });
        interpreter.run(module);
        interpreter.finish();
        return NOTHING;
      }
      case 'powershell':
        analysePowershell({ text, placeOf, world });
        return NOTHING;
      case 'other':
        analyseOther({ text, placeOf, world, analyse, depth });
        return NOTHING;
    }
  };

  const runModules = (group: readonly SourceFile[], kind: 'python' | 'javascript'): void => {
    const modules = new Map<string, Module>();
    for (const { path, text, placeOf } of group) {
      const code = path.endsWith('.ipynb') ? notebookCells(text) : text;
      const program = kind === 'python' ? lowerPython(code) : lowerJavascript(code, /\.[mc]?tsx?$/.test(path));
      if (program.isCut)
        world.note('deep-nesting', placeOf(0), 'The program is nested too deeply, or too broken, to read to the end.');
      modules.set(path, { file: path, program, placeOf });
    }
    const effects =
      kind === 'python'
        ? withResolver(python, modules, pythonModulePath)
        : withResolver(javascript, modules, javascriptModulePath);
    const interpreter = createInterpreter(world, effects, modules, 0);
    for (const module of modules.values()) interpreter.run(module);
    interpreter.finish();
  };

  /** A file that fills the stack of the engine is reported, and keeps no other file from being read. */
  const guarded = (place: Place, work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      world.note('deep-nesting', place, 'The file is too large or nested too deeply to follow to the end.');
    }
  };
  const runTogether = (group: readonly SourceFile[], kind: 'python' | 'javascript'): void => {
    try {
      runModules(group, kind);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      for (const source of group) guarded(source.placeOf(0), () => runModules([source], kind));
    }
  };

  const readMarkdown = ({ text, placeOf }: SourceFile): void => {
    world.enter(NOTHING);
    analyseProse({ text, placeOf, world });
    analyseOrders({ text, placeOf, world });
    analyseConduct({ text, placeOf, world });
    analyseComments({ text, placeOf, world });
    const frontmatter = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
    let offset = 4;
    for (const line of frontmatter.split('\n')) {
      const command = unquoted(HOOK.exec(line)?.[1] ?? '');
      if (command !== '') {
        const place = placeOf(offset);
        world.capability('processes', place, `hook: ${command.slice(0, 60)}`);
        analyse({ language: 'shell', text: command, placeOf: () => place, holes: [], depth: 0 });
      }
      offset += line.length + 1;
    }
    const memory = { variables: new Map<string, Value>() };
    for (const { language, text: code, start, isLoaded } of findCode(text)) {
      if (language === 'none') continue;
      if (language === 'shell') {
        const out = analyseShell({
          text: code,
          placeOf: (at) => placeOf(start + at),
          world,
          depth: 0,
          holes: [],
          memory,
        });
        const secret = isLoaded
          ? allMarks(out).find(({ label }) => label === 'secret' || label === 'environment')
          : undefined;
        if (secret)
          world.alarm(
            'secret-to-network',
            placeOf(start),
            'A credential goes to the model whenever the skill is loaded.',
            { trail: [secret] },
          );
        continue;
      }
      analyse({ language, text: code, placeOf: (at) => placeOf(start + at), holes: [], depth: 0 });
    }
  };

  for (const { path, reason } of unread) {
    scanned.push({ path, reading: 'not read', reason });
    world.note('not-read', { file: path, line: 1, column: 1 }, `Not read here: ${reason}. Review it yourself.`);
  }
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [index, [path]] of sorted.slice(MAX_FILES).entries()) {
    const top: Place = { file: path, line: 1, column: 1 };
    scanned.push({ path, reading: 'not read', reason: `beyond the first ${MAX_FILES} files` });
    if (index === 0)
      world.note(
        'not-read',
        top,
        `Not read here: ${sorted.length - MAX_FILES} files from this one on. Review them yourself.`,
      );
    if (mayRunByItself(path)) world.alarm('runs-by-itself', top, UNREAD_AUTORUN);
  }
  for (const [path, bytes] of sorted.slice(0, MAX_FILES)) {
    const top: Place = { file: path, line: 1, column: 1 };
    if (bytes.length > READ_LIMIT) {
      scanned.push({ path, reading: 'not read', reason: 'larger than 1 MiB' });
      if (mayRunByItself(path)) world.alarm('runs-by-itself', top, UNREAD_AUTORUN);
      world.note('not-read', top, 'The file is too large to read here. Review it yourself.');
      continue;
    }
    const { text, invalidAt } = decodeText(bytes);
    if (invalidAt !== undefined || text.includes('\0')) {
      const what = describeBinary(path, bytes);
      scanned.push({ path, reading: 'not read', reason: what });
      const call = pickledCall(String.fromCharCode(...bytes.subarray(0, PICKLE_BYTES)));
      if (call !== undefined) world.alarm('decoded-and-run', top, `Opening this pickle calls ${call}.`);
      if (isEncryptedZip(bytes))
        world.alarm('protected-archive', top, 'A password-protected archive. Lathe can’t look inside.');
      else if (mayRunByItself(path)) world.alarm('runs-by-itself', top, UNREAD_AUTORUN);
      else if (what.startsWith('a program for'))
        world.alarm('opaque-program', top, `This is ${what}, and only its maker knows what it does.`);
      else if (what !== 'binary data') world.note('opaque', top, `This is ${what}. Check zero can’t read it.`);
      continue;
    }
    const reading = path.endsWith('.ipynb') ? 'python' : readingOf(path, text);
    const source: SourceFile = { path, text, reading, placeOf: placesIn(path, text) };
    sources.push(source);
    scanned.push({ path, reading });
    for (const { rule, start, message, decoded } of findHidden(text).slice(0, 50))
      world.alarm(rule, source.placeOf(start), message, decoded === undefined ? {} : { decoded });
    analyseText({ text, placeOf: source.placeOf, world });
    if (reading === 'python' || reading === 'javascript') analyseProgram({ text, placeOf: source.placeOf, world });
    if (reading === 'markdown' || reading === 'text') analyseEncodedProse({ text, placeOf: source.placeOf, world });
    else analyseConcealed({ text, placeOf: source.placeOf, world }, reading === 'shell');
    analyseRegistries({ text, placeOf: source.placeOf, world });
    const call = reading === 'text' && text.length < PICKLE_BYTES ? pickledCall(text) : undefined;
    if (call !== undefined) world.alarm('decoded-and-run', top, `Opening this pickle calls ${call}.`);
    for (const { trigger, evidence } of findAutorun(path, text)) {
      const place = evidence === undefined ? top : source.placeOf(Math.max(0, text.indexOf(evidence)));
      world.alarm('runs-by-itself', place, `Runs ${trigger}.`);
    }
  }

  const readSource = (source: SourceFile, reading: Reading): void => {
    const { path, text, placeOf } = source;
    world.enter(NOTHING);
    switch (reading) {
      case 'shell':
        analyse({ language: 'shell', text: recipeLines(path, text), placeOf, holes: [], depth: 0 });
        return;
      case 'markdown':
        readMarkdown(source);
        return;
      case 'patterns':
        analyseOther({ text, placeOf, world, analyse, depth: 0 });
        for (const { 0: url, index } of text.matchAll(/(?<=["'`])https?:\/\/[\w.-]+/g))
          if (!/\.(?:html?|svg|r)$/i.test(path)) world.contact(placeOf(index), textValue(url));
        if (/\.(?:html?|svg|xml)$/i.test(path)) {
          analyseOrders({ text, placeOf, world });
          analyseConduct({ text, placeOf, world });
        }
        // An image has nothing to run.
        if (/\.svg$/i.test(path))
          for (const { inner, start } of between(text, '<script', '</script>'))
            analyse({
              language: 'javascript',
              text: inner.slice(inner.indexOf('>') + 1),
              placeOf: () => placeOf(start),
              holes: [],
              depth: 0,
            });
        return;
      case 'text':
        if (path.endsWith('.json')) analyseJson(world, analyse, source);
        else if (/\.ya?ml$/.test(path)) {
          analyseYaml(world, analyse, source);
          analyseYamlTags({ text, placeOf, world });
        } else {
          analyseProse({ text, placeOf, world });
          analyseOrders({ text, placeOf, world });
          analyseConduct({ text, placeOf, world });
        }
        return;
      case 'python':
      case 'starlark':
      case 'javascript':
      case 'not read':
    }
  };

  // Markdown last: what it tells people to run was looked at by then.
  const order = (reading: Reading): number => (reading === 'markdown' ? 1 : 0);
  runTogether(
    sources.filter(({ reading }) => reading === 'python' || reading === 'starlark'),
    'python',
  );
  runTogether(
    sources.filter(({ reading }) => reading === 'javascript'),
    'javascript',
  );
  for (const source of sources.toSorted((a, b) => order(a.reading) - order(b.reading)))
    guarded(source.placeOf(0), () => readSource(source, source.reading));

  // Files that something runs, whatever they are called.
  const asCode = (language: CodeLanguage): Reading =>
    language === 'python' || language === 'javascript' || language === 'shell' ? language : 'patterns';
  for (const [path, language] of world.runs) {
    const source = sources.find((item) => item.path === path);
    const reading = asCode(language);
    if (!source || source.reading === reading || (source.reading !== 'text' && source.reading !== 'markdown')) continue;
    world.note('disguised', { file: path, line: 1, column: 1 }, `Something runs this file as ${language}.`);
    scanned.splice(
      scanned.findIndex((item) => item.path === path),
      1,
      { path, reading },
    );
    if (reading === 'python' || reading === 'javascript') runTogether([source], reading);
    else guarded(source.placeOf(0), () => readSource(source, reading));
  }
  world.unproven();
  const isText = ({ reading, path }: SourceFile): boolean =>
    reading === 'markdown' || reading === 'text' || path === 'SKILL.md';
  const texts = sources.filter(isText).map(({ text }) => text);
  const programs = new Set(sources.filter((source) => !isText(source)).map(({ path }) => path));
  for (const { host, place } of unspokenContacts(world.contacts, [name, ...texts]))
    if (programs.has(place.file))
      world.alarm('unspoken-address', place, `The program talks to ${host}, which the skill’s documents never name.`);
  if (!world.spend())
    world.note(
      'cut',
      { file: 'SKILL.md', line: 1, column: 1 },
      'The skill is too large to follow to the end. Review its scripts yourself.',
    );

  const byPlace = (a: Place, b: Place): number =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1;
  return {
    name,
    capabilities: findings.capabilities.toSorted(byPlace),
    alarms: findings.alarms.toSorted(byPlace),
    notes: findings.notes.toSorted(byPlace),
    files: scanned,
  };
};
