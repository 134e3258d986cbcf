import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** For the heading of what took the place of the button that was pressed: the keyboard goes on from there. */
export function useEntryFocus<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => target.current?.focus({ preventScroll: true }), []);
  return target;
}
