import type { SkillDocument } from '../document.ts';
import { isAbsolutePath, normalPath } from '../skill-path.ts';
import type { TextRange } from '../types.ts';

export type LinkTarget =
  /** Inside the skill's folder; it may not exist. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'skill'; readonly name: string }
  | { readonly kind: 'address'; readonly url: string };

export interface SkillLink {
  readonly range: TextRange;
  readonly target: LinkTarget;
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** What a target of a Markdown link means; nothing for an anchor, and for whatever leaves the folder. */
export const linkTarget = (target: string): LinkTarget | undefined => {
  if (/^(?:https?:\/\/|mailto:)/i.test(target)) return { kind: 'address', url: target };
  const bare = target.replace(/[#?].*$/s, '');
  if (bare === '' || /^[a-z][a-z0-9+.-]*:/i.test(bare) || isAbsolutePath(bare)) return undefined;
  const path = normalPath(decoded(bare));
  return path === undefined || path === '' ? undefined : { kind: 'file', path };
};

/** In order of position, each place once. */
export const linksOf = ({ bodyFacts }: SkillDocument): readonly SkillLink[] => {
  const links: SkillLink[] = [];
  /** Every offset inside a link that was found before: a link is short. */
  const taken = new Set<number>();
  const add = (range: TextRange, target: LinkTarget | undefined): void => {
    if (!target) return;
    for (let at = range.start; at < range.end; at++) if (taken.has(at)) return;
    for (let at = range.start; at < range.end; at++) taken.add(at);
    links.push({ range, target });
  };
  for (const { target, range } of bodyFacts.links) add(range, linkTarget(target));
  for (const { target, range } of bodyFacts.wikiLinks) add(range, { kind: 'skill', name: target });
  for (const { target, range } of bodyFacts.mentions()) add(range, linkTarget(target));
  return links.toSorted((a, b) => a.range.start - b.range.start);
};
