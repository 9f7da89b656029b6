/** Moving the focus between the regions. */
import { PANELS } from '../views/registry.ts';

const NAMES: readonly string[] = PANELS.map(({ label }) => label);

const regionNamed = (root: ParentNode, name: string): HTMLElement | null =>
  root.querySelector<HTMLElement>(`section[aria-label="${name}"]`);

const regionsIn = (root: ParentNode): HTMLElement[] =>
  NAMES.flatMap((name) => regionNamed(root, name) ?? []).filter(
    (region) => region.clientWidth > 0 && region.clientHeight > 0,
  );

/** When no dialog is open any more, and the focus is back where the dialog found it. */
const afterDialogs = (document: Document, work: () => void): void => {
  requestAnimationFrame(() => {
    if (document.querySelector('[data-modal]')) afterDialogs(document, work);
    // The dialog gives the focus back in the frame behind its end.
    else requestAnimationFrame(work);
  });
};

/** To a region, unless the focus has found a place by itself: a dialog that came from the palette has none to give back. */
export const focusWhenFree = (document: Document, name: string): void =>
  afterDialogs(document, () => {
    if (document.activeElement === document.body) regionNamed(document, name)?.focus();
  });

/** To a region, wherever the focus is. */
export const focusRegion = (document: Document, name: string): void =>
  afterDialogs(document, () => regionNamed(document, name)?.focus());

/** To the field in which a message is written. */
export const focusComposer = (document: Document): void =>
  afterDialogs(document, () => document.querySelector<HTMLElement>('[aria-label="Message"]')?.focus());

/** From wherever the focus is to the next region that can be seen; after the last comes the first. */
export const focusNextRegion = (document: Document, direction: 1 | -1): void => {
  const regions = regionsIn(document);
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const start = at < 0 && direction < 0 ? 0 : at;
  regions[(start + direction + regions.length) % regions.length]?.focus();
};
