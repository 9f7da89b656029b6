import { useDeferredValue, useEffect, useSyncExternalStore } from 'react';
import type { Page } from './create-page.ts';
import { Workbench } from './workbench.tsx';

/** What the desk brings is drawn in slices between which the page answers. */
export const PageView = ({ page }: { readonly page: Page }) => {
  const shown = useDeferredValue(useSyncExternalStore(page.slots.subscribe, page.slots.get));
  // An effect may run before the first paint.
  useEffect(() => page.openAfterPaint(), [page]);
  return <Workbench deps={page.workbench} slots={shown} />;
};
