/** Which part of a prompt changed, where its writer says what the parts are (`SPEC.md`, OWN1 to OWN4). */
import { commonLength } from '../../../base/json-rescan.ts';
import type { OwnPrompt } from '../types.ts';
import type { OwnSegment } from './types.ts';
import { listText } from './words.ts';

export interface OwnChange {
  readonly segment: OwnSegment;
  /** One or more sentences. */
  readonly what: string;
}

type Part = OwnPrompt['parts'][number];
type OwnSkill = OwnPrompt['skills'][number];

/** The first line, from 1, that two strings do not share. */
const changedLine = (before: string, after: string): number => {
  const offset = commonLength(before, after);
  // Where lines were appended the strings part at the end of the line before.
  return after.slice(0, after[offset] === '\n' ? offset + 1 : offset).split('\n').length;
};

const placeText = ({ file, line }: OwnSegment): string => {
  if (file === undefined) return '';
  return line === undefined ? ` (${file})` : ` (${file}, line ${line})`;
};

const skillOf = ({ skills }: OwnPrompt, name: string): OwnSkill | undefined =>
  skills.find((skill) => skill.name === name);

const skillSegment = (kind: string, name: string, skill: OwnSkill | undefined, line?: number): OwnSegment => {
  const file = skill?.file;
  return { kind, name, ...(file !== undefined && { file, ...(line !== undefined && { line }) }) };
};

// ---- the index ----

const INDEX_LINE = /^- ([a-z0-9-]+)( \[preloaded\])?: (.*)$/;

interface IndexLine {
  readonly text: string;
  readonly isPreloaded: boolean;
}

const indexLines = (text: string): ReadonlyMap<string, IndexLine> => {
  const lines = new Map<string, IndexLine>();
  for (const line of text.split('\n')) {
    const [, name, mark, rest = ''] = INDEX_LINE.exec(line) ?? [];
    if (name !== undefined) lines.set(name, { text: rest, isPreloaded: mark !== undefined });
  }
  return lines;
};

const skills = (names: readonly string[]): string => `${names.length === 1 ? 'skill' : 'skills'} ${listText(names)}`;
const were = (names: readonly string[]): string => (names.length === 1 ? 'was' : 'were');

const indexChange = (before: string, after: string, old: OwnPrompt, fresh: OwnPrompt): OwnChange | undefined => {
  const [was, is] = [indexLines(before), indexLines(after)];
  const added = [...is.keys()].filter((name) => !was.has(name));
  const removed = [...was.keys()].filter((name) => !is.has(name));
  const kept = [...is.keys()].filter((name) => was.has(name));
  const edited = kept.filter((name) => was.get(name)?.text !== is.get(name)?.text);
  const sentences = [
    ...(added.length > 0 ? [`The ${skills(added)} ${were(added)} added`] : []),
    ...(removed.length > 0 ? [`The ${skills(removed)} ${were(removed)} removed`] : []),
    ...(edited.length > 0 ? [`The index text of the ${skills(edited)} changed`] : []),
  ];
  const [present, gone] = [added[0] ?? edited[0], removed[0]];
  if (present !== undefined) {
    const skill = skillOf(fresh, present);
    const segment = skillSegment('skill-index', present, skill, skill?.descriptionLine);
    return { segment, what: `${sentences.join('. ')}${placeText(segment)}.` };
  }
  if (gone !== undefined)
    return { segment: skillSegment('skill-index', gone, skillOf(old, gone)), what: `${sentences.join('. ')}.` };
  const name = kept.find((each) => was.get(each)?.isPreloaded !== is.get(each)?.isPreloaded);
  if (name === undefined) return undefined;
  const how = is.get(name)?.isPreloaded === true ? 'is now preloaded' : 'is no longer preloaded';
  const segment = skillSegment('preloaded', name, skillOf(fresh, name));
  return { segment, what: `The body of ${name} ${how}, which changed the padding.` };
};

// ---- the other parts ----

const MARKER = /^<!-- (.+) -->$/;

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** AGENTS.md and the other files, each behind a comment that names it. */
const instructionFiles = (text: string): readonly NamedText[] => {
  const files: { name: string; text: string }[] = [];
  for (const line of text.split('\n')) {
    const name = MARKER.exec(line)?.[1];
    const file = files.at(-1);
    if (name !== undefined) files.push({ name, text: '' });
    else if (file) file.text += file.text === '' ? line : `\n${line}`;
  }
  return files;
};

