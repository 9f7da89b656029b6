/** Moving the focus between the four regions. */
const NAMES = ['Library', 'Editor', 'Session', 'Instruments'] as const;

const regionsIn = (root: ParentNode): HTMLElement[] =>
  NAMES.flatMap((name) => root.querySelector<HTMLElement>(`section[aria-label="${name}"]`) ?? []).filter(
    (region) => region.clientWidth > 0 && region.clientHeight > 0,
  );

/** Once no dialog is open: to a region, unless the focus has found a place by itself. A dialog that came from the palette has none to give back. */
export const focusWhenFree = (document: Document, name: (typeof NAMES)[number]): void => {
  requestAnimationFrame(() => {
    if (document.querySelector('[data-modal]')) {
      focusWhenFree(document, name);
      return;
    }
    // The dialog gives the focus back in the frame behind its end.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>(`section[aria-label="${name}"]`)?.focus();
    });
  });
};

/** From wherever the focus is to the next region that can be seen; after the last comes the first. */
export const focusNextRegion = (document: Document, direction: 1 | -1): void => {
  const regions = regionsIn(document);
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const start = at < 0 && direction < 0 ? 0 : at;
  regions[(start + direction + regions.length) % regions.length]?.focus();
};
