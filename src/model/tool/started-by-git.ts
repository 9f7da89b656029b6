/** What git starts: aliases, programs that its settings name, transports. SPEC.md TO37. */
import { hasOption, NOTHING, type Options, type Reader, unknown } from './started.ts';

/** In front of the sub-command; all others read settings from outside or look for programs elsewhere. */
const HARMLESS = /^--(?:version|no-pager|no-optional-locks|no-replace-objects|literal-pathspecs|icase-pathspecs)$/;

/** Those that git has itself and that start nothing by themselves. All others may be an alias, or a program on the disk. */
const OWN: ReadonlySet<string> = new Set(
  'add annotate apply archive blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone commit config count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object init log ls-files ls-remote ls-tree merge merge-base mv name-rev notes prune pull push range-diff read-tree reflog remote reset restore rev-list rev-parse revert rm shortlog show show-branch show-ref stash status switch symbolic-ref tag update-index update-ref version whatchanged worktree write-tree'.split(
    ' ',
  ),
);

const WITH_ADDRESS: ReadonlySet<string> = new Set('archive clone fetch ls-remote pull push remote'.split(' '));

const EVERYWHERE = ['--exec', '--ext-diff', '--textconv', '--upload-pack', '--receive-pack', '--open-files-in-pager'];

const MORE: Readonly<Record<string, Options>> = {
  clone: { long: ['--config', '--template'], short: 'uc', valued: 'ob' },
  init: { long: ['--template'] },
  grep: { short: 'O', valued: 'ABCefm' },
  pull: { long: ['--strategy'], short: 'xs' },
};

/** Settings that say how something looks or who somebody is. All others may name a program. */
const PLAIN_SETTING =
  /^(?:user\.(?:name|email)|init\.defaultbranch|core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|whitespace|longpaths|precomposeunicode|abbrev|bare)|color\..*|column\..*|advice\..*|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|fetch\.(?:prune|prunetags)|merge\.(?:conflictstyle|ff|renames)|branch\..*\.(?:merge|remote|rebase|description)|diff\.(?:algorithm|renames|colormoved|mnemonicprefix)|log\.(?:date|decorate)|rebase\.(?:autosquash|autostash)|rerere\.enabled|help\.autocorrect)$/i;

const READING = { long: ['--get', '--get-all', '--get-regexp', '--list', '--show-origin'], short: 'l' };

const isPlainConfig = (words: readonly string[]): boolean => {
  if (hasOption(words, { long: ['--edit', '--file', '--blob'], short: 'ef' })) return false;
  const [first = '', ...rest] = words.filter((word) => !word.startsWith('-'));
  if (hasOption(words, READING) || /^(?:get|list)$/.test(first)) return true;
  const [key = '', ...values] = first === 'set' || first === 'unset' ? rest : [first, ...rest];
  return values.length === 0 || PLAIN_SETTING.test(key);
};

export const git: Reader = (words) => {
  const at = words.findIndex((word) => !HARMLESS.test(word));
  const command = at === -1 ? '' : (words[at] ?? '');
  const rest = at === -1 ? [] : words.slice(at + 1);
  if (command === '') return NOTHING;
  if (command.startsWith('-')) return unknown('a git setting');
  if (!OWN.has(command)) return unknown('a git alias or another git program');
  const { long = [], ...short } = MORE[command] ?? {};
  const starts =
    hasOption(rest, { long: [...EVERYWHERE, ...long], ...short }) ||
    // `ext::sh -c …` is an address.
    (WITH_ADDRESS.has(command) && rest.some((word) => /(?:^|=)[\w-]+::/.test(word))) ||
    (command === 'config' && !isPlainConfig(rest));
  return starts ? unknown('a git setting') : NOTHING;
};
