import { baseName, dirName } from '../../../base/paths.ts';
import { codePointLength, groupDigits } from '../../../base/text.ts';
import { scanBody } from '../body.ts';
import { extensionOf, normalPath } from '../skill-path.ts';
import type { SkillFile } from '../types.ts';
import { editFix, replaceRange } from '../yaml-edit.ts';
import { allFiles, estimateTokens } from './body-checks.ts';
import { at, type CheckContext } from './context.ts';

const LARGE = 100 * 1024;
const LARGE_REFERENCE_TOKENS = 10_000;
const UPLOAD_LIMIT = 30_000_000;
/** Characters of all files, times the files that one of them could name. Beyond this, no orphan is reported. */
const MOST_LOOKED_THROUGH = 100_000_000;

const SECRET_FILE = /^\.env(?:\..*)?$|\.(?:pem|key|pfx|p12)$|^credentials\.json$|_secret/i;
const SECRET_FILE_EXEMPT = /^\.env\.(?:example|sample|template|dist)$/i;
/** Pieces of the secrets below. Each starts with a rare letter, so that looking for it is cheap. */
const PIECES = ['AKIA', 'ASIA', '_pat_', 'pat-', 'xox', 'xapp-', 'k-ant-', 'FJ', 'VATE KEY', '0tLS1C'];

/** `ghp_` and its kin, found by their underscore. */
const hasGitHubPrefix = (text: string): boolean => {
  for (let mark = text.indexOf('_'); mark !== -1; mark = text.indexOf('_', mark + 1)) {
    if (text.charCodeAt(mark - 2) === 104 && text.charCodeAt(mark - 3) === 103) return true;
  }
  return false;
};
const SECRETS: readonly (readonly [string, RegExp])[] = [
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a GitHub token', /\bgh[posru]_[A-Za-z0-9]{36}\b|\bgithub_pat_[A-Za-z0-9_]{60,}/g],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20}\b/g],
  ['a Slack token', /\bxox[bpars]-[0-9A-Za-z-]{20,}|\bxapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-z0-9]+/g],
  ['an Anthropic key', /\bsk-ant-[a-z]+[0-9]{2}-[A-Za-z0-9_-]{40,}/g],
  ['an OpenAI key', /\bsk-(?:proj-)?[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}/g],
  [
    'a private key',
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,4}[A-Za-z0-9+/=]{20}|LS0tLS1CRUdJTi[A-Za-z0-9+/=]{20}/g,
  ],
];
const TEXT_KINDS = new Set(['md', 'txt', 'yaml', 'yml', 'json']);
const BINARY = new Set(['exe', 'dll', 'so', 'dylib', 'bin', 'o', 'a', 'pyc', 'class', 'wasm']);
const EXTRANEOUS = /^(?:README|CHANGELOG|LICEN[CS]E|CONTRIBUTING|CODE_OF_CONDUCT|AGENTS)(?:\.[a-z]+)?$|^Makefile$/i;
const RESOURCE = /^(?:scripts|references|assets)\//;

const secretIn = (text: string): { what: string; index: number; length: number } | undefined => {
  if (!PIECES.some((piece) => text.includes(piece)) && !hasGitHubPrefix(text)) return undefined;
  for (const [what, pattern] of SECRETS) {
    for (const match of text.matchAll(pattern)) {
      // Documentation shows keys that say of themselves that they are examples.
      if (!/EXAMPLE|X{8}|x{8}|0{12}/.test(match[0])) return { what, index: match.index, length: match[0].length };
    }
  }
  return undefined;
};

const secretCheck = (context: CheckContext, path: string, text: string): void => {
  const secret = secretIn(text);
  if (secret) {
    context.report(
      'secret-content',
      { start: secret.index, end: secret.index + secret.length },
      `\`${path}\` contains what looks like ${secret.what}.`,
      [],
      path,
    );
  }
};

