/** Decides what becomes of every skill that was found: the first of a name is loaded, and the report explains the rest. */
import type { Log } from '../../base/log.ts';
import { RULES, type RuleId } from '../skill/catalog.ts';
import { diagnose } from '../skill/diagnose.ts';
import { readDocument } from '../skill/document.ts';
import { isWeighty } from '../skill/weight.ts';
import { pythonRepr } from '../skill/python-text.ts';
import type { LoadedSkill } from '../skill/load-skill.ts';
import type { Skill } from '../skill/skill.ts';
import type { Diagnostic, SkillInput } from '../skill/types.ts';
import type { FileTree } from '../files/file-tree.ts';
import type { Root } from './roots.ts';
import {
  sourceOf,
  type Dialect,
  type DiscoveryEntry,
  type Layer,
  type LibrarySkill,
  type RuntimeProfile,
} from './types.ts';

export interface BuilderOptions {
  readonly profile: RuntimeProfile;
  readonly dialect: Dialect;
  readonly log: Log;
}

/** Diagnostics that are found when somebody asks, and then kept. */
class LazyDiagnostics {
  #find: (() => readonly Diagnostic[]) | undefined;
  #found: readonly Diagnostic[] = [];

  constructor(find?: () => readonly Diagnostic[]) {
    this.#find = find;
  }

  get all(): readonly Diagnostic[] {
    if (this.#find) this.#found = Object.freeze(this.#find());
    this.#find = undefined;
    return this.#found;
  }
}

const NO_DIAGNOSTICS = new LazyDiagnostics();

/** Classes, because an object literal with a getter gets a shape of its own every time: slow and large. */
class FoundSkill implements LibrarySkill {
  readonly skill: Skill;
  readonly layer: Layer;
  readonly source: LibrarySkill['source'];
  readonly root: string;
  readonly path: string;
  readonly #tree: FileTree;
  readonly #diagnostics: LazyDiagnostics;

  constructor(skill: Skill, root: Root, path: string, diagnostics: LazyDiagnostics) {
    this.skill = skill;
    this.layer = root.layer;
    this.source = sourceOf(root.layer);
    this.root = root.label;
    this.path = path;
    this.#diagnostics = diagnostics;
    this.#tree = root.tree;
    Object.freeze(this);
  }

  /** A getter, so that two skills with equal fields are equal wherever they lie. */
  get tree(): FileTree {
    return this.#tree;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics.all;
  }
}

class ReportEntry implements DiscoveryEntry {
  readonly path: string;
  readonly layer: Layer;
  readonly root: string;
  readonly outcome: DiscoveryEntry['outcome'];
  readonly reason: string;
  readonly name: string | undefined;
  readonly #real: string;
  readonly #diagnostics: LazyDiagnostics;

  constructor(
    place: Place,
    outcome: DiscoveryEntry['outcome'],
    reason: string,
    diagnostics: LazyDiagnostics,
    name?: string,
  ) {
    this.path = place.path;
    this.layer = place.root.layer;
    this.root = place.root.label;
    this.outcome = outcome;
    this.reason = reason;
    this.name = name;
    this.#real = place.real;
    this.#diagnostics = diagnostics;
    Object.freeze(this);
  }

  /** A getter, so that two entries with equal fields are equal whatever links lead to them. */
  get real(): string {
    return this.#real;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics.all;
  }
}

interface Place {
  readonly root: Root;
  readonly path: string;
  /** The path without links. */
  readonly real: string;
}

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

/** Why a skill that has or names a program is only text, in the words of the profile that knows programs. */
const downgradeReason = (input: SkillInput): string =>
  diagnose(readDocument(input), 'metaskill').find(({ rule }) => DOWNGRADES.has(rule))?.message ?? '';

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

  skip(place: Place, reason: string, diagnostics = NO_DIAGNOSTICS): void {
    this.report.push(new ReportEntry(place, 'skipped', reason, diagnostics));
  }

