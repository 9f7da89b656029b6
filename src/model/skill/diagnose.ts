import { RULES, type RuleId } from './catalog.ts';
import { checkBody } from './checks/body-checks.ts';
import type { CheckContext } from './checks/context.ts';
import { checkDescription } from './checks/description-checks.ts';
import {
  checkAllowedTools,
  checkCompatibility,
  checkLicense,
  checkMetadata,
  checkUnknownFields,
} from './checks/field-checks.ts';
import { checkFiles } from './checks/file-checks.ts';
import { checkFrontmatter } from './checks/frontmatter-checks.ts';
import { checkMetaskill } from './checks/metaskill-checks.ts';
import { checkName } from './checks/name-checks.ts';
import { checkYamlForms } from './checks/yaml-checks.ts';
import type { SkillDocument } from './document.ts';
import { typingOf } from './fields.ts';
import { findProgram } from './metaskill-package.ts';
import type { Diagnostic, Fix, Profile, RuntimeProfile } from './types.ts';

const NO_FIXES: readonly Fix[] = [];

const contextOf = (
  document: SkillDocument,
  profile: Profile,
  diagnostics: Diagnostic[],
  isLoading: boolean,
): CheckContext => {
  const severityOf = (rule: RuleId) => RULES.get(rule)?.severity[profile];
  // The text of a file that is not UTF-8 is not what is on disk: written back, it would destroy bytes.
  // Frontmatter behind other text is told by its first line: it has to move before anything in it is changed.
  const isMisplaced = document.split.faults.some((fault) => fault.kind === 'not-first' && fault.before === 'text');
  const mayEdit = (rule: RuleId): boolean =>
    document.invalidAt === undefined && (!isMisplaced || rule === 'frontmatter-not-first');
  const isPossible = (rule: RuleId, fix: Fix): boolean =>
    fix.action.kind !== 'edit' || fix.action.file !== document.input.fileName || mayEdit(rule);
  return {
    document,
    profile,
    typing: typingOf(profile),
    isLoading,
    isOn: (rule) => severityOf(rule) !== undefined,
    report: (rule, range, message, fixes = NO_FIXES, file = document.input.fileName) => {
      const severity = severityOf(rule);
      if (severity)
        diagnostics.push({
          rule,
          severity,
          message,
          file,
          range,
          fixes: fixes.filter((fix): fix is Fix => fix !== undefined && isPossible(rule, fix)),
        });
    },
  };
};

const checkFields = (context: CheckContext): void => {
  const { document, profile, isLoading } = context;
  const program = findProgram(document);
  if (!checkFrontmatter(context)) return;
  checkYamlForms(context, program.metaskill !== undefined);
  if (profile === 'metis' && document.pythonProblems.length > 0) return;
  checkName(context);
  checkDescription(context);
  checkLicense(context);
  checkCompatibility(context);
  checkMetadata(context);
  checkAllowedTools(context);
  if (!isLoading) checkUnknownFields(context);
  checkMetaskill(context, program);
};

/** Everything that is wrong with a skill under a profile, in the order of the checks. */
export const diagnose = (document: SkillDocument, profile: Profile): readonly Diagnostic[] => {
  const diagnostics: Diagnostic[] = [];
  const context = contextOf(document, profile, diagnostics, false);
  checkFields(context);
  checkBody(context);
  checkFiles(context);
  return diagnostics;
};

/**
 * The errors of `diagnose`, and nothing else, for a profile that skills are loaded by: there no rule about the body, other
 * files or unknown fields is an error, and leaving them out makes discovery several times faster.
 */
export const findLoadErrors = (document: SkillDocument, profile: RuntimeProfile): readonly Diagnostic[] => {
  const diagnostics: Diagnostic[] = [];
  checkFields(contextOf(document, profile, diagnostics, true));
  return diagnostics.filter(({ severity }) => severity === 'error');
};

export const isValid = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.every((diagnostic) => diagnostic.severity !== 'error');
