/** What the readers of other tools' suites share. */
import { isObject, type Json } from '../../../base/json.ts';
import type { SuiteFault, TriggerQuery } from './types.ts';

export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

export const mappingOf = (value: Json | undefined): Readonly<Record<string, Json>> => (isObject(value) ? value : {});

/** The keys of `item` beside those that were read. */
export const rest = (item: Readonly<Record<string, Json>>, read: readonly string[]): { x?: Json } => {
  const others = Object.entries(item).filter(([key]) => !read.includes(key));
  return others.length === 0 ? {} : { x: Object.fromEntries(others) };
};

export const warning = (line: number, message: string): SuiteFault => ({ line, severity: 'warning', message });

export interface Found {
  readonly queries: TriggerQuery[];
  readonly warnings: SuiteFault[];
}

/** Of a plugin's skill, `plugin:skill`, its own name. */
export const bareName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).trim();
