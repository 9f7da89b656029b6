/** Which earlier call a request is held against. */
import { type ModelBook, modelFacts } from '../../provider/model-book.ts';
import type { RecordedCall } from '../types.ts';
import { compare, type Comparison } from './comparison.ts';
import { longestTtl, type Subject } from './subject.ts';
import { isAlike } from './text-difference.ts';

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

export interface Chosen {
  readonly comparison: Comparison;
  readonly switched: Switch | undefined;
}

/** Of the same conversation; a request that was sent before as it is belongs to it too. */
const isOwn = ({ continues, common, current }: Comparison): boolean => continues || common === current.blocks.length;

/** Later, longer, of the same conversation: in this order from the weakest to the strongest. */
const isBetter = (left: Comparison, right: Comparison): boolean => {
  if (isOwn(left) !== isOwn(right)) return isOwn(left);
  if (left.common !== right.common) return left.common > right.common;
  return left.gap <= right.gap;
};

const best = (comparisons: readonly Comparison[]): Comparison | undefined =>
  comparisons.reduce<Comparison | undefined>((top, next) => (top && !isBetter(next, top) ? top : next), undefined);

const isLive = ({ base, gap }: Comparison): boolean => gap <= Math.max(longestTtl(base), 1);

const isRelated = ({ base, current, common, continues }: Comparison): boolean =>
  common > 0 || continues || isAlike(base.blocks[common], current.blocks[common]);

/**
 * Calls that could share a cache with this one come first, also those of other sessions. One that is only kept apart by its
 * model or key counts if it says the same and the others do not.
 */
export const choosePrevious = (
  candidates: readonly Subject[],
  current: Subject,
  book?: ModelBook,
): Chosen | undefined => {
  const all = candidates.map((base) => ({
    switched: switchOf(base, current, book),
    comparison: compare(base, current),
  }));
  const own = all.filter(({ switched }) => !switched).map(({ comparison }) => comparison);
  // An old call with nothing in common is no previous request.
  const same = best(own.filter((comparison) => isLive(comparison) || isRelated(comparison)));
  const foreign = all.filter(({ switched, comparison }) => switched && isLive(comparison) && isRelated(comparison));
  const other = best(foreign.map(({ comparison }) => comparison));
  const switched = foreign.find(({ comparison }) => comparison === other)?.switched;
  if (other && (!same || (isBetter(other, same) && other.common > same.common))) return { comparison: other, switched };
  return same && { comparison: same, switched: undefined };
};

/** The last call to the same provider, model and key inside its TTL, else the last one at all that came before. */
export const previousOf = (
  history: readonly RecordedCall[],
  current: RecordedCall,
  book?: ModelBook,
): RecordedCall | undefined => {
  const before = history.filter(
    (call) => call !== current && call.failed !== true && call.startedAt <= current.startedAt,
  );
  return before.findLast((call) => !switchBetween(call, current, book)) ?? before.at(-1);
};
