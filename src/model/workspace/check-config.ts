/** `lathe.yaml`: which rules a project wants, and where. The page and the terminal read it here; SPEC.md LCF. */
import { joinPath } from '../../base/paths.ts';
import { isObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type ClientChoice, readClientChoice } from '../clients/client-choice.ts';
import { CLIENT_IDS } from '../clients/types.ts';
import type { CheckedSkill } from '../library/check-skills.ts';
import { noIgnoreRules, type IgnoreRules } from '../sandbox/ignore-rules.ts';
import { RULES } from '../skill/catalog.ts';
import { isValid } from '../skill/diagnose.ts';
import { CHECK_PROFILES, type Diagnostic, type Profile, type Severity } from '../skill/types.ts';
import { isTooMuchYaml } from '../skill/yaml-tree.ts';
import { PROGRAM_RULES } from '../starlark/rule-catalog.ts';
import { readYamlFile, type YamlFault } from '../yaml-file.ts';

export const CONFIG_FILE = 'lathe.yaml';

const LEVELS = ['off', 'error', 'warning', 'info', 'hint'] as const;
type Level = (typeof LEVELS)[number];
const KEYS = [
  'profile',
  'rules',
  'overrides',
  'ignore',
  'max_warnings',
  'clients',
  'index_budget',
  'thresholds',
] as const;
const THRESHOLDS = ['trigger_rate'] as const;

interface RuleSet {
  /** Absent: everywhere. */
  readonly paths?: IgnoreRules;
  readonly levels: ReadonlyMap<string, Level>;
}

export interface CheckConfig {
  readonly profile?: Profile;
  /** More warnings than this fail a check. */
  readonly maxWarnings?: number;
  /** The agents that the project cares about. */
  readonly clients?: readonly ClientChoice[];
  /** Tokens that the list of skills of each of them may have. */
  readonly indexBudget?: number;
  /** The least rate at which a model picks the right skill. */
  readonly triggerRate?: number;
  /** Paths are below the folder of the file. */
  readonly ignores: (path: string) => boolean;
  readonly levelOf: (rule: string, path: string) => Level | undefined;
}

/** Whether a pattern, written as in `.gitignore`, names a path or a folder around it. */
const names = (rules: IgnoreRules, path: string): boolean => {
  const parts = path.split('/');
  return parts.some((_, index) => rules.ignores(parts.slice(0, index + 1).join('/'), index < parts.length - 1));
};

type Fault = (path: readonly PropertyKey[], message: string) => void;

const readPatterns = (value: unknown, path: readonly PropertyKey[], fault: Fault): IgnoreRules => {
  if (value === undefined) return noIgnoreRules;
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string')) {
    fault(path, `${String(path.at(-1))} is a list of patterns, as in .gitignore`);
    return noIgnoreRules;
  }
  return noIgnoreRules.with('', value.join('\n'));
};

const readLevels = (value: unknown, path: readonly PropertyKey[], fault: Fault): ReadonlyMap<string, Level> => {
  const levels = new Map<string, Level>();
  if (value === undefined) return levels;
  if (!isObject(value)) {
    fault(path, 'rules is a mapping, such as `name-folder: off`');
    return levels;
  }
  const known: readonly string[] = [...RULES.keys(), ...PROGRAM_RULES.keys()];
  for (const [rule, given] of Object.entries(value)) {
    // YAML 1.1 reads a bare `off` as false.
    const level = given === false ? 'off' : LEVELS.find((word) => word === given);
    if (!known.includes(rule)) {
      const near = nearest(rule, known);
      fault(
        [...path, rule],
        `no rule ${rule}${near === undefined ? '; `lathe rules` lists them' : `; did you mean ${near}?`}`,
      );
    } else if (level === undefined) fault([...path, rule], `${rule} is one of ${LEVELS.join(', ')}`);
    else levels.set(rule, level);
  }
  return levels;
};

const readClients = (value: unknown, fault: Fault): readonly ClientChoice[] | undefined => {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0) {
    fault(['clients'], 'clients is a list of agents, such as [claude-code, codex]');
    return undefined;
  }
  return value.flatMap((item: unknown, index): readonly ClientChoice[] => {
    const choice = typeof item === 'string' ? readClientChoice(item) : undefined;
    if (choice?.ok === true) return [choice.value];
    fault(
      ['clients', index],
      `a client is one of ${CLIENT_IDS.join(', ')}, or one with a version, as claude-code@2.1.197`,
    );
    return [];
  });
};

