/** A recording under another policy. `SPEC.md` has the rules. */
import type { BreakpointReport, CacheBlock, CacheRequest, Tier } from '../cache/types.ts';
import type { BreakpointMode, Ttl, Usage } from '../provider/types.ts';
import type { Call } from '../traffic/call.ts';
import type { Chain } from '../traffic/chains.ts';

/**
 * Where a cache breakpoint goes in every request: after the last tool, after the last stable system block, at the end, so
 * many lookback positions before the end, or behind one block by its label.
 */
export interface Placement {
  readonly at: 'tools' | 'system' | 'last' | `last-${number}` | (string & {});
  readonly ttl?: Ttl;
}

export const TOOL_POLICIES = ['sorted', 'frozen'] as const;
export type ToolPolicy = (typeof TOOL_POLICIES)[number];
export const SUB_AGENT_POLICIES = ['apart', 'together'] as const;
export type SubAgentPolicy = (typeof SUB_AGENT_POLICIES)[number];

/** What is different from the recording; a switch that is absent is off. A policy is a set: the order of its switches means nothing. */
export interface Policy {
  readonly ttl?: Ttl | Readonly<Partial<Record<Tier, Ttl>>>;
  readonly breakpoints?: BreakpointMode | readonly Placement[];
  readonly tools?: ToolPolicy;
  /** Labels of system blocks whose changing lines are said in the conversation instead. */
  readonly move?: readonly string[];
  readonly model?: string;
  readonly subAgents?: SubAgentPolicy;
  /** Text after the stable prompt, or the size that the prefix is padded to. */
  readonly padding?: { readonly text: string } | { readonly tokens: number };
}

export const SWITCHES = ['ttl', 'breakpoints', 'tools', 'move', 'model', 'subAgents', 'padding'] as const;
export type Switch = (typeof SWITCHES)[number];

/** A block, and what is known of its size. */
export interface Item {
  /** Its place in the recorded request; absent for what was added. */
  readonly origin?: number;
  readonly block: CacheBlock;
  /** By o200k. */
  readonly count: number;
  /** Tokens, anchored at what was billed; absent for what the recording does not hold. */
  readonly measured?: number;
  /** The block that it was made from: its own bill tells best how far a count is off. */
  readonly was?: { readonly count: number; readonly measured: number };
  /** Tokens that are not in its text. */
  readonly extra?: number;
}

/** A request of the recording, ready to be sent again. */
export interface Step {
  readonly key: string;
  readonly call: Call;
  readonly chain: Chain;
  readonly request: CacheRequest;
  readonly items: readonly Item[];
  readonly startedAt: number;
  readonly firstByteAt: number;
  readonly endedAt: number;
  /** Of the first pass, where it was reported. */
  readonly usage: Usage | undefined;
  /** By o200k, of each part of the answer; absent where the answer was not recorded. */
  readonly answer: readonly number[] | undefined;
  /** Left by somebody outside the recording: the recorded place of the block that it ends with. */
  readonly found?: number;
  /** Tokens that are billed as uncached behind everything that is sent, whatever the breakpoints. */
  readonly tail?: number;
  /** Observed: nothing longer was found although it had been left. */
  readonly mostRead?: number;
}

export interface Tokens {
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
  readonly output: number;
  /** Absent: the price is unknown. */
  readonly usd: number | undefined;
}

export interface ForecastRow {
  readonly key: string;
  /** Absent: not reported. */
  readonly recorded: Tokens | undefined;
  /** Absent: nobody can tell, because the body is unknown and no usage was reported. */
  readonly forecast: Tokens | undefined;
  /** The recorded numbers, because the body is not known: no switch reaches it. */
  readonly isKept: boolean;
  readonly breakpoints: readonly BreakpointReport[];
}

export interface Totals extends Tokens {
  /** USD of those that are known. */
  readonly knownUsd: number;
  /** Requests without numbers. */
  readonly unknown: number;
}

export interface WhatIf {
  readonly policy: Policy;
  readonly recorded: Totals;
  readonly forecast: Totals;
  /** USD between which the forecast lies; absent where it is unknown. */
  readonly range: { readonly low: number; readonly high: number } | undefined;
  /** In the order of the recording. */
  readonly requests: readonly ForecastRow[];
  /** What it rests on, one sentence each. */
  readonly notes: readonly string[];
  /** What the provider would refuse, each sentence once. */
  readonly faults: readonly string[];
}
