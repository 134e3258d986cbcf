import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useControlContext } from "./control-context.ts";

/**
 * The heading of a page. It takes the focus when the page is entered, so that a screen reader begins there, and names
 * the page in the browser's tabs and history.
 */
export function useHeading(): RefObject<HTMLHeadingElement | null> {
  const { words } = useControlContext();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const name = heading.current?.textContent;
    document.title = name ? `${name} · ${words.product}` : words.product;
  });
  return heading;
}