const readTriggerRate = (value: unknown, fault: Fault): number | undefined => {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    fault(['thresholds'], `thresholds is a mapping with ${THRESHOLDS.join(', ')}`);
    return undefined;
  }
  for (const key of Object.keys(value))
    if (!THRESHOLDS.some((known) => known === key))
      fault(['thresholds', key], `no threshold ${key}; there is ${THRESHOLDS.join(', ')}`);
  const rate = value['trigger_rate'];
  if (rate === undefined) return undefined;
  if (typeof rate === 'number' && rate >= 0 && rate <= 1) return rate;
  fault(['thresholds', 'trigger_rate'], 'trigger_rate is a rate from 0 to 1');
  return undefined;
};

export const parseCheckConfig = (text: string): Result<CheckConfig, readonly YamlFault[]> => {
  if (isTooMuchYaml(text))
    return err([{ line: 1, message: `${CONFIG_FILE} is too large or nested too deep; keep it under 64 KiB` }]);
  const file = readYamlFile(text);
  if (!file.ok) return file;
  const { data, lineOf } = file.value;
  const faults: YamlFault[] = [];
  const fault: Fault = (path, message) => void faults.push({ line: lineOf(path), message });
  // An empty file says nothing, and is none the worse for it.
  const top = data === null || data === undefined ? {} : data;
  if (!isObject(top)) return err([{ line: 1, message: `${CONFIG_FILE} is a mapping with ${KEYS.join(', ')}` }]);
  for (const key of Object.keys(top))
    if (!KEYS.some((known) => known === key)) fault([key], `no key ${key}; there are ${KEYS.join(', ')}`);
  const profile = CHECK_PROFILES.find((word) => word === top['profile']);
  if (top['profile'] !== undefined && profile === undefined)
    fault(['profile'], `profile is one of ${CHECK_PROFILES.join(', ')}`);
  const most = top['max_warnings'];
  const isCount = typeof most === 'number' && Number.isSafeInteger(most) && most >= 0;
  if (most !== undefined && !isCount) fault(['max_warnings'], 'max_warnings is a whole number, 0 or more');
  const budget = top['index_budget'];
  const isBudget = typeof budget === 'number' && Number.isSafeInteger(budget) && budget > 0;
  if (budget !== undefined && !isBudget) fault(['index_budget'], 'index_budget is a whole number of tokens, 1 or more');
  const clients = readClients(top['clients'], fault);
  const triggerRate = readTriggerRate(top['thresholds'], fault);
  const sets: RuleSet[] = [{ levels: readLevels(top['rules'], ['rules'], fault) }];
  const overrides = top['overrides'] ?? [];
  if (!Array.isArray(overrides)) fault(['overrides'], 'overrides is a list of {paths, rules}');
  else
    for (const [index, item] of overrides.entries()) {
      const path = ['overrides', index];
      if (!isObject(item) || item['paths'] === undefined || item['rules'] === undefined)
        fault(path, 'an override has paths and rules');
      else
        sets.push({
          paths: readPatterns(item['paths'], [...path, 'paths'], fault),
          levels: readLevels(item['rules'], [...path, 'rules'], fault),
        });
    }
  const ignored = readPatterns(top['ignore'], ['ignore'], fault);
  if (faults.length > 0) return err(faults.toSorted((a, b) => a.line - b.line));
  return ok({
    ...(profile && { profile }),
    ...(isCount && { maxWarnings: most }),
    ...(clients && { clients }),
    ...(isBudget && { indexBudget: budget }),
    ...(triggerRate !== undefined && { triggerRate }),
    ignores: (path) => names(ignored, path),
    levelOf: (rule, path) =>
      sets.findLast(({ paths, levels }) => levels.has(rule) && (!paths || names(paths, path)))?.levels.get(rule),
  });
};

const changed = (diagnostic: Diagnostic, level: Level | undefined): readonly Diagnostic[] => {
  if (level === 'off') return [];
  const severity: Severity = level ?? diagnostic.severity;
  return [severity === diagnostic.severity ? diagnostic : { ...diagnostic, severity }];
};

/** The skills as the project wants them judged. `at` leads from the folder of the file to the tree of the skills. */
export const configured = (skills: readonly CheckedSkill[], config: CheckConfig, at = ''): readonly CheckedSkill[] =>
  skills
    .filter(({ path }) => !config.ignores(joinPath(at, path, 'SKILL.md')))
    .map((skill): CheckedSkill => {
      const diagnostics = skill.diagnostics.flatMap((diagnostic) =>
        changed(diagnostic, config.levelOf(diagnostic.rule, joinPath(at, skill.path, diagnostic.file))),
      );
      return Object.assign({}, skill, { diagnostics, valid: isValid(diagnostics) });
    });
