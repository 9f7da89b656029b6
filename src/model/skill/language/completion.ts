import { KNOWN_TOOLS } from '../known-names.ts';
import type { Profile, TextRange } from '../types.ts';
import { fieldDoc, fieldDocs } from './field-docs.ts';
import { placeAt, type Place } from './place.ts';
import { sizeText } from './size-text.ts';
import { BODY_SNIPPETS, SKILL_SNIPPET, type Snippet } from './snippets.ts';

/** What an editor knows around the file. */
export interface LanguageFacts {
  readonly profile: Profile;
  /** The name of the skill's folder. */
  readonly folder?: string;
  /** Paths inside the folder, with their sizes in bytes. */
  readonly files: ReadonlyMap<string, { readonly size: number }>;
  /** All skills that `[[name]]` may point to. */
  readonly skills: readonly { readonly name: string; readonly description: string }[];
}

export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'tool' | 'skill' | 'file' | 'snippet';
  readonly insert: string;
  /** `insert` has tab stops: `$1`, `${2:word}`. */
  readonly isSnippet: boolean;
  /** A few words beside the label. */
  readonly detail: string;
  /** Markdown. */
  readonly doc: string;
  /** What `insert` replaces. */
  readonly range: TextRange;
  /** Another list follows immediately. */
  readonly goesOn: boolean;
}

const plain = (
  kind: Completion['kind'],
  label: string,
  range: TextRange,
  more: Partial<Omit<Completion, 'kind' | 'label' | 'range'>> = {},
): Completion => ({ kind, label, insert: label, isSnippet: false, detail: '', doc: '', range, goesOn: false, ...more });

const ofSnippet = ({ label, detail, doc, insert }: Snippet, range: TextRange): Completion =>
  plain('snippet', label, range, { insert, isSnippet: true, detail, doc });

const fieldNames = (place: Place & { readonly kind: 'field-name' }, { profile }: LanguageFacts): Completion[] =>
  fieldDocs(profile)
    .filter(({ name }) => !place.present.has(name))
    .map(({ name, form, doc, hosts, values }) =>
      plain('field', name, place.range, {
        insert: place.hasColon ? name : `${name}: `,
        detail: hosts === '' ? form : `${hosts} · ${form}`,
        doc,
        goesOn: !place.hasColon && (values.length > 0 || name === 'name' || name.endsWith('-tools')),
      }),
    );

const fieldValues = (place: Place & { readonly kind: 'field-value' }, { folder }: LanguageFacts): Completion[] => {
  if (place.field === 'name')
    return folder === undefined ? [] : [plain('value', folder, place.range, { detail: 'the name of the folder' })];
  return (fieldDoc(place.field)?.values ?? []).map((value) => plain('value', value, place.range));
};

const skillLinks = (place: Place & { readonly kind: 'skill-link' }, { skills, folder }: LanguageFacts): Completion[] =>
  skills
    .filter(({ name }) => name !== folder)
    .map(({ name, description }) =>
      plain('skill', name, place.range, { insert: place.isClosed ? name : `${name}]]`, doc: description }),
    );

/** Everything that may be at the cursor; the editor filters by what has been typed. */
export const completeSkill = (text: string, offset: number, facts: LanguageFacts): readonly Completion[] => {
  const place = placeAt(text, offset);
  switch (place.kind) {
    case 'empty-file':
      return [ofSnippet(SKILL_SNIPPET(facts.folder), place.range)];
    case 'field-name':
      return fieldNames(place, facts);
    case 'field-value':
      return fieldValues(place, facts);
    case 'tool':
      return KNOWN_TOOLS.filter((tool) => !place.present.has(tool)).map((tool) => plain('tool', tool, place.range));
    case 'skill-link':
      return skillLinks(place, facts);
    case 'path':
      return [...facts.files.keys()]
        .filter((path) => path !== 'SKILL.md')
        .map((path) => plain('file', path, place.range, { detail: sizeText(facts.files.get(path)?.size ?? 0) }));
    case 'body-line':
      return BODY_SNIPPETS.map((snippet) => ofSnippet(snippet, place.range));
    case 'none':
      return [];
  }
};