  add(place: Place, input: SkillInput, loaded: LoadedSkill): void {
    const { root, path } = place;
    const { skill, errors } = loaded;
    if (!skill) {
      const messages = errors.map(({ message }) => message);
      const text = `skipping invalid skill at ${path || root.label}: ${messages.join('; ')}`;
      this.#options.log({ level: 'warning', code: 'skill.invalid', text });
      this.skip(place, messages.join(' '), this.#diagnose(input, loaded));
      return;
    }
    this.#names.add(skill.name);
    const winner = this.#winners.get(skill.name);
    if (winner) this.#shadow(skill, place, winner, loaded, input);
    else this.#load(skill, place, loaded, input);
  }

  #load(skill: Skill, place: Place, loaded: LoadedSkill, input: SkillInput): void {
    if (loaded.tooManyTokens !== undefined) {
      const text = `skill ${pythonRepr(skill.name)} body is ~${loaded.tooManyTokens} tokens (recommendation: <=5000); split into separate files under references/ if possible`;
      this.#options.log({ level: 'warning', code: 'skill.large', text });
    }
    const diagnostics = this.#diagnose(input, loaded, () => this.#sameDescription(skill));
    this.#winners.set(skill.name, new FoundSkill(skill, place.root, place.path, diagnostics));
    const outcome = loaded.isDowngraded ? 'downgraded' : 'loaded';
    const reason = loaded.isDowngraded ? downgradeReason(input) : '';
    this.report.push(new ReportEntry(place, outcome, reason, diagnostics, skill.name));
  }

  #shadow(skill: Skill, place: Place, winner: LibrarySkill, loaded: LoadedSkill, input: SkillInput): void {
    const { dialect, log, profile } = this.#options;
    const message = `The skill \`${skill.name}\` at ${winner.path || winner.root} comes first, so this one is not loaded.`;
    const diagnostics = this.#diagnose(input, loaded, () => libraryDiagnostic('duplicate-name', profile, message));
    const item = new FoundSkill(skill, place.root, place.path, diagnostics);
    this.shadowed.push(item);
    this.report.push(new ReportEntry(place, 'shadowed', message, diagnostics, skill.name));
    const overrides = dialect === 'metis' && winner.source === 'workspace' && item.source === 'global';
    const text = overrides
      ? `skill ${pythonRepr(skill.name)} in workspace overrides global definition`
      : `[skills] duplicate skill "${skill.name}" at ${item.path || item.root} ignored; first definition (${winner.path || winner.root}) wins`;
    log({ level: dialect === 'metis' ? 'info' : 'warning', code: 'skill.shadowed', text });
  }

  #diagnose(
    input: SkillInput,
    { errors }: LoadedSkill,
    more: () => Diagnostic | undefined = () => undefined,
  ): LazyDiagnostics {
    const { profile } = this.#options;
    const knownSkills = this.#names;
    return new LazyDiagnostics(() => {
      // A page asks for these while it draws. A check of the folder finds all problems of a large skill.
      const own = isWeighty(input) ? errors : diagnose(readDocument({ ...input, knownSkills }), profile);
      const last = more();
      return last ? [...own, last] : own;
    });
  }

  /** For every description the first skill that has it, worked out when it is first asked for. */
  get #firstByDescription(): ReadonlyMap<string, string> {
    if (this.#descriptions.size > 0) return this.#descriptions;
    for (const { skill } of this.#winners.values()) {
      const key = skill.description.toLowerCase();
      if (!this.#descriptions.has(key)) this.#descriptions.set(key, skill.name);
    }
    return this.#descriptions;
  }

  #sameDescription({ name, description }: Skill): Diagnostic | undefined {
    const other = this.#firstByDescription.get(description.toLowerCase());
    if (other === undefined || other === name) return undefined;
    const message = `The skill \`${other}\` has the same description.`;
    return libraryDiagnostic('duplicate-description', this.#options.profile, message);
  }
}
