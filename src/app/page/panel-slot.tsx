import type { PanelContent } from '../../features/panel/panel.ts';
import type { PanelSlot, PanelSlots } from '../shell/panel-region.tsx';
import type { PanelId } from '../views/registry.ts';

/** What a feature says of its panel, as the shell places it. */
const slotOf = <Page extends object>(content: PanelContent<Page>, page: Page): PanelSlot | undefined => {
  const { Content, Count, Facts, Actions, Head, isReady } = content;
  if (isReady?.(page) === false) return undefined;
  return {
    content: <Content {...page} />,
    ...(Count && { count: <Count {...page} /> }),
    ...(Facts && { facts: <Facts {...page} /> }),
    ...(Actions && { actions: <Actions {...page} /> }),
    ...(Head && { head: (end) => <Head {...page} end={end} /> }),
  };
};

/** The same for many. One that is not ready has none. */
export const slotsOf = <Page extends object>(
  contents: Readonly<Partial<Record<PanelId, PanelContent<Page>>>>,
  page: Page,
): PanelSlots =>
  Object.fromEntries(
    Object.entries(contents).flatMap(([id, content]) => {
      const slot = slotOf(content, page);
      return slot ? [[id, slot]] : [];
    }),
  );
