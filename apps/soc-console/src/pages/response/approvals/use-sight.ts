import { type RefObject, useEffect, useState } from "react";
import { after } from "../../../app/browser/clock.ts";

const SIGHT_MS = 1000;

/**
 * Whether the user has had the element in sight, from its beginning to its end, for a second. Another `key` is another
 * thing to look at. What is hidden, behind a dialog's page or below the fold is not in sight.
 */
export function useSight(element: RefObject<HTMLElement | null>, key: string): boolean {
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
