/** Causes that known programs have, by name. They only rename a finding, so a program nobody knows loses nothing. */
import type { CacheBlock } from '../types.ts';
import { isBilling } from './billing-block.ts';
import type { Comparison } from './comparison.ts';
import { prefixTokens, type Subject } from './subject.ts';
import { differenceOf } from './text-difference.ts';
import { toolNames } from './tool-causes.ts';
import type { Finding } from './types.ts';
import { volatileValueAt } from './volatile-value.ts';
import { changeText, listText, quote } from './words.ts';

/** An estimate of tools can be off by this much. */
const UNSURE = 1.5;

const billingOf = ({ request, messagesAt }: Subject): CacheBlock | undefined =>
  request.blocks.slice(0, messagesAt + 1).find(isBilling);

/** What was read reaches beyond the line, or it could not have been read at all: no breakpoint is before the line. */
const wasReadPast = (subject: Subject, line: CacheBlock): boolean => {
  const read = subject.usage?.read ?? 0;
  if (read === 0) return false;
  const at = subject.blocks.findIndex(({ label }) => label === line.label);
  return subject.breakpoints.every(({ index }) => index >= at) || read > prefixTokens(subject, at) * UNSURE;
};

/** Undefined where both requests have the same line, or none, or where the bill clears it. */
export const billingFinding = ({ base, current }: Comparison): Finding | undefined => {
  const [old, fresh] = [billingOf(base), billingOf(current)];
  if (!old || !fresh || old.text === fresh.text || wasReadPast(current, fresh)) return undefined;
  return {
    cause: 'billing-header',
    position: differenceOf(old, fresh).position,
    evidence: [
      `Claude Code adds a billing line (x-anthropic-billing-header) before the system prompt, at ${fresh.label}. It differs in every request.`,
      current.call.provider === 'anthropic'
        ? 'Everything else is the same. Anthropic usually ignores this line, but this request read nothing after it.'
        : 'This provider treats it like any other text, so it can read nothing after it.',
    ],
    repair: 'Set CLAUDE_CODE_ATTRIBUTION_HEADER=0 to leave the line out.',
    certainty: 'likely',
  };
};

/** How Claude Code, opencode and Codex write the day. */
const DATE_LINE = /Today's date(?::| is)|<current_date>|\bcurrentDate\b/;

const dateFinding = ({ base, current, common }: Comparison): Finding | undefined => {
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  if (!old || !fresh) return undefined;
  const { position, texts } = differenceOf(old, fresh);
  if (!texts) return undefined;
  const from = texts.after.lastIndexOf('\n', Math.max(0, position.offset - 1)) + 1;
  const value = volatileValueAt(texts.before, texts.after, position.offset, current.call.startedAt);
  if (!value || !/date/.test(value.kind) || !DATE_LINE.test(texts.after.slice(from, position.offset))) return undefined;
  return {
    cause: 'date-line',
    position,
    evidence: [
      `The line with the date changed at ${position.label}, character ${position.offset}: ${changeText(value.before, value.after)}. The provider must rewrite everything after it.`,
    ],
    repair:
      'A session that runs past midnight pays for this once. Start a new session each day, or keep the first request’s date.',
  };
};

/** Claude Code's names for tools of MCP servers. */
const SERVER_TOOL = /^mcp__/;

const lateToolsFinding = ({ base, current }: Comparison, finding: Finding): Finding | undefined => {
  const [before, after] = [toolNames(base.blocks), toolNames(current.blocks)];
  const known = new Set(before);
  const added = after.filter((name) => !known.has(name));
  const isOnlyMore = before.every((name) => after.includes(name));
  if (added.length === 0 || !isOnlyMore || !added.every((name) => SERVER_TOOL.test(name))) return undefined;
  const servers = [...new Set(added.map((name) => name.split('__')[1] ?? name))];
  return {
    ...finding,
    cause: 'late-tool-list',
    evidence: [
      `${listText(servers.map(quote))} connected after the conversation started and added ${added.length} tools.`,
      ...finding.evidence,
    ],
    repair:
      'Wait for all tool servers to connect before the first prompt, or load their tools on demand (tool search).',
  };
};

/** The same finding under the name that it has in a known program. */
export const inHarness = (comparison: Comparison, finding: Finding): Finding => {
  const { base, current, common } = comparison;
  if (finding.cause === 'tools-changed') return lateToolsFinding(comparison, finding) ?? finding;
  if ([base.blocks[common], current.blocks[common]].every((block) => block !== undefined && isBilling(block)))
    return billingFinding(comparison) ?? finding;
  const isText = finding.cause === 'volatile-value-in-system' || finding.cause === 'history-edited';
  return (isText ? dateFinding(comparison) : undefined) ?? finding;
};
