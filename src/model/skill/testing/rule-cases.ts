/** For every rule: inputs that it speaks about, and close ones that it does not. */
import type { RuleId } from '../catalog.ts';
import { BODY_CASES } from './body-cases.ts';
import { DESCRIPTION_CASES } from './description-cases.ts';
import { FIELD_CASES } from './field-cases.ts';
import { FRONTMATTER_CASES } from './frontmatter-cases.ts';
import { METASKILL_CASES } from './metaskill-cases.ts';
import type { RuleCases } from './skill-case.ts';

/** Rules that one SKILL.md alone cannot break: `model/library` looks at many folders and reports them, and has their cases. */
export const LIBRARY_RULES: readonly RuleId[] = ['duplicate-name', 'duplicate-description', 'file-missing'];

const all = { ...FRONTMATTER_CASES, ...FIELD_CASES, ...DESCRIPTION_CASES, ...BODY_CASES, ...METASKILL_CASES };

export const RULE_CASES: ReadonlyMap<string, RuleCases> = new Map(Object.entries(all));
