import type { Field } from '../document.ts';
import { misspeltField, readField } from '../fields.ts';
import { isValidName, nameFaults, NAME_LIMIT, normalName, slugify, type NameFault } from '../names.ts';
import { pythonRepr, pythonStrip } from '../python-text.ts';
import type { Fix, Profile } from '../types.ts';
import { editFix, prependEntry, quoteScalar, renameKeyFix, setValue, setValueFix, writeScalar } from '../yaml-edit.ts';
import { at, say, type CheckContext } from './context.ts';
import { codePointLength } from '../../../base/text.ts';

const METIS_PATTERN =
  'name: must match ^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$ (lowercase letters/digits/hyphens, no leading/trailing/consecutive hyphens)';

/** The name that the skill should have: its folder's, where that is one. */
const betterName = (context: CheckContext, name: string): { name: string; isPlain: boolean } | undefined => {
  const { folder } = context.document.input;
  const slug = slugify(name);
  if (folder !== undefined && isValidName(folder, context.profile)) return { name: folder, isPlain: slug === folder };
  const best = slug === '' ? slugify(folder ?? '') : slug;
  return best === '' || best === name ? undefined : { name: best, isPlain: false };
};

const setNameFix = (context: CheckContext, field: Field, name: string): Fix | undefined => {
  const better = betterName(context, name);
  if (!better || better.name === name) return undefined;
  return setValueFix(
    `Set the name to \`${better.name}\``,
    better.isPlain ? 'safe' : 'unsafe',
    context.document,
    field,
    writeScalar(better.name),
  );
};

const insertNameFix = (context: CheckContext): Fix | undefined => {
  const { document } = context;
  const misspelt = document.field('name') ? undefined : misspeltField(document, 'name');
  if (misspelt) return renameKeyFix(document, misspelt, 'name');
  const { folder = '' } = document.input;
  const name = isValidName(folder, context.profile) ? folder : slugify(folder);
  if (name === '') return undefined;
  const empty = document.field('name');
  const edit = empty
    ? setValue(document, empty, writeScalar(name))
    : prependEntry(document, `name: ${writeScalar(name)}`);
  return edit && editFix(`Set the name to \`${name}\``, 'safe', [edit], document.input.fileName);
};

const faultMessage = (fault: NameFault, name: string, profile: Profile): string => {
  switch (fault) {
    case 'name-length':
      return `The name has ${codePointLength(name)} characters. The limit is ${NAME_LIMIT}.`;
    case 'name-case':
      return `The name \`${name}\` isn’t all lowercase.`;
    case 'name-edge-hyphen':
      return `The name \`${name}\` starts or ends with a hyphen.`;
    case 'name-double-hyphen':
      return `The name \`${name}\` has two hyphens in a row.`;
    case 'name-characters':
      return `The name \`${name}\` has characters other than ${profile === 'strict' ? 'letters, digits' : 'a–z, 0–9'} and hyphens.`;
  }
};

const METIS_ORDER: readonly NameFault[] = [
  'name-case',
  'name-characters',
  'name-edge-hyphen',
  'name-length',
  'name-double-hyphen',
];

const metisMessage = (fault: NameFault): string => {
  if (fault === 'name-length') return 'name: must be 1-64 chars';
  return fault === 'name-double-hyphen' ? 'name: must not contain consecutive hyphens' : METIS_PATTERN;
};

const folderCheck = (context: CheckContext, field: Field, name: string): void => {
  const { document, profile } = context;
  const { folder } = document.input;
  const compared = profile === 'strict' ? folder?.normalize('NFKC') : folder;
  if (folder === undefined || compared === name) return;
  const target = isValidName(name, profile) ? name : slugify(name);
  const rename: Fix | undefined =
    target === '' || target === folder
      ? undefined
      : {
          title: `Rename the folder to \`${target}\``,
          safety: isValidName(folder, profile) ? 'manual' : 'unsafe',
          action: { kind: 'rename-folder', to: target },
        };
  const set = isValidName(folder, profile) ? setNameFix(context, field, name) : undefined;
  const message = say(
    context,
    `The name is \`${name}\`, but the folder’s name is \`${folder}\`.`,
    `name: must equal parent directory name (frontmatter=${pythonRepr(name)}, dir=${pythonRepr(folder)})`,
  );
  context.report('name-folder', field.value.range, message, set ? [set, rename] : [rename]);
};

const reservedCheck = (context: CheckContext, field: Field, name: string): void => {
  const word = /anthropic|claude/i.exec(name)?.[0];
  if (word !== undefined) {
    context.report('name-reserved', field.value.range, `The name contains the reserved word “${word.toLowerCase()}”.`);
  }
};

export const checkName = (context: CheckContext): void => {
  const { document, profile } = context;
  const { field, value } = readField(document, 'name', context.typing);
  const isMetis = profile === 'metis';
  if (!field) {
    const message = say(context, 'Missing `name`.', 'name: required string');
    context.report('name-missing', at(document.split.yaml?.start ?? 0), message, [insertNameFix(context)]);
    return;
  }
  const range = field.value.range.end > field.value.range.start ? field.value.range : field.key.range;
  if (value.kind === 'map' || value.kind === 'seq') {
    context.report('name-type', range, say(context, 'The name must be a string.', 'name: required string'));
    return;
  }
  const raw = value.kind === 'string' || value.kind === 'typed' ? value.text : '';
  if (value.kind === 'null' || (!isMetis && pythonStrip(raw) === '')) {
    context.report('name-empty', range, say(context, 'The name is empty.', 'name: required string'), [
      insertNameFix(context),
    ]);
    return;
  }
  if (value.kind === 'typed') {
    const quote = setValueFix('Put the name in quotes', 'safe', document, field, quoteScalar(raw));
    const message = `Unquoted, the name \`${raw}\` is not a string but ${value.type === 'int' ? 'a number' : `a value of type ${value.type}`}.`;
    context.report(
      profile === 'strict' ? 'name-type' : 'name-coerced',
      range,
      say(context, message, 'name: required string'),
      [quote],
    );
    if (isMetis || profile === 'strict') return;
  }
  const name = normalName(raw, profile);
  const faults = nameFaults(name, profile);
  if (isMetis) {
    const first = name === '' ? 'name-characters' : METIS_ORDER.find((fault) => faults.includes(fault));
    if (first) {
      context.report(first, range, metisMessage(first), [setNameFix(context, field, raw)]);
      return;
    }
    folderCheck(context, field, name);
  } else {
    for (const fault of faults)
      context.report(fault, range, faultMessage(fault, name, context.profile), [setNameFix(context, field, raw)]);
    folderCheck(context, field, name);
  }
  reservedCheck(context, field, name);
};
