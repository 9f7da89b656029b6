/** Which earlier call a request is held against. */
import { type ModelBook, modelFacts } from '../../provider/model-book.ts';
import type { RecordedCall } from '../types.ts';
import { commonBlocks } from './comparison.ts';
import type { Subject } from './subject.ts';
import type { Relation } from './types.ts';

const differs = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && left !== right;

export interface Switch {
  /** `model`, `key`, `workspace`, `provider`, `speed`. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** A dated id is the same model as its alias; a model that nobody knows goes by its own id. */
const isOtherModel = (left: string | undefined, right: string | undefined, book: ModelBook | undefined): boolean =>
  differs(left, right) && differs(left && modelFacts(left, book).id, right && modelFacts(right, book).id);

/** What keeps two calls from sharing a cache, whatever they say. */
const switchBetween = (base: RecordedCall, current: RecordedCall, book?: ModelBook): Switch | undefined => {
  const found = (what: string, before: string | undefined, after: string | undefined): Switch[] =>
    differs(before, after) ? [{ what, before: before ?? '', after: after ?? '' }] : [];
  const foundModel = (what: string, before: string | undefined, after: string | undefined): Switch[] =>
    isOtherModel(before, after, book) ? found(what, before, after) : [];
  return [
    ...found('provider', base.provider, current.provider),
    ...foundModel('model', base.model, current.model),
    ...found('key', base.keyId, current.keyId),
    ...found('workspace', base.response?.workspaceId, current.response?.workspaceId),
    ...foundModel('served model', base.response?.model, current.response?.model),
    ...found('speed', base.response?.speed, current.response?.speed),
  ][0];
};

/** The same for calls that were read: the body may name another model than the recording. */
export const switchOf = (base: Subject, current: Subject, book?: ModelBook): Switch | undefined => {
  const found = switchBetween(base.call, current.call, book);
  if (found) return found;
  const [before, after] = [base.request.model, current.request.model];
  return base.facts.id === current.facts.id ? undefined : { what: 'model', before, after };
};

/** An earlier call of the same conversation. */
export interface Related {
  readonly base: Subject;
  readonly relation: Relation;
}

interface Weighed extends Related {
  readonly isSwitched: boolean;
  readonly common: number;
}

/** Longer, then later: what can be read first comes first. */
const isBetter = (left: Weighed, right: Weighed): boolean =>
  left.common === right.common ? left.base.call.startedAt >= right.base.call.startedAt : left.common > right.common;

/**
 * Of the calls of a conversation the one with the longest common beginning that could share a cache with this one. One that
 * is only kept apart by its model or key counts if it says more of the same.
 */
export const choosePrevious = (
  related: readonly Related[],
  current: Subject,
  book?: ModelBook,
): Related | undefined => {
  const weighed = related.map((item): Weighed => ({
    ...item,
    isSwitched: switchOf(item.base, current, book) !== undefined,
    common: commonBlocks(item.base, current),
  }));
  const best = (items: readonly Weighed[]): Weighed | undefined =>
    items.reduce<Weighed | undefined>((top, next) => (top && !isBetter(next, top) ? top : next), undefined);
  const own = best(weighed.filter(({ isSwitched }) => !isSwitched));
  const other = best(weighed.filter(({ isSwitched }) => isSwitched));
  return other && (!own || other.common > own.common) ? other : own;
};