const referenceCheck = (context: CheckContext, path: string, file: SkillFile, isLinked: boolean): void => {
  const { document } = context;
  const text = file.text ?? '';
  if (RESOURCE.test(path) && file.text !== undefined) {
    const tokens = estimateTokens(codePointLength(text));
    if (tokens > LARGE_REFERENCE_TOKENS) {
      context.report('reference-large', at(0), `\`${path}\` takes about ${groupDigits(tokens)} tokens.`, [], path);
    }
  }
  if (!/\.(?:md|markdown)$/i.test(path)) return;
  const facts = scanBody(text, 0);
  if (facts.openFence) {
    const glue = text.endsWith('\n') ? '' : '\n';
    context.report(
      'fence-unclosed',
      facts.openFence,
      'This code fence isn’t closed.',
      [
        editFix(
          'Close it at the end of the file',
          'unsafe',
          [replaceRange(at(text.length), `${glue}${facts.openFenceMarker}\n`)],
          path,
        ),
      ],
      path,
    );
  }
  if (!isLinked) return;
  const files = document.input.files ?? new Map<string, SkillFile>();
  const nested = facts.links.find((link) => {
    if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(link.target)) return false;
    const target = normalPath(`${dirName(path)}/${link.target.replace(/[#?].*$/, '')}`);
    return target !== undefined && target !== path && target !== document.input.fileName && files.has(target);
  });
  if (nested) {
    context.report(
      'reference-nesting',
      nested.range,
      `\`${path}\` links to \`${nested.target}\`. The model may not follow that far.`,
      [],
      path,
    );
  }
};

export const checkFiles = (context: CheckContext): void => {
  const { document } = context;
  const { fileName } = document.input;
  const files = allFiles(document.input);
  secretCheck(context, fileName, document.text);
  if (!files) return;
  const facts = document.bodyFacts;
  const linked = new Set(facts.links.map((link) => normalPath(link.target.replace(/[#?].*$/, ''))));
  let texts: (readonly [path: string, text: string])[] | undefined;
  /** Whether the body or a file other than this one says so. */
  const isSaid = (path: string, says: (text: string) => boolean): boolean => {
    texts ??= [...files].map(([other, { text = '' }]) => [
      other,
      other === fileName ? document.text.slice(document.bodyRange.start) : text,
    ]);
    return texts.some(([other, text]) => other !== path && says(text));
  };
  let resources = 0;
  let length = document.text.length;
  for (const [path, { text = '' }] of files) {
    if (RESOURCE.test(path)) resources++;
    length += text.length;
  }
  const looksForOrphans = resources * length <= MOST_LOOKED_THROUGH;
  let total = 0;
  for (const [path, file] of files) {
    total += file.size;
    if (path === fileName) continue;
    const name = baseName(path);
    if (SECRET_FILE.test(name) && !SECRET_FILE_EXEMPT.test(name)) {
      context.report('secret-file', at(0), `\`${path}\` has the name of a credentials file.`, [], path);
    }
    if (file.text !== undefined && TEXT_KINDS.has(extensionOf(path))) secretCheck(context, path, file.text);
    if (BINARY.has(extensionOf(path)))
      context.report('binary-file', at(0), `\`${path}\` is a compiled file.`, [], path);
    else if (file.size > LARGE)
      context.report('large-file', at(0), `\`${path}\` has ${Math.round(file.size / 1024)} KiB.`, [], path);
    if (!path.includes('/') && EXTRANEOUS.test(name)) {
      context.report('extraneous-file', at(0), `\`${path}\` is for people, not for the model.`, [], path);
    }
    if (looksForOrphans && RESOURCE.test(path) && name !== '__init__.py') {
      const stem = name.replace(/\.[^.]*$/, '');
      const imports = name.endsWith('.py')
        ? new RegExp(`\\b(?:import|from)\\b[^\\n]{0,200}\\b${stem.replace(/[^\w]/g, '.')}\\b`)
        : undefined;
      const word = stem.match(/\w+/g)?.[0] ?? '';
      if (!isSaid(path, (text) => text.includes(name) || (text.includes(word) && imports?.test(text) === true))) {
        const { text, eol } = document;
        const glue = text.endsWith('\n') ? '' : eol;
        context.report(
          'orphan-file',
          at(0),
          `Nothing in the skill mentions \`${path}\`.`,
          [
            editFix(
              'Mention it at the end of the body',
              'manual',
              [replaceRange(at(text.length), `${glue}${eol}See [${stem}](${path}).${eol}`)],
              fileName,
            ),
          ],
          path,
        );
      }
    }
    if (file.text !== undefined) referenceCheck(context, path, file, linked.has(path));
  }
  if (total > UPLOAD_LIMIT) {
    context.report(
      'upload-size',
      at(0),
      `The folder has ${(total / 1_000_000).toFixed(1)} MB. The upload limit is 30 MB.`,
    );
  }
};
