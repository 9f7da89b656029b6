/** Decides what becomes of every skill that was found: the first of a name is loaded, and the report explains the rest. */
import type { Log } from '../../base/log.ts';
import { RULES, type RuleId } from '../skill/catalog.ts';
import { diagnose } from '../skill/diagnose.ts';
import { readDocument, type SkillDocument } from '../skill/document.ts';
import { findProgram } from '../skill/metaskill-package.ts';
import { pythonRepr } from '../skill/python-text.ts';
import type { LoadedSkill, Skill } from '../skill/skill.ts';
import type { Diagnostic } from '../skill/types.ts';
import type { Root } from './roots.ts';
import { sourceOf, type Dialect, type DiscoveryEntry, type LibrarySkill, type RuntimeProfile } from './types.ts';

export interface BuilderOptions {
  readonly profile: RuntimeProfile;
  readonly dialect: Dialect;
  readonly log: Log;
}

export interface Candidate {
  readonly root: Root;
  readonly path: string;
  readonly loaded: LoadedSkill;
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** A diagnostic of a rule that looks at more than one skill. */
const libraryDiagnostic = (rule: RuleId, profile: RuntimeProfile, message: string): Diagnostic => ({
  rule,
  severity: RULES.get(rule)?.severity[profile] ?? 'warning',
  message,
  file: 'SKILL.md',
  range: { start: 0, end: 0 },
  fixes: [],
});

const DOWNGRADES: ReadonlySet<string> = new Set<RuleId>([
  'MS-path-absolute',
  'MS-path-escape',
  'MS-file-missing',
  'MS-file-case',
  'MS-program-is-skill-md',
  'MS-language-unsupported',
  'MS-not-utf8',
  'MS-own-frontmatter',
  'MS-size',
]);

/** Why a skill that has or names a program is only text. Profiles that know no metaskills do not say so by themselves. */
const downgradeReason = (document: SkillDocument): string | undefined => {
  const { refusal, metaskill } = findProgram(document);
  if (refusal === undefined && metaskill?.fault === undefined) return undefined;
  return diagnose(document, 'metaskill').find(({ rule }) => DOWNGRADES.has(rule))?.message;
};

/** The folder inside its tree; a tree that is a skill itself goes by its name. */
const placeOf = (item: { readonly path: string; readonly root: string }): string => item.path || item.root;

export class LibraryBuilder {
  readonly #options: BuilderOptions;
  readonly #winners = new Map<string, LibrarySkill>();
  readonly #descriptions = new Map<string, string>();
  /** What `[[name]]` may point to: complete before anybody can ask for a diagnostic. */
  readonly #names = new Set<string>();
  readonly shadowed: LibrarySkill[] = [];
  readonly report: DiscoveryEntry[] = [];

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  get winners(): Iterable<LibrarySkill> {
    return this.#winners.values();
  }

  skip(root: Root, path: string, reason: string, diagnostics: () => readonly Diagnostic[] = () => []): void {
    const entry = { path, layer: root.layer, root: root.label, outcome: 'skipped', name: undefined } as const;
    this.#explain(entry, reason, diagnostics);
  }

  add({ root, path, loaded }: Candidate): void {
    const { skill, errors, document } = loaded;
    const { input } = document;
    const own = once(() => diagnose(readDocument({ ...input, knownSkills: this.#names }), this.#options.profile));
    if (!skill) {
      const messages = errors.map(({ message }) => message);
      const text = `skipping invalid skill at ${placeOf({ path, root: root.label })}: ${messages.join('; ')}`;
      this.#options.log({ level: 'warning', code: 'skill.invalid', text });
      this.skip(root, path, messages.join(' '), own);
      return;
    }
    this.#names.add(skill.name);
    const winner = this.#winners.get(skill.name);
    if (winner) this.#shadow(skill, root, path, winner, own);
    else this.#load(skill, root, path, document, own);
  }

  #load(skill: Skill, root: Root, path: string, document: SkillDocument, own: () => readonly Diagnostic[]): void {
    if (skill.overBodyTokenWarn) {
      const text = `skill ${pythonRepr(skill.name)} body is ~${skill.estimatedBodyTokens} tokens (recommendation: <=5000); split into separate files under references/ if possible`;
      this.#options.log({ level: 'warning', code: 'skill.large', text });
    }
    const same = this.#sameDescription(skill);
    const diagnostics = same ? once(() => [...own(), same]) : own;
    this.#winners.set(skill.name, this.#item(skill, root, path, diagnostics));
    const downgrade = downgradeReason(document);
    const outcome = downgrade === undefined ? 'loaded' : 'downgraded';
    this.#explain({ path, layer: root.layer, root: root.label, outcome, name: skill.name }, downgrade ?? '', diagnostics);
  }

  #shadow(skill: Skill, root: Root, path: string, winner: LibrarySkill, own: () => readonly Diagnostic[]): void {
    const { dialect, log, profile } = this.#options;
    const message = `The skill \`${skill.name}\` at ${placeOf(winner)} comes first, so this one is not loaded.`;
    const diagnostics = once(() => [...own(), libraryDiagnostic('duplicate-name', profile, message)]);
    const item = this.#item(skill, root, path, diagnostics);
    this.shadowed.push(item);
    this.#explain({ path, layer: root.layer, root: root.label, outcome: 'shadowed', name: skill.name }, message, diagnostics);
    const overrides = dialect === 'metis' && winner.source === 'workspace' && item.source === 'global';
    const text = overrides
      ? `skill ${pythonRepr(skill.name)} in workspace overrides global definition`
      : `[skills] duplicate skill "${skill.name}" at ${placeOf(item)} ignored; first definition (${placeOf(winner)}) wins`;
    log({ level: dialect === 'metis' ? 'info' : 'warning', code: 'skill.shadowed', text });
  }

  #item(skill: Skill, root: Root, path: string, diagnostics: () => readonly Diagnostic[]): LibrarySkill {
    return Object.freeze({
      skill,
      layer: root.layer,
      source: sourceOf(root.layer),
      root: root.label,
      path,
      get diagnostics() {
        return diagnostics();
      },
    });
  }

  #explain(
    entry: Omit<DiscoveryEntry, 'reason' | 'diagnostics'>,
    reason: string,
    diagnostics: () => readonly Diagnostic[],
  ): void {
    this.report.push(
      Object.freeze({
        ...entry,
        reason,
        get diagnostics() {
          return diagnostics();
        },
      }),
    );
  }

  #sameDescription({ name, description }: Skill): Diagnostic | undefined {
    const key = description.toLowerCase();
    const other = this.#descriptions.get(key);
    if (other === undefined) {
      this.#descriptions.set(key, name);
      return undefined;
    }
    const message = `The skill \`${other}\` has the same description.`;
    return libraryDiagnostic('duplicate-description', this.#options.profile, message);
  }
}
