/** A skill that can be loaded (seed 000). Frozen: what is on disk may change, a session's skills do not. */
import { sha256 } from '../../base/hash.ts';
import { codePointLength } from '../../base/text.ts';
import { estimateTokens } from './checks/body-checks.ts';
import { diagnose, findLoadErrors, isValid } from './diagnose.ts';
import { readDocument, type SkillDocument } from './document.ts';
import { effectiveEntries, fieldText, readTools, typingOf } from './fields.ts';
import { findProgram, type Metaskill } from './metaskill-package.ts';
import { normalName } from './names.ts';
import { pythonStrip } from './python-text.ts';
import type { Diagnostic, Profile, RuntimeProfile, SkillInput } from './types.ts';
import { resolveAlias } from './yaml-tree.ts';

const BODY_TOKEN_WARNING = 5000;

export class Skill {
  readonly name: string;
  readonly description: string;
  /** Markdown behind the frontmatter, with LF, without blank lines in front. */
  readonly body: string;
  readonly license: string | undefined;
  readonly compatibility: string | undefined;
  /** Has no prototype: any key is just a key. */
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly allowedTools: readonly string[];
  readonly metaskill: Metaskill | undefined;
  #version: string | undefined;

  constructor(fields: Omit<Skill, 'version' | 'estimatedBodyTokens' | 'overBodyTokenWarn'>) {
    this.name = fields.name;
    this.description = fields.description;
    this.body = fields.body;
    this.license = fields.license;
    this.compatibility = fields.compatibility;
    this.metadata = fields.metadata && Object.freeze(fields.metadata);
    this.allowedTools = Object.freeze([...fields.allowedTools]);
    this.metaskill = fields.metaskill && Object.freeze({ ...fields.metaskill });
    Object.freeze(this);
  }

  /** First 16 hex digits of the body's SHA-256: frontmatter may change without a new version. */
  get version(): string {
    return (this.#version ??= sha256(this.body).slice(0, 16));
  }

  get estimatedBodyTokens(): number {
    return estimateTokens(codePointLength(this.body));
  }

  get overBodyTokenWarn(): boolean {
    // Code points are never more than UTF-16 units, and counting them takes time.
    return this.body.length > BODY_TOKEN_WARNING * 4 && this.estimatedBodyTokens > BODY_TOKEN_WARNING;
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

const makeSkill = (document: SkillDocument, profile: Profile): Skill => {
  const typing = typingOf(profile);
  const name = fieldText(document, 'name', typing);
  return new Skill({
    name: name === undefined ? (document.input.folder ?? '') : normalName(name, profile),
    description: pythonStrip(fieldText(document, 'description', typing) ?? ''),
    body: document.body,
    license: fieldText(document, 'license', typing),
    compatibility: fieldText(document, 'compatibility', typing),
    metadata: readMetadata(document, profile),
    allowedTools: readTools(document),
    metaskill: findProgram(document).metaskill,
  });
};

/** From a file to a skill and all that is to be said about it. Never throws. */
export const readSkill = (input: SkillInput, profile: Profile): ReadSkill => {
  const document = readDocument(input);
  const diagnostics = diagnose(document, profile);
  return { document, diagnostics, skill: isValid(diagnostics) ? makeSkill(document, profile) : undefined };
};

export interface LoadedSkill {
  readonly document: SkillDocument;
  /** Empty exactly when there is a skill. */
  readonly errors: readonly Diagnostic[];
  readonly skill: Skill | undefined;
}

/** The same skill as `readSkill`, with only those diagnostics that keep it from being loaded. */
export const loadSkill = (input: SkillInput, profile: RuntimeProfile): LoadedSkill => {
  const document = readDocument(input);
  const errors = findLoadErrors(document, profile);
  return { document, errors, skill: errors.length === 0 ? makeSkill(document, profile) : undefined };
};
