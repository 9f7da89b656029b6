/** Usage as a recording holds it. */
import { type Json, type JsonObject, isObject } from '../../../base/json.ts';
import type { Usage, Wire } from '../../provider/types.ts';
import { usageFromWire } from '../../provider/usage.ts';

const isNormalForm = (raw: JsonObject): boolean => typeof raw['uncached'] === 'number';

/** Counters name their wire better than the line does: gateways translate. */
const usageWire = (raw: JsonObject, wire: Wire): Wire => {
  if ('prompt_tokens' in raw) return 'openai-chat';
  if ('cache_read_input_tokens' in raw || 'cache_creation_input_tokens' in raw || 'cache_creation' in raw)
    return 'anthropic-messages';
  if ('input_tokens_details' in raw) return 'openai-responses';
  return wire === 'openai-chat' && 'input_tokens' in raw ? 'openai-responses' : wire;
};

/** A file from anywhere: what is not a number is left out. */
const isFigure = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const figures = (value: Json | undefined): Usage['writes'] =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, figure]) => isFigure(figure))) : {};

/** What a person should know of usage that was recorded and cannot be read; nothing where all is well. */
export const usageNotes = (raw: Json | undefined, usage: Usage | undefined): readonly string[] =>
  usage || raw === undefined || raw === null
    ? []
    : ['Lathe can’t read this request’s recorded usage, so its read and written tokens are unknown.'];

/** Usage in the wire's form or already in ours. */
export const readUsage = (raw: Json | undefined, wire: Wire, isPartial: boolean): Usage | undefined => {
  if (!isObject(raw)) return undefined;
  if (isNormalForm(raw)) {
    const { uncached, read, writes, output, charged, cacheReported } = raw;
    const whole = (value: Json | undefined): number => (isFigure(value) ? value : 0);
    return {
      uncached: whole(uncached),
      read: whole(read),
      writes: figures(writes),
      output: whole(output),
      cacheReported: cacheReported !== false,
      partial: raw['partial'] === true || isPartial,
      ...(isFigure(charged) && { charged }),
    };
  }
  const usage = usageFromWire(usageWire(raw, wire), raw);
  return usage && { ...usage, ...(isPartial && { partial: true }) };
};