const instructionsChange = (before: string, after: string): OwnChange => {
  const [was, is] = [instructionFiles(before), instructionFiles(after)];
  const at = is.findIndex(
    ({ name, text }, index) => name !== was[index]?.name || text.trim() !== was[index]?.text.trim(),
  );
  const fresh = is[at];
  const old = was[at === -1 ? is.length : at];
  const name = fresh?.name ?? old?.name ?? 'AGENTS.md';
  const isBelowFolder = !name.startsWith('~/');
  if (fresh && old && fresh.name === old.name) {
    const line = changedLine(old.text, fresh.text);
    const segment = { kind: 'instructions', name, ...(isBelowFolder && { file: name }), line };
    return { segment, what: `${name} changed at line ${line}.` };
  }
  const isAdded = fresh !== undefined && !was.some((file) => file.name === fresh.name);
  const gone = old !== undefined && !is.some((file) => file.name === old.name) ? old.name : undefined;
  if (isAdded || gone === undefined)
    return {
      segment: { kind: 'instructions', name, ...(isBelowFolder && { file: name }) },
      what: `${name} ${isAdded ? 'was added' : 'moved'}.`,
    };
  return { segment: { kind: 'instructions', name: gone }, what: `${gone} was removed.` };
};

/** What separates the part from the previous one, its heading and a blank line are before the body. */
const bodyIn = (part: string): string => part.slice(part.indexOf('\n\n', part.search(/\S/)) + 2);

const bodyChange = (before: string, after: string, name: string, skill: OwnSkill | undefined): OwnChange => {
  const first = skill?.bodyLine;
  const line = first === undefined ? undefined : first + changedLine(bodyIn(before), bodyIn(after)) - 1;
  const segment = skillSegment('preloaded', name, skill, line);
  return { segment, what: `The preloaded body of ${name} changed${placeText(segment)}.` };
};

const PADDING: ReadonlySet<string> = new Set(['preloaded', 'operating-context']);

const partChange = (before: Part | undefined, after: Part | undefined, old: OwnPrompt, fresh: OwnPrompt): OwnChange => {
  const part = after ?? before;
  const [was, is] = [before, after].map((each) => (each?.kind === part?.kind ? (each?.text ?? '') : '')) as [
    string,
    string,
  ];
  if (part?.kind === 'skill-index') {
    const change = indexChange(was, is, old, fresh);
    if (change) return change;
  }
  if (part?.kind === 'instructions') return instructionsChange(was, is);
  if (part?.kind === 'preloaded' && before?.id === after?.id) {
    const name = part.id.slice('preloaded:'.length);
    return bodyChange(was, is, name, skillOf(fresh, name));
  }
  if (PADDING.has(part?.kind ?? ''))
    return { segment: { kind: 'padding', name: 'padding' }, what: 'The padding changed.' };
  const name = part?.kind === 'persona' ? 'persona' : (part?.id ?? 'system prompt');
  return { segment: { kind: part?.kind ?? 'system', name }, what: `The ${name} changed.` };
};

/** The first part of the stable prompt in which two sessions differ. */
export const stableChange = (old: OwnPrompt, fresh: OwnPrompt): OwnChange | undefined => {
  const count = Math.max(old.parts.length, fresh.parts.length);
  for (let index = 0; index < count; index++) {
    const [before, after] = [old.parts[index], fresh.parts[index]];
    if (before?.id === after?.id && before?.text === after?.text) continue;
    // A part that one of them lacks moves the others.
    const isGone = before && !fresh.parts.some(({ id }) => id === before.id);
    return isGone && !PADDING.has(before.kind)
      ? partChange(before, undefined, old, fresh)
      : partChange(before, after, old, fresh);
  }
  return undefined;
};

// ---- after the stable prompt ----

/** Headings of `model/prompt/volatile.ts`, in their order. */
const MEMORY = [
  ['memory', 'MEMORY.md', '\n\n## Workspace memory (MEMORY.md)\n'],
  ['user', 'USER.md', '\n\n## User context (USER.md)\n'],
] as const;

/** Memory, or the lines about date, folder and platform. */
export const memoryChange = (before: string, after: string): OwnChange => {
  const cut = (text: string): ReadonlyMap<string, string> => {
    const parts = new Map<string, string>();
    let rest = text;
    for (const [kind, , heading] of MEMORY) {
      const at = rest.indexOf(heading);
      if (at === -1) continue;
      parts.set(kind, rest.slice(at + heading.length));
      rest = rest.slice(0, at);
    }
    return parts.set('environment', rest);
  };
  const [was, is] = [cut(before), cut(after)];
  if (was.get('environment') === is.get('environment'))
    for (const [kind, name] of MEMORY.toReversed()) {
      const [old, fresh] = [was.get(kind), is.get(kind)];
      if (old === fresh) continue;
      if (old === undefined || fresh === undefined)
        return { segment: { kind, name }, what: `${name} was ${fresh === undefined ? 'removed' : 'added'}.` };
      const line = changedLine(old, fresh);
      return { segment: { kind, name, line }, what: `${name} changed at line ${line}.` };
    }
  return {
    segment: { kind: 'environment', name: 'environment' },
    what: 'The lines with date, folder, and platform changed.',
  };
};
