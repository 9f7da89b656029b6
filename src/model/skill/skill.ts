/** A skill that can be loaded, as the skill format defines it. Frozen: what is on disk may change, a session's skills do not. */
import { sha256 } from '../../base/hash.ts';
import { codePointLength } from '../../base/text.ts';
import { estimateTokens } from './checks/body-checks.ts';
import { diagnose, isValid } from './diagnose.ts';
import { readDocument, type SkillDocument } from './document.ts';
import { effectiveEntries, fieldText, readTools, typingOf } from './fields.ts';
import { findProgram, type Metaskill } from './metaskill-package.ts';
import { normalName } from './names.ts';
import { pythonStrip } from './python-text.ts';
import type { Diagnostic, Profile, SkillInput } from './types.ts';
import { resolveAlias } from './yaml-tree.ts';

export const BODY_TOKEN_WARNING = 5000;

const NO_TOOLS: readonly string[] = Object.freeze([]);

/** Where in SKILL.md a part starts. */
export interface SkillLines {
  readonly description: number;
  readonly body: number;
}

const lineOf = (text: string, offset: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
};

const linesOf = (document: SkillDocument): SkillLines =>
  Object.freeze({
    description: lineOf(document.text, document.field('description')?.key.range.start ?? 0),
    body: lineOf(document.text, document.bodyRange.start),
  });

export class Skill {
  readonly name: string;
  readonly description: string;
  readonly license: string | undefined;
  readonly compatibility: string | undefined;
  /** Has no prototype: any key is just a key. */
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly allowedTools: readonly string[];
  readonly metaskill: Metaskill | undefined;
  /** Of SKILL.md, from 1. */
  readonly lines: SkillLines;
  readonly #readBody: () => string;
  #body: string | undefined;
  #version: string | undefined;
  #tokens: number | undefined;

  /** `readBody` is called when somebody first asks for the body, and gives what was on disk when the skill was read. */
  constructor(
    fields: Omit<Skill, 'body' | 'version' | 'estimatedBodyTokens' | 'overBodyTokenWarn'>,
    readBody: () => string,
  ) {
    this.#readBody = readBody;
    this.name = fields.name;
    this.description = fields.description;
    this.license = fields.license;
    this.compatibility = fields.compatibility;
    this.metadata = fields.metadata && Object.freeze(fields.metadata);
    this.allowedTools = fields.allowedTools.length === 0 ? NO_TOOLS : Object.freeze([...fields.allowedTools]);
    this.metaskill = fields.metaskill && Object.freeze({ ...fields.metaskill });
    this.lines = fields.lines;
    Object.freeze(this);
  }

  /** Markdown after the frontmatter, with LF, without blank lines in front. */
  get body(): string {
    return (this.#body ??= this.#readBody());
  }

  /** First 16 hex digits of the body's SHA-256: frontmatter may change without a new version. */
  get version(): string {
    return (this.#version ??= sha256(this.body).slice(0, 16));
  }

  get estimatedBodyTokens(): number {
    return (this.#tokens ??= estimateTokens(codePointLength(this.body)));
  }

  get overBodyTokenWarn(): boolean {
    return this.estimatedBodyTokens > BODY_TOKEN_WARNING;
  }
}

const readMetadata = (document: SkillDocument, profile: Profile): Readonly<Record<string, string>> | undefined => {
  const field = document.field('metadata');
  const node = field && resolveAlias(field.value);
  if (node?.kind !== 'map') return undefined;
  const metadata = Object.create(null) as Record<string, string>;
  for (const entry of effectiveEntries(node, typingOf(profile))) {
    const value = resolveAlias(entry.value);
    if (entry.name !== undefined && value?.kind === 'scalar') metadata[entry.name] = value.text;
  }
  return metadata;
};

export interface ReadSkill {
  readonly document: SkillDocument;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if the profile does not accept the skill. */
  readonly skill: Skill | undefined;
}

/** Of a document that the profile accepts. */
export const makeSkill = (document: SkillDocument, profile: Profile, readBody: () => string): Skill => {
  const typing = typingOf(profile);
  const name = fieldText(document, 'name', typing);
  const fields = {
    name: name === undefined ? (document.input.folder ?? '') : normalName(name, profile),
    description: pythonStrip(fieldText(document, 'description', typing) ?? ''),
    license: fieldText(document, 'license', typing),
    compatibility: fieldText(document, 'compatibility', typing),
    metadata: readMetadata(document, profile),
    allowedTools: readTools(document),
    metaskill: findProgram(document).metaskill,
    lines: linesOf(document),
  };
  return new Skill(fields, readBody);
};

/** From a file to a skill and all that is to be said about it. Never throws. */
export const readSkill = (input: SkillInput, profile: Profile): ReadSkill => {
  const document = readDocument(input);
  const diagnostics = diagnose(document, profile);
  return {
    document,
    diagnostics,
    skill: isValid(diagnostics) ? makeSkill(document, profile, () => document.body) : undefined,
  };
};
