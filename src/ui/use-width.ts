import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element's content, in pixels; 0 before it is in the page. */
export const useWidth = <E extends HTMLElement>(): readonly [RefObject<E | null>, number] => {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  // Before the first paint: what is laid out by the width would jump.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    setWidth(Math.round(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
};
