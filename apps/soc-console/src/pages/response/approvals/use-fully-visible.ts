import { type RefObject, useEffect, useState } from "react";
import { after } from "../../../app/browser/clock.ts";

const SIGHT_MS = 1000;

/**
 * Whether the whole element, from beginning to end, was visible for a second. Another `key` starts over. An element
 * behind a dialog or below the fold is not visible.
 */
export function useFullyVisible(element: RefObject<HTMLElement | null>, key: string): boolean {
  const [seen, setSeen] = useState<string>();
  useEffect(() => {
    const [first, last] = [element.current?.firstElementChild, element.current?.lastElementChild];
    if (!first || !last) return;
    const met = new Set<Element>();
    let cancel: (() => void) | undefined;
    const wait = () => {
      cancel?.();
      cancel = undefined;
      const isSeen = met.has(first) && met.has(last) && document.visibilityState === "visible";
      if (isSeen) cancel = after(SIGHT_MS, () => setSeen(key));
    };
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) met.add(target);
      wait();
    });
    observer.observe(first);
    observer.observe(last);
    document.addEventListener("visibilitychange", wait);
    return () => {
      cancel?.();
      observer.disconnect();
      document.removeEventListener("visibilitychange", wait);
    };
  }, [element, key]);
  return seen === key;
}
